# frozen_string_literal: true

# ruby .ci/newcomer.rb RAILS TREE GEMS: what somebody does who tries the gem for the first time,
# with the Ruby that runs this and the Rails of that line ("8.0"). A new application, the gem from
# TREE, Rails' generators and nothing written by hand; then requests to its server, and its own
# tests. Gems are kept in GEMS. Prints a line for each check and "N passed, N failed".

require "fileutils"
require "json"
require "net/http"
require "open3"
require "socket"
require "tmpdir"

$stdout.sync = true

class Newcomer
  # What an application of Rails has beside what it needs.
  LEFT_OUT =
    %w[git bundle brakeman bundler-audit ci dev-gems docker kamal rubocop solid thruster]
      .map { |name|
    "--skip-#{name}"
  }.freeze

  def initialize(rails, tree, gems)
    @rails = rails
    @tree = tree
    @environment = { "BUNDLE_PATH" =>
                       gems, "BUNDLE_BUILD__SQLITE3" => "--enable-system-libraries",
                       "BUNDLE_GEMFILE" => nil, "BUNDLE_WITHOUT" => nil,
                     "BUNDLE_APP_CONFIG" =>
                       nil, "RAILS_ENV" => nil, "DATABASE_URL" => nil,
                       "BUNDLE_SILENCE_ROOT_WARNING" => "1" }
    @passed = @failed = 0
  end

  def run
    Dir.mktmpdir do |directory|
      make_application(directory)
      generate
      check_files
      serve { |port| requests(port) }
      check("its own tests pass") { command("bin/rails", "test").match?(/ 0 failures, 0 errors/) }
      undo
    end
    puts "Rails #{@rails}, Ruby #{RUBY_VERSION}: #{@passed} passed, #{@failed} failed"
    @failed.zero? && @passed.positive?
  end

  private

  def make_application(directory)
    @directory = directory
    File.write(File.join(directory, "Gemfile"),
               "#{source}gem \"rails\", \"~> #{@rails}.0\"\n#{pins}")
    install
    command("bundle", "exec", "rails", "new", "blog", "--api", "--minimal", "--database=sqlite3",
            *LEFT_OUT)
    @directory = File.join(directory, "blog")
    gemfile = File.join(@directory, "Gemfile")
    File.write(gemfile,
               "#{File.read(gemfile).sub(/^source .*\n/, source)}gem \"to_json\", path: " \
               "#{@tree.inspect}\n#{pins}")
    install
    command("bin/rails", "runner", "exit Rails.version.start_with?('#{@rails}.') ? 0 : 1")
  end

  def source = "source Gem.sources.first.uri.to_s\n"

  # As in the Gemfile of the project: what would be compiled in newer versions than Ruby brings,
  # with headers that a new machine has not.
  def pins
    <<~RUBY
      %w[date erb io-console openssl psych stringio].each do |name|
        path = Dir[File.join(Gem.default_specifications_dir, "\#{name}-[0-9]*.gemspec")].first
        gem name, path[/-([\\d.]+)\\.gemspec\\z/, 1], require: false if path
      end
      gem "nokogiri", "~> 1.17.0" if Gem::Version.new(Bundler::VERSION) < Gem::Version.new("2.5")
    RUBY
  end

  def install
    if system(@environment, "bundle", "check", chdir: @directory, out: File::NULL, err: File::NULL)
      return
    end

    command("bundle", "install", "--jobs", "2", "--retry", "3")
  end

  def generate
    command("bin/rails", "generate", "to_json:install")
    command("bin/rails", "generate", "scaffold", "Author", "name:string")
    command("bin/rails", "generate", "scaffold", "Post", "title:string", "body:text",
            "author:belongs_to")
    command("bin/rails", "db:migrate")
  end

  def check_files
    check("to_json:install again changes nothing") do
      unchanged { command("bin/rails", "generate", "to_json:install") }
    end
    check("the serializer read from the table is the one that scaffold wrote") do
      unchanged { command("bin/rails", "generate", "serializer", "Post") }
    end
    check("the scaffold's controller is Rails' own") do
      file("app/controllers/posts_controller.rb").include?("render json: @posts")
    end
  end

  def undo
    command("bin/rails", "destroy", "scaffold", "Post")
    check("destroy removes the serializer and its test") do
      Dir[File.join(@directory, "{app,test}/serializers/post*")].empty?
    end
  end

  def unchanged
    before = files
    yield
    before == files
  end

  def files
    Dir[File.join(@directory, "{app,config,test}/**/*.*")].to_h do |path|
      [path, File.binread(path)]
    end
  end

  def file(name) = File.read(File.join(@directory, name))

  def requests(port)
    @port = port
    check("an empty index") { answer(:get, "/posts") == [200, []] }
    author = answer(:post, "/authors", author: { name: "Ann" })
    check("create of an author") do
      author[0] == 201 && author[1].slice("id", "name") == { "id" => 1, "name" => "Ann" }
    end
    check("an author has its columns") { author[1].keys == %w[id name created_at updated_at] }
    check_create
    check("index") do
      answer(:get, "/posts").then do |status, posts|
        status == 200 && posts.map { |post| post["title"] } == %w[One]
      end
    end
    check("show") do
      answer(:get, "/posts/1").then do |status, post|
        status == 200 && post.slice("id", "title", "body") == {
          "id" => 1, "title" => "One", "body" => "A <b>"
        }
      end
    end
    check("update") do
      answer(:patch, "/posts/1", post: { title: "Two" }).then do |status, post|
        status == 200 && post["title"] == "Two"
      end
    end
    check("update that fails") do
      answer(:patch, "/posts/1", post: { author_id: 99 }) == [422, { "author" => ["must exist"] }]
    end
    check("destroy") { answer(:delete, "/posts/1") == [204, nil] }
    check("after destroy") do
      answer(:get, "/posts") == [200, []] && answer(:get, "/posts/1")[0] == 404
    end
  end

  def check_create
    status, post = answer(:post, "/posts", post: { title: "One", body: "A <b>", author_id: 1 })
    check("create") do
      status == 201 && @response["location"] == "http://127.0.0.1:#{@port}/posts/1" &&
        @response.content_type == "application/json"
    end
    check("a post has its columns, and its author instead of the key") do
      post.keys == %w[id title body created_at updated_at author] && post["author"].slice(
        "id", "name"
      ) == { "id" => 1, "name" => "Ann" }
    end
    check("times are in UTC with milliseconds") do
      post["created_at"].match?(/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/)
    end
    check("create that fails") do
      answer(:post, "/posts", post: { title: "No author" }) == [422, { "author" => ["must exist"] }]
    end
  end

  def answer(verb, path, body = nil)
    request = Net::HTTP.const_get(verb.capitalize).new(path, "Accept" => "application/json",
                                                       "Content-Type" => "application/json")
    request.body = JSON.generate(body) if body
    @response = Net::HTTP.start("127.0.0.1", @port, read_timeout: 30) do |http|
      http.request(request)
    end
    text = @response.body.to_s
    [@response.code.to_i,
     text.empty? ? nil : (JSON.parse(text) if @response.content_type == "application/json")]
  end

  def serve
    port = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }
    log = File.join(@directory, "log/server.log")
    server = Process.spawn(@environment, "bin/rails", "server", "-b", "127.0.0.1", "-p", port.to_s,
                           chdir: @directory, in: File::NULL, out: log, err: log)
    await(port)
    yield port
  rescue StandardError => e
    check("requests: #{e.class}: #{e.message}") { false }
    puts File.read(log).lines.last(30)
  ensure
    Process.kill("TERM", server)
    Process.wait(server)
  end

  def await(port)
    600.times do
      TCPSocket.open("127.0.0.1", port).close
      return
    rescue Errno::ECONNREFUSED
      sleep 0.1
    end
    raise "the server does not listen"
  end

  # Runs it; its text if it succeeds, else the end of all.
  def command(*words)
    began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    output, status = Open3.capture2e(@environment, *words, chdir: @directory, stdin_data: "")
    puts format("%6.1f s  %s", Process.clock_gettime(Process::CLOCK_MONOTONIC) - began,
                words.join(" "))
    return output if status.success?

    puts output.lines.last(40)
    abort "#{words.join(" ")} failed\n0 passed, 1 failed"
  end

  def check(name)
    if yield
      @passed += 1
    else
      @failed += 1
      puts "not ok #{name}#{": #{@response.code} #{@response.body.to_s[0, 500]}" if @response}"
    end
  end
end

exit Newcomer.new(*ARGV).run
