# frozen_string_literal: true

# Ways in which another library keeps a method before which a hook stands, and replaces it.
module HookMethodsForms
  JSON = {
    "a Method object of JSON.generate" => <<~'RUBY',
      kept = JSON.method(:generate)
      JSON.define_singleton_method(:generate) { |*given| "new #{kept.call(*given)}" }
      [JSON.generate([1]), kept.call([1], { space: " " }), kept.call([1], JSON::State.new)]
    RUBY
    "a Method object of JSON.pretty_generate" => <<~'RUBY',
      kept = JSON.method(:pretty_generate)
      JSON.define_singleton_method(:pretty_generate) { |*given| "new #{kept.call(*given)}" }
      [JSON.pretty_generate([1]), JSON.generate([1])]
    RUBY
    "a Method object of JSON.dump" => <<~'RUBY',
      kept = JSON.method(:dump)
      JSON.define_singleton_method(:dump) { |*given| "new #{kept.call(*given)}" }
      [JSON.dump([Float::NAN]), kept.call([1], StringIO.new).string]
    RUBY
    "an UnboundMethod" => <<~'RUBY',
      kept = JSON.singleton_class.instance_method(:generate)
      JSON.define_singleton_method(:generate) { |*given| "new #{kept.bind_call(self, *given)}" }
      JSON.generate([1])
    RUBY
    "an UnboundMethod that is defined again" => <<~'RUBY',
      kept = JSON.singleton_class.instance_method(:generate)
      def JSON.generate(*) = "new"
      replaced = JSON.generate([1])
      JSON.singleton_class.define_method(:generate, kept)
      [replaced, JSON.generate([1])]
    RUBY
    "an alias of its own name" => <<~'RUBY',
      class << JSON
        alias generate generate
        alias_method :dump, :dump
      end
      [JSON.generate([1]), JSON.dump([1])]
    RUBY
    "alias_method" => <<~'RUBY',
      class << JSON
        %i[generate pretty_generate dump].each do |name|
          alias_method :"old_#{name}", name
          define_method(name) { |*given| "new #{send(:"old_#{name}", *given)}" }
        end
      end
      [JSON.generate([1]), JSON.old_generate([1]), JSON.pretty_generate([1]), JSON.dump([1])]
    RUBY
    "an alias of an alias" => <<~'RUBY',
      class << JSON
        alias first generate
        def generate(*given) = "new #{first(*given)}"
        alias second generate
        def generate(*given) = "newer #{second(*given)}"
      end
      [JSON.generate([1]), JSON.second([1]), JSON.first([1])]
    RUBY
    "alias_method_chain" => <<~'RUBY',
      class << JSON
        def generate_with_new(*given) = "new #{generate_without_new(*given)}"
        alias_method :generate_without_new, :generate
        alias_method :generate, :generate_with_new
      end
      [JSON.generate([1]), JSON.generate_without_new([1])]
    RUBY
    "an alias of another method" => <<~'RUBY',
      class << JSON
        alias generate pretty_generate
      end
      [JSON.generate({ a: 1 }), JSON.pretty_generate({ a: 1 })]
    RUBY
    "Minitest's stub" => <<~'RUBY',
      require "minitest/mock"
      stubbed = JSON.stub(:generate, "stub") { JSON.generate([1]) }
      [stubbed, JSON.generate([1]), JSON.generate([1/3r], { space: " " }),
       JSON.stub(:generate, ->(*given) { given.inspect }) { JSON.generate([1]) },
       JSON.generate([1])]
    RUBY
    "remove_method" => <<~'RUBY',
      class << JSON
        alias old generate
        remove_method :generate
      end
      [(JSON.generate([1]) rescue $!.class), JSON.old([1])]
    RUBY
    "undef_method" => <<~'RUBY',
      class << JSON
        undef_method :generate
      end
      [(JSON.generate([1]) rescue $!.class), JSON.dump([1])]
    RUBY
    "a prepended module, then a Method object" => <<~'RUBY',
      kept = JSON.method(:generate)
      JSON.singleton_class.prepend(Module.new { def generate(*) = "before #{super}" })
      JSON.define_singleton_method(:generate) { |*given| "new #{kept.call(*given)}" }
      JSON.generate([1])
    RUBY
    "a copy of JSON" => <<~'RUBY',
      [JSON.dup, JSON.clone].map do |copy|
        def copy.more = 1
        class << copy
          alias old generate
          def generate(*given) = "new #{old(*given)}"
        end
        [copy.more, copy.generate([1]), copy.dump([1]), JSON.generate([1])]
      end
    RUBY
    "threads that are within calls" => <<~'RUBY',
      stop = false
      threads = Array.new(4) do
        Thread.new do
          texts = []
          begin
            texts.push(JSON.generate([1])).uniq!
          end until stop
          texts
        end
      end
      sleep 0.02
      kept = JSON.method(:generate)
      JSON.define_singleton_method(:generate) { |*given| kept.call(*given) }
      sleep 0.02
      stop = true
      threads.flat_map(&:value).uniq
    RUBY
    "another Ractor" => <<~'RUBY'
      class << JSON
        alias old generate
        def generate(*given) = "new #{old(*given)}"
      end
      Ractor.new { [JSON.generate([1]), JSON.old([1]), JSON.pretty_generate([1])] }.value
    RUBY
  }.freeze
  OJ = {
    "a Method object of Oj.dump" => <<~'RUBY',
      kept = Oj.method(:dump)
      Oj.define_singleton_method(:dump) { |*given| "new #{kept.call(*given)}" }
      [Oj.dump([1], mode: :compat), Oj.dump([1]), kept.call([1], mode: :strict)]
    RUBY
    "alias_method and Oj.dump" => <<~'RUBY',
      class << Oj
        alias_method :old, :dump
        def dump(*given) = "new #{old(*given)}"
      end
      [Oj.dump([1], mode: :compat), Oj.old([1], mode: :compat)]
    RUBY
    "an alias of its own name and Oj.dump" => <<~'RUBY',
      class << Oj
        alias dump dump
      end
      [Oj.dump([1], mode: :compat), Oj.dump({ a: :b })]
    RUBY
    "Minitest's stub of Oj.dump" => <<~'RUBY',
      require "minitest/mock"
      stubbed = Oj.stub(:dump, "stub") { Oj.dump([1]) }
      [stubbed, Oj.dump([1], mode: :compat), Oj.dump({ a: :b })]
    RUBY
    "undef_method and Oj.dump" => <<~'RUBY',
      kept = Oj.method(:dump)
      class << Oj
        undef_method :dump
      end
      [(Oj.dump([1]) rescue $!.class), kept.call([1], mode: :compat)]
    RUBY
    "a copy of Oj" => <<~'RUBY'
      copy = Oj.dup
      def copy.more = 1
      [copy.more, copy.dump([1], mode: :compat), Oj.dump([1], mode: :compat)]
    RUBY
  }.freeze
end
