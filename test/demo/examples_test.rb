# frozen_string_literal: true

# examples/*.rb: every form writes the same document, and each file runs by itself.

require "open3"
require "rbconfig"
require_relative "../test_helper"

class ExamplesTest < ToJsonTest
  EXAMPLES = File.join(Project::ROOT, "examples")
  %w[sample class_form module_form block_form explicit_receiver declared].each do |name|
    require File.join(EXAMPLES, name)
  end

  HAMMER =
    '{"name":"hammer","version":"2.1.3","about":"Hits","licenses":[],"required_ruby":">= 0",' \
           '"released_on":"2026-02-28","installed_at":"2026-11-21T10:31:00.000Z","default":true,' \
           '"authors":[],"dependencies":[],"files":[{"path":"hammer.rb","bytes":null}]}'
  ANVIL =
    '{"name":"anvil","version":"1.2.0","about":"Bends iron ' \
    '\"cold\"","homepage":"https://anvil.example",' \
          '"licenses":["MIT"],"required_ruby":">= ' \
          '3.1","released_on":"2026-11-20","installed_at":"2026-11-21T10:30:00.250Z",' \
          '"default":false,"authors":["Ada Smith","José Ferreiro"],' \
          '"dependencies":[{"name":"hammer","requirement":"~> ' \
          '2.0","kind":"runtime","installed":true},' \
          '{"name":"tongs","requirement":">= 0","kind":"development","installed":false}],' \
          '"files":[{"path":"lib/anvil.rb","bytes":1204},{"path":"README.md","bytes":310}]}'
  CATALOGUE = %({"gems":[#{ANVIL},#{HAMMER}]})

  FORMS = { "class" => ->(gems) { CatalogueSerializer.json!(gems) },
            "module" => ->(gems) { CatalogueDocument.json!(gems) },
            "block" => ->(gems) { CatalogueReport.new(gems).to_document },
            "explicit receiver" => ->(gems) { ExplicitCatalogue.document(gems) },
            "declared" => ->(gems) { DeclaredGemSerializer.json!(gems) } }.freeze

  FORMS.each do |form, way|
    test "the example of the #{form} form writes the two gems" do
      assert_equal(CATALOGUE, way.call(Sample::GEMS))
    end

    test "the example of the #{form} form writes an empty array for no gems" do
      assert_equal('{"gems":[]}', way.call([]))
    end
  end

  { "class_form" => [HAMMER, CATALOGUE], "module_form" => [CATALOGUE, %({"gems":[#{ANVIL}]})],
    "block_form" => [CATALOGUE], "explicit_receiver" => [CATALOGUE],
    "declared" =>
      [
        CATALOGUE, HAMMER,
        '{"gems":[{"name":"anvil","about":"Bends iron \"cold\""},{"name":"hammer","about":"Hits"}]}'
      ] }.each do |name, documents|
    test "examples/#{name}.rb runs by itself and prints its documents" do
      out, error,
      status = Open3.capture3(*PlainRuby.start, "-w", "-E", "UTF-8", "-Ilib", "examples/#{name}.rb",
                              chdir: Project::ROOT)
      assert_equal(["", true], [error, status.success?])
      assert_equal(documents, out.force_encoding(Encoding::UTF_8).lines(chomp: true))
    end
  end
end
