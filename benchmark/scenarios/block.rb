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
  # The least of a block's receiver by Ruby's public API: a Proc, its Binding, an object, and the
  # ten instance variables set there and compared once, by straight Ruby.
  names = people::OURS.fields.keys.map(&:to_s) + %w[request response params number]
  variables = names.map { |variable| "@#{variable}" }
  least = <<~RUBY
    class BenchPage
      def least(&block)
        from, copy = block.binding.receiver, Copy.allocate
        from.read_into(copy)
        copy.same_as?(from)
      end
      def read_into(copy) = copy.fill(#{variables.join(", ")})
      def same?(#{names.join(", ")}) = #{names.map { |n| "@#{n}.equal?(#{n})" }.join(" && ")}

      class Copy < BenchPage
        def fill(#{names.join(", ")})
          #{names.map { |variable| "@#{variable} = #{variable}" }.join("; ")}
        end
        def same_as?(from) = from.same?(#{variables.join(", ")})
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
      call = "PageSerializer.json!(#{arguments.map { |argument| "@#{argument}" }.join(", ")})"
      serializer = "class PageSerializer < ToJson::Serializer\n" \
                   "def serialize(#{arguments.join(", ")})\n#{words}\nend\nend\n"
      by["to_json, class", :ours, "class", call, serializer, objects: 2]
      by["Hash + JSON::Coder", :hand, "coder", "CODER.generate(#{text.hash("@")})",
         "CODER = JSON::Coder.new\n", peer: "json"]
      by["Jbuilder", :gem, "jbuilder", "Jbuilder.encode do |json|\n#{text.words("@")}\nend",
         peer: "jbuilder"]
      # The block is made and never runs.
      by["lower bound, public API", :control, "least",
         "least do\n#{ours.put("@")}\nend\n#{call}", "require \"to_json\"\n#{least}#{serializer}"]

      reach "to_json, block", over: "Jbuilder", at_least: 4
      limit "to_json, block", over: "to_json, class", at_most: times
    end
  end
end
