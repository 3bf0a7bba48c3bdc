# frozen_string_literal: true

# The test's side of producer.rb: what the posts of a server that runs with it are told, and what
# they tell.

require "socket"
require "timeout"

class Producers
  SECONDS = 15

  # One run of Posts.each.
  class Run
    # @return [Integer] the last post that was made
    attr_reader :made

    def initialize(socket, in_steps)
      @socket = socket
      @in_steps = in_steps
      @made = 0
      @ended = false
      @lines = Thread::Queue.new
      socket.write(in_steps ? "in steps\n" : "as you like\n")
      @reader = Thread.new { listen }
    end

    # Lets the next post go on its way.
    def go
      @socket.write("go\n")
    rescue SystemCallError
      nil # it has ended meanwhile
    end

    # The next line, or nil where there was none within the time.
    def line(seconds = SECONDS)
      Timeout.timeout(seconds) { @lines.pop }
    rescue Timeout::Error
      nil
    end

    # Whether its `ensure` has run.
    def ended? = @ended

    # Lets it go on until it ends by itself; all lines that come.
    def rest
      lines = []
      while (text = line)
        lines << text
        go if @in_steps
      end
      lines
    end

    def close
      @socket.close
      @reader.join
    end

    private

    def listen
      while (text = @socket.gets&.chomp)
        @made = Integer(text.delete_prefix("made ")) if text.start_with?("made ")
        @ended = true if text == "ended"
        @lines << text
      end
    rescue IOError, SystemCallError
      nil # closed, here or there
    ensure
      @lines.close
    end
  end

  attr_reader :path

  def initialize(directory)
    @path = File.join(directory, "producer")
    @server = UNIXServer.new(@path)
    @runs = []
  end

  # The next run of Posts.each in the server.
  def run(in_steps: false)
    socket = Timeout.timeout(SECONDS) { @server.accept }
    Run.new(socket, in_steps).tap { |run| @runs << run }
  end

  def close
    @runs.each(&:close)
    @server.close
  end
end
