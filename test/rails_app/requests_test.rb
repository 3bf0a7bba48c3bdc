# frozen_string_literal: true

# A Rails app, API only, made by Rails' own generator in a temporary directory: the same requests
# with ActiveSupport's encoder and with ours, each in a process of its own, must give the same
# bodies, byte for byte.

require "test_helper"
require "open3"
require "rbconfig"
require "tmpdir"

class RequestsTest < ToJsonTest
  RAILS = begin
    Gem::Specification.find_by_name("railties")
  rescue Gem::MissingSpecError
    nil
  end
  OVERLAY = File.expand_path("overlay", __dir__)
  LIBRARY = File.expand_path("../../lib", __dir__)

  # The app has a Gemfile of its own, which names gems that are not ours to install: it runs with
  # ours.
  ENVIRONMENT = { "BUNDLE_GEMFILE" =>
                    ENV.fetch("BUNDLE_GEMFILE") { File.expand_path("../../Gemfile", __dir__) },
                    "RAILS_LOG_TO_STDOUT" => nil,
                  "SECRET_KEY_BASE" => "0" * 64, "DATABASE_URL" => nil }.freeze

  def run_ruby(directory, *arguments)
    output, errors,
    status = Open3.capture3(ENVIRONMENT, RbConfig.ruby, *arguments, chdir: directory)
    assert status.success?, "#{arguments.join(" ")} failed: #{errors}\n#{output}"
    output.lines(chomp: true)
  end

  def generate_app(directory)
    options = %w[--api --minimal --skip-git --skip-bundle --skip-test --database=sqlite3 --quiet]
    run_ruby(directory, "-rbundler/setup", File.join(RAILS.full_gem_path, "exe", "rails"), "new",
             "app", *options)
    app = File.join(directory, "app")
    FileUtils.cp_r(File.join(OVERLAY, "."), app)
    app
  end

  if RAILS && Without.library?("active_record")
    test "an app made by `rails new --api` answers every request with the same body, byte for " \
         "byte" do
      Dir.mktmpdir do |directory|
        app = generate_app(directory)
        theirs = run_ruby(app, "-I", LIBRARY, "requests.rb")
        ours = run_ruby(app, "-I", LIBRARY, "requests.rb", "to_json")
        assert_match(/\AActiveSupport::JSON::Encoding::/, theirs.pop,
                     "the first run has Rails' own encoder")
        assert_equal "ToJson::ActiveSupportEncoder", ours.pop
        assert_operator theirs.size, :>=, 19
        assert_equal(%w[200 201 404 410 422], theirs.map { |line| line[/, (\d+), "/, 1] }.uniq.sort)
        theirs.zip(ours) { |expected, actual| assert_equal expected, actual }
        assert_equal theirs.size, ours.size
      end
    end
  end
end
