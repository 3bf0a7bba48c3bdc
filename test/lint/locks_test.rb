# frozen_string_literal: true

# The library takes no lock of its own, so there is no order of locks that two threads could take in
# two ways, and no user code or file that runs under one. This records what is acquired while
# classes are compiled, found by name, autoloaded and changed.

require_relative "../test_helper"
require_relative "../support/own_process"
require "tmpdir"

class LocksTest < ToJsonTest
  test "no source of the library names a lock" do
    named = Project.files("lib/**/*.rb", "ext/**/*.{c,h}").select do |path|
      code = Project.read(path).lines.reject { |line| line.match?(%r{\A\s*(#|/?\*|//)}) }.join
      code.match?(/\b(Mutex|Monitor|MonitorMixin|ConditionVariable)\b(?!,)|
                   \b(rb_mutex_\w+|rb_nativethread_lock_t|pthread_mutex_\w+)\b/x) &&
        !path.end_with?("own_methods.rb")
    end
    assert_empty(named)
  end

  RECORDED = <<~'RUBY'
    # Which locks a Thread holds, and the pairs (held, acquired) of the places that took them.
    class Acquisitions
      TAKING = %i[lock synchronize enter mon_enter mon_synchronize].freeze
        GIVING = %i[unlock exit mon_exit synchronize mon_synchronize].freeze

        def initialize(&ours)
          @ours = ours
          @held = Hash.new { |all, thread| all[thread] = [] }
          @pairs = []
        end

      def record(&)
        taken = TracePoint.new(:c_call, :c_return) do |event|
          next unless Thread::Mutex === event.self || Monitor === event.self
          held = @held[Thread.current]
            # Whose code takes it, not this recorder's.
            place = caller_locations.map(&:path).find { |path| path != "-e" }
          place = nil unless place && @ours.call(place)
          if event.event == :c_call && TAKING.include?(event.method_id)
            held.each { |other| @pairs << [other, place] } if place
            held << place if place
            elsif event.event == :c_return && GIVING.include?(event.method_id)
            held.pop
          end
        end
        taken.enable(&)
        self
      end

      def count = @pairs.size + @held.values.sum(&:size)

      def cycle?
        after = @pairs.group_by(&:first).transform_values { |pairs| pairs.map(&:last) }
          reach = lambda do |from, to, seen|
            (after[from] || []).any? do |one|
              one == to || (!seen.include?(one) && reach.(one, to, seen | [one]))
            end
          end
        after.keys.any? { |one| after[one].any? { |other| one != other && reach.(other, one, []) } }
      end
    end
  RUBY

  # With RubyGems, whose `require` takes a lock.
  def recorded(directory, script)
    OwnProcess.run(RECORDED + script, rubygems: true, arguments: [directory])
  end

  test "what is recorded of a planted cycle is a cycle" do
    Dir.mktmpdir do |directory|
      { "a" => "b", "b" => "a" }.each do |one, other|
        File.write(File.join(directory, "#{one}.rb"),
                   "def #{one}(then_other = true) = ($#{one} ||= Mutex.new).synchronize { " \
                   "#{other}(false) if then_other }\n")
      end
      assert_equal("true\n", recorded(directory, <<~'RUBY'))
        %w[a b].each { |name| require "#{ARGV[0]}/#{name}" }
        found = Acquisitions.new { |path| path.start_with?(ARGV[0]) }.record { a; b }
        p found.cycle?
      RUBY
    end
  end

  test "nothing is acquired by a compile, a lookup, an autoload, a change of a class or a " \
       "document" do
    Dir.mktmpdir do |directory|
      File.write(File.join(directory, "lazy.rb"),
                 "class LazySerializer < ToJson::Serializer\n  attributes :id\n  compile!\nend\n")
      assert_equal("0 false\n", recorded(directory, <<~'RUBY'))
        ToJson.eager_load!
        autoload :LazySerializer, "#{ARGV[0]}/lazy.rb"
        ours = File.dirname(ToJson.method(:compile!).source_location.first)
        row = { id: 1, lazy: { id: 2 } }
        found = Acquisitions.new { |path| path.start_with?(ours) }.record do
          owner = Class.new(ToJson::Serializer) do
            attributes :id
            attribute(:twice) { |o| o[:id] * 2 }
            has_one :lazy, serializer: "LazySerializer"
            view(:full) { attributes :lazy }
            cache key: :id, store: {}
          end
          3.times do
            owner.json!(row)
            owner.json!([row], only: [:id])
            owner.json!(row, view: :full)
          end
          owner.class_eval { attribute :more, source: :id }
          owner.json!(row)
          own = Class.new(ToJson::Serializer) { def serialize(o) = put_fields(o, :id, :lazy) }
          40.times { own.json!(row); own.new.json!(row) }
          own.class_eval { def serialize(o) = put(:x, o[:id]) }
          own.json!(row)
          ToJson::Serializer.json!(row) { |o| put :id, o[:id] }
          ToJson.compile!
        end
        puts "#{found.count} #{found.cycle?}"
      RUBY
    end
  end
end
