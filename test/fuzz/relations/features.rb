# frozen_string_literal: true

# Fuzz. What a model may have beside its columns and associations. A feature is lines of a class
# body; `reads` are getters that it adds. Those of PLAIN leave rows possible, those of MODELS need
# models, or so it is thought: the fuzzer compares documents only.

module Fuzz
  module Relations
    # A name of the catalogue, the lines, and the getters.
    Feature = Struct.new(:name, :lines, :reads)

    # Draws features for a model.
    class Features
      PLAIN = %i[alias_attribute enum attribute serialize encrypts ignored_columns normalizes
                 no_time_zone skip_time_zone custom_type default harmless many_aliases
                 enum_of_text].freeze
      MODELS = %i[default_scope after_find after_initialize getter prepended included defined
                  private_getter store_accessor store composed_of virtual instantiate find_by_sql
                  init_with_attributes allocate read_attribute delegate strict_loading
                  undefined aliased_getter lazy_module inherited_getter brackets
                  method_missing].freeze
      ALL = (PLAIN + MODELS).freeze
      # These name a column that the class must have.
      NAMING = %i[alias_attribute many_aliases enum enum_of_text inherited_getter].freeze

      def initialize(dice, columns)
        @dice = dice
        @columns = columns
        @fresh = 0
      end

      # @return [Array<Feature>]
      def draw
        plain = Array.new(@dice.pick([0, 1, 1, 2, 2, 3])) { @dice.pick(PLAIN) }
        models = Array.new(@dice.pick([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])) { @dice.pick(MODELS) }
        drawn = (plain + models).uniq
        drawn -= NAMING if drawn.include?(:ignored_columns)
        drawn.filter_map do |name|
          made = send(name) or next
          lines, reads = made
          Feature.new(name, Array(lines), Array(reads))
        end
      end

      private

      # One of these families, or of any; nil if there is none.
      def column(*families)
        fit = families.empty? ? @columns : @columns.select { |one| families.include?(one.family) }
        @dice.pick(fit).name unless fit.empty?
      end

      def symbol(name) = ":\"#{name}\""

      def text = column(:string, :text)

      # Another one each time, since two enums of a model must not define the same methods.
      def fresh = "x#{@dice.below(1000)}_#{@fresh += 1}"

      # A column of which no method that an enum makes is one of ActiveRecord's: `values` is one.
      def for_enum(*families)
        found = column(*families)
        found unless found == "value"
      end

      # A getter's name that `def` takes.
      def plain_name
        names = @columns.map(&:name).grep(/\A[a-z]\w*\z/)
        @dice.pick(names) unless names.empty?
      end

      def alias_attribute
        name = fresh
        ["alias_attribute :#{name}, #{symbol(column)}", name]
      end

      def many_aliases
        name = fresh
        [["alias_attribute :#{name}, #{symbol(column)}", "alias_attribute :id_too, :id"],
         [name, "id_too"]]
      end

      def enum
        found = for_enum(:integer, :small, :bigint, :tiny) or return
        names = @dice.pick(["{ low: 0, high: 1, top: 7 }, prefix: :#{fresh}",
                            "%i[none some], suffix: :#{fresh}", "{ low: 0, high: 1 }, prefix: true",
                            "{ low: 0, high: 1 }, suffix: :#{fresh}, default: :high"])
        "enum #{symbol(found)}, #{names}"
      end

      def enum_of_text
        found = for_enum(:string, :choice, :mood) or return
        ["enum #{symbol(found)}, { aa: \"a\", bb: \"b\", sad: \"sad\" }, prefix: :#{fresh}"]
      end

      def attribute
        type = @dice.pick(%w[:string :integer :float :decimal :boolean :date :datetime :big_integer
                             :immutable_string :binary :json :time]
                             .push(":decimal, precision: 6, scale: 1", ":integer, limit: 1",
                                   ":datetime, precision: 0", ":time, precision: 2"))
        "attribute #{symbol(column)}, #{type}"
      end

      def custom_type
        type = @dice.pick(%w[Shout Wrapped Picky Lazy])
        "attribute #{symbol(column)}, Fuzz::Relations::#{type}.new"
      end

      def default = "attribute #{symbol(column)}, default: -> { \"d\" }"

      def serialize
        found = text or return
        how = @dice.pick(["coder: JSON", "coder: Fuzz::Relations::Coder",
                          "type: Array, coder: Fuzz::Relations::ListCoder", "coder: YAML"])
        "serialize #{symbol(found)}, #{how}"
      end

      def encrypts
        found = text or return
        "encrypts #{symbol(found)}#{@dice.pick(["", ", deterministic: true", ", downcase: true"])}"
      end

      def ignored_columns = "self.ignored_columns += [\"#{column}\"]"

      def normalizes
        found = text or return
        "normalizes #{symbol(found)}, with: ->(text) { text.strip }"
      end

      def no_time_zone = "self.time_zone_aware_attributes = false"

      def skip_time_zone
        found = column(:datetime, :stamp, :timestamptz) or return
        "self.skip_time_zone_conversion_for_attributes = [#{symbol(found)}]"
      end

      def harmless
        @dice.pick(["validates :id, presence: true", "before_save { throw :abort }",
                    "scope :some, -> { where(id: 1) }", "def helper = 1", "attr_accessor :memo",
                    "include Module.new { def helper_of_module = 1 }", "after_commit { nil }",
                    "prepend Module.new { def save(...) = super }",
                    "def self.helper = 1", "self.record_timestamps = false",
                    "self.implicit_order_column = \"id\"", "has_secure_token #{symbol(column)}"])
      end

      def default_scope
        @dice.pick(["default_scope { order(:id) }", "default_scope { where.not(id: 2) }",
                    "default_scope { where(\"1 = 1\") }", "default_scope { order(id: :desc) }",
                    "default_scope { limit(2) }", "default_scope { select(:id) }",
                    "default_scope { where(id: 2..) }", "default_scope { where(\"id <> 2\") }",
                    "default_scope { where(id: 1).or(where(id: 3)) }"])
      end

      def after_find
        @dice.pick(["after_find { @seen = true }",
                    "after_find { self[#{symbol(column)}] = nil }"])
      end

      def after_initialize
        @dice.pick(["after_initialize { @seen = true }",
                    "after_initialize :ready\ndef ready = self[#{symbol(column)}] = nil",
                    "after_initialize { define_singleton_method(:id) { 99 } }"])
      end

      def getter
        name = plain_name or return
        "def #{name} = #{@dice.pick(["\"own \#{super}\"", "self[:#{name}]", "super", "nil",
                                     "\"own\"", "read_attribute(:#{name})"])}"
      end

      def prepended
        name = plain_name or return
        "prepend Module.new { def #{name} = [super] }"
      end

      def included
        name = plain_name or return
        "include Module.new { def #{name} = [super] }"
      end

      def lazy_module
        name = plain_name or return
        "define_attribute_methods\nextend Module.new\n" \
          "ancestors[1].send(:include, Module.new { def #{name} = [super] })"
      end

      def defined = "define_method(#{symbol(column)}) { \"defined\" }"

      # Other features may have taken the column away.
      def private_getter = changed_getter { |name| "#{@dice.pick(%w[private protected])} #{name}" }
      def undefined = changed_getter { |name| "undef_method #{name}" }

      def aliased_getter
        changed_getter { |name| "alias_method :old, #{name}; define_method(#{name}) { [old] }" }
      end

      def changed_getter
        name = symbol(column)
        "define_attribute_methods\n(#{yield name}) if method_defined?(#{name})"
      end

      # The class above every model of a world; see World.
      def inherited_getter = ["alias_attribute :above, #{symbol(column)}", "above"]

      def store_accessor
        found = column(:json, :jsonb, :hstore) or return
        ["store_accessor #{symbol(found)}, :color, prefix: :my", "my_color"]
      end

      def store
        found = text or return
        ["store #{symbol(found)}, accessors: [:hue], coder: Fuzz::Relations::HashCoder", "hue"]
      end

      def composed_of
        ["composed_of :pair, class_name: \"Fuzz::Relations::Pair\", " \
         "mapping: { #{symbol(column)} => :left, id: :right }, allow_nil: true", "pair"]
      end

      def virtual
        ["attribute :virtual, :#{@dice.pick(%w[string integer json])}, default: \"12\"", "virtual"]
      end

      def instantiate
        @dice.pick(["def self.instantiate(row, *rest) = super(row.merge(\"id\" => 77), *rest)",
                    "def self.instantiate(...) = super",
                    "def self.instantiate_instance_of(klass, row, *rest, &) =\n" \
                    "  super(klass, row.merge(\"id\" => 78), *rest, &)\n" \
                    "private_class_method :instantiate_instance_of"])
      end

      def find_by_sql
        "def self.find_by_sql(...) = super.each { |one| one.id = 5 }\n" \
          "def self._query_by_sql(...) = super"
      end

      def init_with_attributes
        "def init_with_attributes(...) = super.tap { |one| one[#{symbol(column)}] = nil }"
      end

      def allocate = "def self.allocate = super.tap { |one| one.instance_variable_set(:@x, 1) }"

      def read_attribute
        @dice.pick(["def _read_attribute(name, &) = super.to_s", "def read_attribute(name) = 1"])
      end

      def brackets = "def [](name) = \"brackets\""
      def method_missing = "def method_missing(name, *) = \"missing\""

      def delegate
        name = plain_name or return
        "delegate :#{name}, to: :class\ndef self.#{name} = \"of the class\""
      end

      def strict_loading
        @dice.pick(["self.strict_loading_by_default = true",
                    "self.strict_loading_by_default = true\n" \
                    "self.strict_loading_mode = :n_plus_one_only " \
                    "if respond_to?(:strict_loading_mode=)"])
      end
    end
  end
end
