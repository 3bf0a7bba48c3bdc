# frozen_string_literal: true

# bin/fuzz classes: a share of it, and that it finds what it is for.

require_relative "../test_helper"
require_relative "../support/own_process"

class ClassesTest < ToJsonTest
  SHARE = Integer(ENV.fetch("TO_JSON_CLASSES", "600"))

  def said_of(count, planted = "")
    OwnProcess.run(<<~RUBY, arguments: [File.join(Project::ROOT, "test")])
      $LOAD_PATH.unshift(ARGV.shift)
      require "fuzz/classes/command"
      #{planted}
      print Classes::Command.run(["--seed", "1", "--count", "#{count}"])
    RUBY
  end

  test "classes that come and go write their own documents under every collector" do
    said = said_of(SHARE)
    assert said.end_with?("true"), said
    %w[stress minor compact ractors].each do |collector|
      assert_match(/^#{collector}: \d+ classes$/, said)
    end
  end

  test "a document of another class is found, and what repeats it is said" do
    planted = <<~'RUBY'
      Classes::Kinds::ALL["a block"].singleton_class.prepend(Module.new do
        def call(n) = super(n == 91 ? 92 : n).tap { |made| made.expect.sub!("92", "91") }
      end)
    RUBY
    said = said_of(SHARE, planted)
    assert said.end_with?("false"), said
    assert_match(/a block of turn 91: \{"block_92":92\} instead of/, said)
    assert_match(/bin\/fuzz classes --collector \w+ --seed 1 --count \d+/, said)
  end

  test "a crash is found" do
    planted = <<~'RUBY'
      Classes::Kinds::ALL["an instance"].singleton_class.prepend(Module.new do
        def call(n) = n > 40 ? Process.kill(:KILL, Process.pid) : super
      end)
    RUBY
    said = said_of(SHARE, planted)
    assert said.end_with?("false"), said
    assert_match(/the process ended: .*SIGKILL/, said)
  end
end
