# frozen_string_literal: true

require_relative "../contenders/gems"
require_relative "../contenders/listed"
require_relative "../data/notes"

# Every way into the library: a Struct of four fields and one other Struct, or 100 of them, by each
# keyword and each kind of declaration, beside the same fields declared plainly and called without
# keywords.
Bench.scenario 16, "ways", "every way in" do
  ours = <<~RUBY
    class Bench::Notes::ScribeSerializer < ToJson::Serializer
      attributes :id, :name
    end
    SCRIBES = Bench::Notes::ScribeSerializer
    class WholeSerializer < ToJson::Serializer
      attributes :id, :title, :score, :draft
      has_one :scribe, serializer: SCRIBES
    end
    class NoteSerializer < ToJson::Serializer
      attributes :id, :title
      view :full do
        attributes :score, :draft
        has_one :scribe, serializer: SCRIBES
      end
    end
    class FoundSerializer < ToJson::Serializer
      attributes :id, :title, :score, :draft
      has_one :scribe
    end
    class TitledSerializer < ToJson::Serializer
      attributes :id, :title
    end
    class NamedSerializer < ToJson::Serializer
      attributes :id
      has_one(:scribe) { attributes :name }
    end
    class DraftSerializer < ToJson::Serializer
      attributes :id, :title, :draft
    end
    Held = Struct.new(:it)
    class MappedSerializer < ToJson::Serializer
      attributes :id, :title, :score, :draft
      has_one :scribe, serializer: {Bench::Notes::Scribe => SCRIBES, String => WholeSerializer}
    end
    class ConvertedSerializer < ToJson::Serializer
      attributes :id, :title, :score, :draft
      attribute :scribe, as: SCRIBES
    end
  RUBY
  kinds = Bench::Notes::KINDS
  names = kinds.each_index.map { |index| "Kind#{index}" }
  ours_of_kinds = [*names.zip(kinds).map { |name, it| Bench::Gems.classes("Our", name, it) },
                   "KINDS = [#{names.map { |name| "Our#{name}" }.join(", ")}].freeze"].join
  hashes = kinds.map { |fields| "->(v) { #{Bench::Shape.new(fields).hash} }" }
  gems = {
    "blueprinter" => <<~RUBY,
      class BlueScribe < Blueprinter::Base
        fields :id, :name
      end
      class BlueWhole < Blueprinter::Base
        fields :id, :title, :score, :draft
        association :scribe, blueprint: BlueScribe
      end
      class BlueNote < Blueprinter::Base
        fields :id, :title
        view :full do
          fields :score, :draft
          association :scribe, blueprint: BlueScribe
        end
      end
    RUBY
    "alba" => <<~RUBY,
      class AlbaScribe
        include Alba::Resource
        attributes :id, :name
      end
      class AlbaWhole
        include Alba::Resource
        attributes :id, :title, :score, :draft
        one :scribe, resource: AlbaScribe
      end
      class AlbaNote
        include Alba::Resource
        attributes :id, :title
        trait :full do
          attributes :score, :draft
          one :scribe, resource: AlbaScribe
        end
      end
      ALBA_SCRIBES = {Bench::Notes::Scribe => AlbaScribe, String => AlbaWhole}.freeze
      class AlbaMapped
        include Alba::Resource
        attributes :id, :title, :score, :draft
        attribute(:scribe) { |note| ALBA_SCRIBES[note.scribe.class].new(note.scribe).to_h }
      end
    RUBY
    "panko_serializer" => <<~RUBY,
      class PankoScribe < Panko::Serializer
        attributes :id, :name
      end
      class PankoNote < Panko::Serializer
        attributes :id, :title, :score, :draft
        has_one :scribe, serializer: PankoScribe
      end
    RUBY
    "oj_serializers" => <<~RUBY
      class OjScribe < Oj::Serializer
        attributes :id, :name
      end
      class OjNote < Oj::Serializer
        attributes :id, :title, :score, :draft
        has_one :scribe, serializer: OjScribe
      end
    RUBY
  }
  this_way, plain = "to_json, this way", "to_json, json!"
  shape_of = lambda do |leaves|
    fields = leaves.is_a?(Array) ? leaves.to_h { |name| [name, nil] } : leaves
    fields = fields&.transform_values { |inner| inner&.to_h { |name| [name.to_sym, nil] } }
    Bench::Shape.new(fields ? fields.transform_keys(&:to_sym) : Bench::Notes::FIELDS)
  end
  coder = {peer: "json", before: "coder = JSON::Coder.new"}

  Bench::Listed.tables(File.join(__dir__, "ways")).each do |way, spec|
    [false, *(true if spec["many"])].each do |many|
      table "#{way}#{", 100" if many}", quick: way == "view" && many do
        data { Bench::Notes.public_send(spec.fetch("data", many ? :many : :one)) }
        setup :ours, :control, ours
        gems.each { |peer, text| setup peer, text }
        shape, around = shape_of[spec["leaves"]], spec["around"]
        groups = many ? Bench::GROUPS - ["control"] : Bench::GROUPS # the bounds are of one object
        writers = spec.slice(*groups).transform_values do |contenders|
          contenders.transform_values do |one|
            {**one, "code" => many && one["many"] || one["code"]}.except("many")
          end
        end
        Bench::Listed.add(self, writers, {"HASH" => shape.hash})

        if spec["plain"] # what is written differs from call to call
          setup :ours, ours_of_kinds
          setup :hand, "HASHES = [#{hashes.join(", ")}].freeze"
          contender plain, :ours, code: spec["plain"]
          contender "Hash + JSON::Coder", :hand, **coder,
                    code: "coder.generate(HASHES[v.kind].call(v.note))"
        elsif around
          setup :ours, Bench::Gems.classes("Our", "Document", shape.fields)
          meta = around.include?("meta") ? {"meta" => {"total" => 2}} : {}
          contender plain, :ours, code: "OurDocument.json!(v)", differs: "nothing around",
                                  maps: ->(document) { {"note" => document, **meta} }
          contender "Hash + JSON::Coder", :hand, **coder,
                    code: "coder.generate(#{around.sub("HASH", shape.hash)})"
        else
          others = spec["leaves"] ? ["Jbuilder"] : ["Panko", "Alba", "oj_serializers", "Jbuilder"]
          named = spec.fetch("gem", {}).keys
          hash = way == "to_h"
          Bench::Gems.add(self, shape, many: ("note" if many), only: hash ? [] : others - named)
          Bench::Listed.hand(self, shape, many: ("note" if many)) unless hash
        end
        limit this_way, over: plain, at_most: spec["at_most"] if spec["at_most"]
        reach this_way, over: :hand, at_least: 1
        reach this_way, over: :gem, at_least: 4 if contenders.any? { |one| one.group == "gem" }
      end
    end
  end
end
