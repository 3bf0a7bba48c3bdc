# frozen_string_literal: true

require_relative "../data/people"

# The documents of scenarios 1 and 2, written by blocks inside methods of an object with ten
# instance variables, as in a Rails controller.
Bench.scenario 3, "block", "small and complex object, block DSL" do
  people = Bench::People
  page = <<~RUBY
    # Six of the instance variables are the person's.
    class BenchPage
      def initialize(person, number)
        #{people::OURS.fields.keys.map { |name| "@#{name} = person.#{name}" }.join("\n    ")}
        @request, @response, @params, @number = Object.new, Object.new, {id: number}, number
      end
    end
  RUBY
  # Their shapes for us and for others, what json! of the class form takes, and the class form's
  # words; and at most how many times its time the block form has.
  documents = {
    "address" => [people::ADDRESS, people::ADDRESS, [], people::ADDRESS.put, 3],
    "person" => [people::OURS, people::TEXT, people::OURS.fields.keys, people::OURS.put(""), 1.6]
  }

  documents.each do |name, (ours, text, arguments, words, times)|
    table name do
      data do
        Object.class_eval(page)
        people.all.map.with_index { |person, index| BenchPage.new(person, index) }
      end

      # Each contender is a method of the page.
      by = lambda do |contender, group, method, code, first = "", **more|
        setup contender, "#{first}class BenchPage\ndef by_#{method}\n#{code}\nend\nend"
        contender contender, group, code: "v.by_#{method}", **more
      end
      by["to_json, block", :ours, "block",
         "ToJson::Serializer.json! do\n#{ours.put("@")}\nend", objects: 6]
      by["to_json, class", :ours, "class",
         "PageSerializer.json!(#{arguments.map { |argument| "@#{argument}" }.join(", ")})",
         "class PageSerializer < ToJson::Serializer\ndef serialize(#{arguments.join(", ")})\n" \
         "#{words}\nend\nend\n", objects: 2]
      by["Hash + JSON::Coder", :hand, "coder", "CODER.generate(#{text.hash("@")})",
         "CODER = JSON::Coder.new\n", peer: "json"]
      by["Jbuilder", :gem, "jbuilder", "Jbuilder.encode do |json|\n#{text.words("@")}\nend",
         peer: "jbuilder"]

      reach "to_json, block", over: "Jbuilder", at_least: 4
      limit "to_json, block", over: "to_json, class", at_most: times
    end
  end
end
