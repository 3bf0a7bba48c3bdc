# frozen_string_literal: true

# Classes. What comes and goes: each kind is a serializer that nobody else has, with names that tell
# whose document it is.

module Classes
  # Something that writes documents, and the document that it alone may write.
  Made = Struct.new(:call, :expect) do
    # @return [String, nil]
    def wrong
      got = call.call
      "#{got} instead of #{expect}" unless got == expect
    end
  end

  # Made anew for each number. Symbols are dynamic: they come from a String, and may be collected.
  module Kinds
    def self.symbol(number, name) = "#{name}_#{number}".to_sym

    ALL = {
      "plain attributes" => lambda { |n|
        made = Class.new(ToJson::Serializer) { attributes :id, id: Kinds.symbol(n, "plain") }
        Made.new(-> { made.json!(ROW) }, %({"id":1,"plain_#{n}":1}))
      },
      "a block" => lambda { |n|
        made = Class.new(ToJson::Serializer) { attribute(Kinds.symbol(n, "block")) { |_| n } }
        Made.new(-> { made.json!(ROW) }, %({"block_#{n}":#{n}}))
      },
      "an association and a Mask" => lambda { |n|
        made = Class.new(ToJson::Serializer) do
          attributes :id
          has_one(Kinds.symbol(n, "inner"), source: :itself) { attributes :id }
        end
        Made.new(-> { made.json!([ROW], only: "inner_#{n}") }, %([{"inner_#{n}":{"id":1}}]))
      },
      "a serialize of its own" => lambda { |n|
        made = Class.new(ToJson::Serializer) do
          define_method(:serialize) { |row| put(Kinds.symbol(n, "own"), row.id) }
        end
        Made.new(-> { made.json!(ROW) }, %({"own_#{n}":1}))
      },
      "an instance" => lambda { |n|
        made = Class.new(ToJson::Serializer) { attributes id: Kinds.symbol(n, "kept") }.new(ROW)
        Made.new(-> { made.json! }, %({"kept_#{n}":1}))
      },
      "the module form" => lambda { |n|
        made = Class.new do
          include ToJson::Serialize
          define_method(:serialize) { put(Kinds.symbol(n, "module"), n) }
        end.new
        Made.new(-> { made.json! }, %({"module_#{n}":#{n}}))
      },
      "the block form of a class" => lambda { |n|
        caller = Class.new do
          define_method(:write) { ToJson::Serializer.json! { put(Kinds.symbol(n, "form"), here) } }
        end
        caller.define_method(:here) { n }
        made = caller.new
        Made.new(-> { made.write }, %({"form_#{n}":#{n}}))
      },
      "put_fields and keys of a Hash" => lambda { |n|
        row = { Kinds.symbol(n, "key") => n, id: 1 }
        Made.new(-> {
          ToJson.json { |j| j.put_fields row, Kinds.symbol(n, "key"), :id } + ToJson.generate(row)
        },
                 %({"key_#{n}":#{n},"id":1}) * 2)
      },
      "a class with Rules and convert:" => lambda { |n|
        type = Struct.new(:value)
        made = Class.new(ToJson::Serializer) do
          rules convert: { type => ->(_) { "converted #{n}" } }
          attribute(Kinds.symbol(n, "rule")) { |_| type.new(n) }
        end
        Made.new(-> { made.json!(ROW) }, %({"rule_#{n}":"converted #{n}"}))
      }
    }.freeze

    ROW = Struct.new(:id).new(1).freeze
  end
end
