# frozen_string_literal: true

require "test_helper"
require "support/own_process"
require "support/ways_out"

# Values of Rails' own classes have the form that Rails gives them; models are refused.
if Without.library?("active_model") && Without.library?("active_support/all")
  class RailsValuesTest < ToJsonTest
    class Person
      include ActiveModel::Model
      attr_accessor :name

      validates :name, presence: true
      def self.name = "Person"
    end

    def errors(**attributes) = Person.new(**attributes).tap(&:valid?).errors

    test "ActiveModel::Errors are their messages by attribute, and an empty object for none" do
      { errors => '{"name":["can\'t be blank"]}', errors(name: "Ann") => "{}" }.each do |given, due|
        assert_equal due, given.to_json
        assert_document(due) { |**out| ToJson.generate(given, **out) }
        assert_document(%({"errors":#{due}})) { |**out| ToJson.generate({ errors: given }, **out) }
        assert_document(%({"errors":#{due}})) do |**out|
          ToJson.json(**out) { |j| j.put :errors, given }
        end
        type = Class.new(ToJson::Serializer) { attributes :errors }
        assert_serializer %({"errors":#{due}}), type, Struct.new(:errors).new(given)
      end
    end

    test "a block, or an association, still gets each error" do
      text = ToJson.json do |j|
        j.put(:errors, errors) { |error| j.put(at: error.attribute, is: error.type) }
      end
      assert_equal '{"errors":[{"at":"name","is":"blank"}]}', text
      type = Class.new(ToJson::Serializer) { has_many(:errors) { attributes :attribute, :message } }
      assert_equal %({"errors":[{"attribute":"name","message":"can't be blank"}]}),
                   type.json!(Struct.new(:errors).new(errors))
    end

    test "a Duration is its seconds" do
      { 3.days => "259200", 1.5.seconds => "1", 1.month => "2629746" }.each do |given, due|
        assert_equal due, given.to_json
        assert_document("[#{due}]") { |**out| ToJson.generate([given], **out) }
      end
    end

    test "models are still refused, inside errors too" do
      error = assert_raises(ToJson::SerializerNotFound) { ToJson.generate({ person: Person.new }) }
      assert_match(/\$\.person: .*Person is a model/, error.message)
      assert_raises(ToJson::UnsupportedTypeError) { ToJson.generate([errors.first]) }
    end

    # What ActiveStorage's proxies are for serializers: whatever they do not know is the
    # attachment's.
    ATTACHED = <<~RUBY
      module ActiveStorage
        class Attached
          class One < Attached
            def initialize(attachment) = @attachment = attachment
            def attached? = !@attachment.nil?
            def blank? = !attached?
            def respond_to_missing?(...) = @attachment.respond_to?(...)
            def method_missing(name, ...) = @attachment&.public_send(name, ...)
          end
        end
      end
      Row = Struct.new(:id, :avatar)
      inline = Class.new(ToJson::Serializer) do
        attributes :id
        has_one(:avatar) { attributes :filename }
      end
      skipped = Class.new(ToJson::Serializer) do
        attributes :id
        has_one(:avatar, skip_nil: true) { attributes :filename }
      end
      named = Class.new(ToJson::Serializer) { attributes :filename }
      other = Class.new(ToJson::Serializer) do
        attributes :id
        has_one :avatar, serializer: named, if: -> { true }
      end
      told = Class.new(ToJson::Serializer) do
        attributes :id
        has_one :avatar, serializer: ->(_) { named }
      end
      plain = Class.new(ToJson::Serializer) { attributes :id, :avatar }
      none = ActiveStorage::Attached::One.new(nil)
      one = ActiveStorage::Attached::One.new(Struct.new(:filename).new("a.png"))
      [inline, other, told].each do |type|
        puts type.json!(Row.new(1, none)), type.json!(Row.new(1, one)),
             type.json!([Row.new(1, none)])
      end
      puts skipped.json!(Row.new(1, none)), skipped.json!(Row.new(1, one))
      puts plain.json!(Row.new(1, none)), (plain.json!(Row.new(1, one)) rescue $!.message)
      puts ToJson.generate([none]), (ToJson.generate([one]) rescue $!.message)
    RUBY

    test "an attachment without a file is nil, and one with a file says what to put" do
      with = '{"id":1,"avatar":{"filename":"a.png"}}'
      without = '{"id":1,"avatar":null}'
      due = [without, with, "[#{without}]"] * 3 + ['{"id":1}', with, without]
      lines = OwnProcess.run(ATTACHED).lines(chomp: true)
      assert_equal due, lines.first(due.size)
      refused, none, again = lines.drop(due.size)
      assert_operator refused, :start_with?,
                      "$.avatar: ActiveStorage::Attached::One has no JSON form. It is an " \
                      "attachment: put its filename"
      assert_equal "[null]", none
      assert_match(/\A\$\[0\]: ActiveStorage::Attached::One has no JSON form\. It is an attachment/,
                   again)
    end
  end
end
