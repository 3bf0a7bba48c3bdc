# frozen_string_literal: true

# Runs each of HookMethodsForms in a process with the hook, and in one without: run by
# hook_methods_test.rb under the Gemfile of each line of json. Writes a Marshal of
# {version:, forms: {name => [what it says without the hook, and with it]}}

LIBRARY = File.expand_path("../../lib", __dir__)
$LOAD_PATH.unshift(LIBRARY)
require "json"
require "stringio"
require "timeout"
require "to_json"
require_relative "../support/ractor_value"
require_relative "hook_methods_forms"

answer = $stdout.dup.binmode
$stdout.reopen($stderr)
Warning[:experimental] = false
WARNED = [] # rubocop:disable Style/MutableConstant
Warning.singleton_class.prepend(Module.new { def warn(message, **) = WARNED << message })

# What the form gives, and warnings that name our files.
said = lambda do |code, hook|
  reader, writer = IO.pipe
  child = fork do
    $VERBOSE = true
    require hook if hook
    got = begin
      Timeout.timeout(30) { eval(code, TOPLEVEL_BINDING.dup, "form") }
    rescue SystemStackError, StandardError => error
      error.class
    end
    writer.write(Marshal.dump([got, WARNED.grep(/#{LIBRARY}/)]))
    writer.close
    exit!
  end
  writer.close
  text = reader.read
  Process.wait(child)
  text.empty? ? "nothing" : Marshal.load(text)
end
forms = HookMethodsForms::JSON.to_h do |name, code|
  [name, [said.call(code, nil), said.call(code, "to_json/json")]]
end
if ARGV.first == "oj"
  HookMethodsForms::OJ.each do |name, code|
    code = "require 'oj'\n#{code}"
    forms[name] = [said.call(code, nil), said.call(code, "to_json/oj")]
  end
end
answer.write(Marshal.dump({ version: JSON::VERSION, forms: forms }))
