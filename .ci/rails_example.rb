# frozen_string_literal: true

# ruby .ci/rails_example.rb: starts examples/rails in production and in development, sends the
# requests of its README, and in development requests a document from several threads while its
# serializer's file is written anew. Needs curl. Prints what failed and "N passed, N failed".

require "json"
require "net/http"
require "open3"
require "socket"
require "timeout"

$stdout.sync = true

class RailsExample
  ROOT = File.expand_path("..", __dir__)
  RUN = File.join(ROOT, "examples/rails/run")
  README = File.join(ROOT, "examples/rails/README.md")
  # How often the serializer changes, and how many threads ask for its document meanwhile.
  VERSIONS = 40
  THREADS = 4

  def initialize
    @passed = @failed = 0
  end

  def run
    @directory = output(RUN, "make").lines.last.chomp
    serve("production") { readme }
    serve("development") do
      readme
      reload_under_load
    end
    puts "#{@passed} passed, #{@failed} failed"
    @failed.zero? && @passed.positive?
  end

  private

  # [command, what it prints], as in the README's blocks.
  def requests
    blocks = File.read(README, encoding: "UTF-8").scan(/^```console\n(.*?)^```/m).flatten
    blocks.flat_map { |block| block.split(/^\$ /).drop(1) }.map { |one| one.split("\n", 2) }
  end

  # Production answers to https alone, which a proxy in front of it would speak.
  def readme
    raise "few requests in the README" if requests.size < 10

    requests.each do |command, expected|
      due = @secure ? expected.gsub("http://", "https://") : expected
      due = due.gsub("&", "\\u0026") if escaped?
      proxy = " -H 'X-Forwarded-Proto: https'" if @secure
      given = output("sh", "-c", command.sub(/curl/, "curl -sS --noproxy '*'#{proxy}")
                                        .gsub("localhost:3000", "localhost:#{@port}"))
      given = given.gsub("localhost:#{@port}", "localhost:3000")
      check("#{@environment}: #{command}", due.chomp, given.chomp)
    end
  end

  # The README shows what Rails 8.1 writes. Older versions of Rails escape the & for use in HTML.
  def escaped?
    configuration = File.read(File.join(@directory, "config/application.rb"))
    Gem::Version.new(configuration[/load_defaults (\S+)/, 1]) < Gem::Version.new("8.1")
  end

  # A request that begins after a version was written must be answered by that one, or a later one.
  def reload_under_load
    path = File.join(@directory, "app/serializers/post_serializer.rb")
    original = File.read(path)
    @written = 0
    @answers = Thread::Queue.new
    asking = true
    threads = Array.new(THREADS) { Thread.new { ask while asking } }
    1.upto(VERSIONS) do |version|
      write(path, changed(original, version))
      @written = version
      await_answers(THREADS + 1) # so one of them began after the writing
    end
    asking = false
    threads.each(&:join)
    judge(Array.new(@answers.size) { @answers.pop })
  ensure
    asking = false
    write(path, original)
  end

  def await_answers(count)
    due = @answers.size + count
    400.times { @answers.size < due ? sleep(0.05) : return }
    raise "no answers for 20 s"
  end

  # Two fields that must agree, and a third whose name is another in each version.
  def changed(original, version)
    fields = "attribute(:first) { #{version} }\n  attribute(:v#{version}) { 0 }\n" \
             "  attribute(:last) { #{version} }"
    original.sub(/^  attributes :id.*$/) { "#{$&}\n  #{fields}" }
  end

  # The file is there as a whole at any time.
  def write(path, text)
    File.write("#{path}.new", text)
    File.rename("#{path}.new", path)
  end

  # Keeps the least version that is due, the status and the body.
  def ask
    least = @written
    response = Net::HTTP.get_response("127.0.0.1", "/posts/29", @port)
    @answers << [least, response.code, response.body]
  rescue SystemCallError, Timeout::Error => e
    @answers << [least, e.class.name, e.message]
  end

  def judge(answers)
    wrong = answers.reject { |least, status, body| right?(least, status, body) }
    check("reloading while threads request: wrong answers", [], wrong.first(3))
    versions = answers.filter_map { |_, _, body| body[/"first":(\d+)/, 1] }.uniq.size
    puts "#{answers.size} documents of #{versions} versions"
    check("each version was seen", VERSIONS, versions)
  end

  # Before the first version is written there is none in the document.
  def right?(least, status, body)
    return false unless status == "200"

    post = JSON.parse(body)["post"]
    version = post["first"]
    return least.zero? && post["id"] == 29 && !post.key?("last") if version.nil?

    named = post.keys.grep(/\Av\d/)
    version >= least && version == post["last"] && named == ["v#{version}"]
  rescue JSON::ParserError
    false
  end

  def serve(environment)
    @environment = environment
    @secure = environment == "production"
    @port = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }
    settings = { "RAILS_ENV" => environment, "SECRET_KEY_BASE_DUMMY" => "1", "PORT" => @port.to_s }
    output(settings, RUN, "db:prepare")
    log = File.join(@directory, "log/server.log")
    server = Process.spawn(settings, RUN, "server", in: File::NULL, out: log, err: log)
    await
    yield
  rescue StandardError => e
    check("#{environment}: #{e.class}: #{e.message}", true, false)
    puts File.read(log).lines.last(30) if log && File.exist?(log)
  ensure
    stop(server) if server
  end

  # Puma on Ruby 3.4 can wait for ever when it ends, in IO#close.
  def stop(server)
    Process.kill("TERM", server)
    Timeout.timeout(10) { Process.wait(server) }
  rescue Timeout::Error
    Process.kill("KILL", server)
    Process.wait(server)
  end

  def await
    600.times do
      TCPSocket.open("127.0.0.1", @port).close
      return
    rescue Errno::ECONNREFUSED
      sleep 0.1
    end
    raise "the server does not listen"
  end

  # @return [String] what the command printed
  def output(*command)
    text, log, status = Open3.capture3(*command, stdin_data: "")
    return text if status.success?

    puts text.lines.last(20), log.lines.last(40)
    raise "#{command.last} failed"
  end

  def check(name, due, given)
    if due == given
      @passed += 1
    else
      @failed += 1
      puts "not ok #{name}", "  due:   #{due.inspect}", "  given: #{given.inspect}"
    end
  end
end

exit RailsExample.new.run
