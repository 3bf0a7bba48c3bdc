# frozen_string_literal: true

# A fresh application of `rails new --api` in a temporary directory, with the gems of our Gemfile. A
# process keeps it loaded: each generator runs there, after what changed was loaded again.

require_relative "../test_helper"
require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "tmpdir"

class GeneratedApplication
  RAILS = begin
    Gem::Specification.find_by_name("railties")
  rescue Gem::MissingSpecError
    nil
  end
  ROOT = File.expand_path("../..", __dir__)
  # The application has a Gemfile of its own, which names gems that are not ours to install.
  ENVIRONMENT = { "BUNDLE_GEMFILE" =>
                    ENV.fetch("BUNDLE_GEMFILE") { File.join(ROOT, "Gemfile") }, "RAILS_ENV" => nil,
                    "DATABASE_URL" => nil,
                  "SECRET_KEY_BASE" =>
                    "0" * 64, "RUBYOPT" => ENV["RUBYOPT"].to_s.gsub(/-w\b/, "") }.freeze

  # Reads a line of JSON for each command, and answers one.
  SERVER = <<~'RUBY'
    $LOAD_PATH.unshift(ARGV[0])
    require "json"
    require "stringio"
    answers = $stdout.dup
    $stdout.reopen(File::NULL)
    require File.expand_path("config/environment")
    Rails.application.load_generators
    $stdin.each_line do |line|
      word, *arguments = JSON.parse(line)
      Rails.application.reloader.reload!
      text = StringIO.new
      answer =
        begin
          $stdout = $stderr = text
          case word
          when "eval" then Object.class_eval(arguments[0])
          else
            Rails::Generators.namespace = nil
            Rails::Generators.invoke(arguments.shift, arguments,
                                     behavior: word == "destroy" ? :revoke : :invoke,
                                     destination_root: Dir.pwd)
            text.string
          end
        rescue SystemExit, StandardError, ScriptError => error
          "#{text.string}#{error.class}: #{error.message}"
        ensure
          $stdout, $stderr = STDOUT, STDERR
        end
      answers.puts(JSON.generate([answer]))
      answers.flush
    end
  RUBY

  attr_reader :root

  def initialize(directory, options: [])
    run_ruby(directory, "-rbundler/setup", File.join(RAILS.full_gem_path, "exe", "rails"), "new",
             "blog", "--api", "--minimal", "--skip-git", "--skip-bundle",
             "--database=sqlite3", "--quiet", *options)
    @root = File.join(directory, "blog")
    configuration = File.join(@root, "config/application.rb")
    File.write(configuration,
               File.read(configuration).sub("Bundler.require(*Rails.groups)", 'require "to_json"'))
  end

  def start
    @input, @output,
    @process = Open3.popen2(ENVIRONMENT, RbConfig.ruby, "-rbundler/setup", "-e", SERVER,
                            File.join(ROOT, "lib"), chdir: @root)
    self
  end

  def stop
    @input&.close
    @process&.value
    @output&.close
    @input = nil
  end

  def restart
    stop
    start
  end

  # @return [String] what it printed
  def generate(*arguments) = ask("generate", *arguments)
  def destroy(*arguments) = ask("destroy", *arguments)

  # @return [Object] the value of Ruby code in the application, by way of JSON
  def evaluate(code) = ask("eval", code)

  def write(path, text)
    full = File.join(@root, path)
    FileUtils.mkdir_p(File.dirname(full))
    File.write(full, text)
  end

  def read(path) = File.read(File.join(@root, path))

  def exist?(path) = File.exist?(File.join(@root, path))

  def delete(*paths) = paths.each { |path| FileUtils.rm_rf(Dir[File.join(@root, path)]) }

  # @return [Hash{String => String}]
  def files
    Dir[File.join(@root, "{app,config,test,spec}/**/*.*")].to_h do |path|
      [path.delete_prefix("#{@root}/"), File.binread(path)]
    end
  end

  def run_ruby(directory, *arguments)
    output, errors,
    status = Open3.capture3(ENVIRONMENT, RbConfig.ruby, *arguments, chdir: directory,
                            stdin_data: "")
    raise "#{arguments.join(" ")} failed: #{errors}\n#{output}" unless status.success?

    output
  end

  private

  def ask(*command)
    @input.puts(JSON.generate(command))
    @input.flush
    line = @output.gets or raise "the application ended"
    JSON.parse(line).first
  end
end
