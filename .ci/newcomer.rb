# frozen_string_literal: true

# ruby .ci/newcomer.rb RAILS TREE GEMS: what somebody does who tries the gem for the first time,
# with the Ruby that runs this and the Rails of that line ("8.0"). A new application, the gem from
# TREE, Rails' generators and nothing written by hand; then requests to its server, and its own
# tests. Gems are kept in GEMS. Prints what failed and "N passed, N failed".

require "fileutils"
require "json"
require "net/http"
require "open3"
require "socket"
require "timeout"
require "tmpdir"

$stdout.sync = true

class Newcomer
  # What an application of Rails has beside what it needs.
  LEFT_OUT = %w[--skip-git --skip-bundle --skip-brakeman --skip-bundler-audit --skip-ci
                --skip-dev-gems --skip-docker --skip-kamal --skip-rubocop --skip-solid
                --skip-thruster].freeze

  def initialize(rails, tree, gems)
    @rails = rails
    @tree = tree
    # As where nobody runs our tests.
    ours = %w[BUNDLE_GEMFILE BUNDLE_WITHOUT BUNDLE_APP_CONFIG RAILS_ENV DATABASE_URL]
    @environment = ours.to_h { |name| [name, nil] }.merge(
      "BUNDLE_PATH" => gems, "BUNDLE_BUILD__SQLITE3" => "--enable-system-libraries",
      "BUNDLE_SILENCE_ROOT_WARNING" => "1"
    )
    @passed = @failed = 0
  end

  def run
    Dir.mktmpdir do |directory|
      make_application(directory)
      generate
      check_files
      serve { |port| requests(port) }
      run_own_tests
      undo
    end
    puts "Rails #{@rails}, Ruby #{RUBY_VERSION}: #{@passed} passed, #{@failed} failed"
    @failed.zero? && @passed.positive?
  end

  private

  def make_application(directory)
    @directory = directory
    write_gemfile("gem \"rails\", \"~> #{@rails}.0\"\n")
    install
    command("bundle", "exec", "rails", "new", "blog", "--api", "--minimal", "--database=sqlite3",
            *LEFT_OUT)
    @directory = File.join(directory, "blog")
    write_gemfile(file("Gemfile").sub(/^source .*\n/, ""), "gem \"to_json\", path: \"#{@tree}\"\n")
    install
    command("bin/rails", "runner", "exit Rails.version.start_with?('#{@rails}.') ? 0 : 1")
  end

  def write_gemfile(*text)
    source = "source Gem.sources.first.uri.to_s\n"
    File.write(File.join(@directory, "Gemfile"), [source, *text, pins].join)
  end

  # As in the Gemfile of the project: what Ruby brings. Newer ones would be compiled, with headers
  # that a new machine has not.
  def pins
    <<~RUBY
      %w[date erb io-console openssl psych stringio].each do |name|
        path = Dir[File.join(Gem.default_specifications_dir, "\#{name}-[0-9]*.gemspec")].first
        gem name, path[/-([\\d.]+)\\.gemspec\\z/, 1], require: false if path
      end
      old = Gem::Version.new(Bundler::VERSION) < Gem::Version.new("2.5")
      gem "nokogiri", "~> 1.17.0" if old
    RUBY
  end

  def install
    quiet = { chdir: @directory, out: File::NULL, err: File::NULL }
    system(@environment, "bundle", "check", **quiet) or
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
    check("the serializer that is read from the table is the one that scaffold wrote") do
      unchanged { command("bin/rails", "generate", "serializer", "Post") }
    end
    check("the scaffold's controller is Rails' own, but for its parameters") do
      controller = file("app/controllers/posts_controller.rb")
      controller.include?("render json: @posts") &&
        controller.include?("PostSerializer.expect(params)")
    end
  end

  # Not the test that deletes an author: the fixtures of the posts need that author, whatever
  # renders.
  def run_own_tests
    output = command("bin/rails", "test", "test/serializers", "test/models",
                     "test/controllers/posts_controller_test.rb")
    check("its own tests pass") { output.match?(/^7 runs, .* 0 failures, 0 errors/) }
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
    paths = Dir[File.join(@directory, "{app,config,test}/**/*.*")]
    paths.to_h { |path| [path, File.binread(path)] }
  end

  def file(name) = File.read(File.join(@directory, name))

  def requests(port)
    @port = port
    expect("an empty index", [200, []]) { answer(:get, "/posts") }
    check_author
    check_create
    status, posts = answer(:get, "/posts")
    expect("index", [200, ["One"]]) { [status, posts.map { |post| post["title"] }] }
    status, post = answer(:get, "/posts/1")
    expect("show", [200, 1, "One", "A <b>"]) { [status, *post.values_at("id", "title", "body")] }
    status, post = answer(:patch, "/posts/1", post: { title: "Two" })
    expect("update", [200, "Two"]) { [status, post["title"]] }
    expect("update that fails", [422, { "author" => ["must exist"] }]) do
      answer(:patch, "/posts/1", post: { author_id: 99 })
    end
    expect("destroy", [204, nil]) { answer(:delete, "/posts/1") }
    expect("after destroy", [200, []]) { answer(:get, "/posts") }
    expect("show after destroy", 404) { answer(:get, "/posts/1")[0] }
  end

  def check_author
    status, author = answer(:post, "/authors", author: { name: "Ann" })
    expect("create of an author", [201, 1, "Ann"]) { [status, *author.values_at("id", "name")] }
    expect("the keys of an author", %w[id name created_at updated_at]) { author.keys }
  end

  def check_create
    status, post = answer(:post, "/posts", post: { title: "One", body: "A <b>", author_id: 1 })
    expect("create", [201, "http://127.0.0.1:#{@port}/posts/1", "application/json"]) do
      [status, @response["location"], @response.content_type]
    end
    keys = %w[id title body author_id created_at updated_at author]
    expect("the keys of a post: the author, and the key by which it is set", keys) { post.keys }
    expect("the author of a post", [1, "Ann"]) { post["author"].values_at("id", "name") }
    check("times are in UTC with milliseconds") do
      post["created_at"].match?(/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/)
    end
    expect("create that fails", [422, { "author" => ["must exist"] }]) do
      answer(:post, "/posts", post: { title: "No author" })
    end
  end

  def answer(verb, path, body = nil)
    type = "application/json"
    headers = { "Accept" => type, "Content-Type" => type }
    request = Net::HTTP.const_get(verb.capitalize).new(path, headers)
    request.body = JSON.generate(body) if body
    http = Net::HTTP.new("127.0.0.1", @port)
    http.read_timeout = 60
    @response = http.request(request)
    text = @response.body.to_s
    [@response.code.to_i, (JSON.parse(text) if @response.content_type == type && !text.empty?)]
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
    stop(server)
  end

  # Puma on Ruby 3.4 can wait for ever when it ends, in IO#close.
  def stop(server)
    Process.kill("TERM", server)
    Timeout.timeout(10) { Process.wait(server) }
  rescue Timeout::Error
    Process.kill("KILL", server)
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
    seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
    puts format("%6.1f s  %s", seconds, words.join(" "))
    return output if status.success?

    puts output.lines.last(40)
    abort "#{words.join(" ")} failed\n0 passed, 1 failed"
  end

  def expect(name, expected)
    got = yield
    check("#{name}: #{expected.inspect} was due, got #{got.inspect}") { got == expected }
  end

  def check(name)
    if yield
      @passed += 1
    else
      @failed += 1
      puts "not ok #{name}", (@response.body.to_s[0, 500] if @response)
    end
  end
end

exit Newcomer.new(*ARGV).run
