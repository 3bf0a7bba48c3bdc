# frozen_string_literal: true

# A fresh application of `rails new --api` in a temporary directory, with the gems of our Gemfile. A
# process keeps it loaded: each generator runs there, after what changed was loaded again. It is a
# fork of a process that has required what the application requires first, in its order, which is
# most of the time of a start.

require_relative "../test_helper"
require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "socket"
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

  # Requires what ARGV names. For each directory on the socket of descriptor 3, and the input and
  # output that come behind it, a fork runs SERVER there.
  FORKS = <<~'RUBY'
    $LOAD_PATH.unshift(ARGV.shift)
    server = ARGV.shift
    require "json"
    require "socket"
    require "stringio"
    ARGV.each { |name| require name }
    ARGV.clear
    socket = UNIXSocket.for_fd(3)
    while (directory = socket.gets(chomp: true))
      socket.puts "ready"
      given = %w[r w].map { |mode| socket.recv_io(IO, mode) }
      process = fork do
        socket.close
        [$stdin, $stdout].zip(given) { |io, other| io.reopen(other) }
        given.each(&:close)
        Dir.chdir(directory)
        eval(server, TOPLEVEL_BINDING)
      end
      Process.detach(process)
      given.each(&:close)
    end
  RUBY

  # Reads a line of JSON for each command, and answers one.
  SERVER = <<~'RUBY'
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

  class << self
    # `rails new` with these options, once. @return [String] a directory to be copied
    def template(options)
      (@templates ||= {})[options] ||= begin
        directory = Dir.mktmpdir
        Minitest.after_run { FileUtils.rm_rf(directory) }
        run_ruby(directory, "-rbundler/setup", File.join(RAILS.full_gem_path, "exe", "rails"),
                 "new", "blog", "--api", "--minimal", "--skip-git", "--skip-bundle",
                 "--database=sqlite3", "--quiet", *options)
        File.join(directory, "blog")
      end
    end

    # The socket of a process of FORKS that has required these.
    def forks(names)
      (@forks ||= {})[names] ||= begin
        socket, other = UNIXSocket.pair
        process = Process.spawn(ENVIRONMENT, RbConfig.ruby, "-rbundler/setup", "-e", FORKS,
                                File.join(ROOT, "lib"), SERVER, *names, 3 => other)
        other.close
        Minitest.after_run { socket.close || Process.wait(process) }
        socket
      end
    end

    def run_ruby(directory, *arguments)
      output, errors,
      status = Open3.capture3(ENVIRONMENT, RbConfig.ruby, *arguments, chdir: directory,
                              stdin_data: "")
      raise "#{arguments.join(" ")} failed: #{errors}\n#{output}" unless status.success?

      output
    end
  end

  attr_reader :root

  def initialize(directory, options: [])
    @root = File.join(directory, "blog")
    FileUtils.cp_r(GeneratedApplication.template(options), @root)
    configuration = File.join(@root, "config/application.rb")
    text = File.read(configuration).sub("Bundler.require(*Rails.groups)", 'require "to_json"')
    File.write(configuration, text)
    @required = text.scan(/^require "(.+)"$/).flatten
  end

  def start
    socket = GeneratedApplication.forks(@required)
    socket.puts(@root)
    raise "the process of the forks ended" unless socket.gets

    theirs_in, @input = IO.pipe
    @output, theirs_out = IO.pipe
    [theirs_in, theirs_out].each do |io|
      socket.send_io(io)
      io.close
    end
    self
  end

  def stop
    @input&.close
    @output&.read # until it has ended
    @output&.close
    @input = @output = nil
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

  private

  def ask(*command)
    @input.puts(JSON.generate(command))
    @input.flush
    line = @output.gets or raise "the application ended"
    JSON.parse(line).first
  end
end
