# frozen_string_literal: true

# examples/servers: a client that stops reading stops the producer too, and memory stays flat over
# hundreds of megabytes.

require_relative "server_case"

class ServerSlowClientTest < ServerCase
  BYTES = 64_000
  POSTS = 3_200 # 205 MB
  MEGABYTE = 1 << 20
  # What the server, the kernel's two buffers and the client may hold of what was made.
  HELD = 24 * MEGABYTE
  GROWTH = 48 * MEGABYTE
  # Ruby collects garbage when there is enough of it, so that memory would rise to a level of some
  # 100 MB; sooner, it shows what is held.
  COLLECT = { ruby_gc_malloc_limit_max: 2_000_000, ruby_gc_oldmalloc_limit_max: 2_000_000,
              ruby_gc_malloc_limit: 1_000_000, ruby_gc_oldmalloc_limit: 1_000_000 }.freeze

  def steady?(run)
    made = run.made
    sleep 0.4
    made == run.made
  end

  SERVERS.each do |name|
    test "#{name} makes no more than a slow client reads, and its memory stays flat" do
      serve(name, posts: POSTS, post_bytes: BYTES, **COLLECT) do |server, producers|
        get(server, "/posts/1")
        before = server.memory
        read, waits, leave = 0, Thread::Queue.new, Thread::Queue.new
        client = Thread.new do
          get(server, "/posts") do |response|
            response.read_body do |part|
              read += part.bytesize
              next if leave.closed? || read < 8 * MEGABYTE

              waits << true
              leave.pop
            end
          end
        end
        run = producers.run
        Timeout.timeout(Producers::SECONDS) { waits.pop }
        assert(soon { steady?(run) }, "posts are made while nobody reads")
        assert_operator((run.made * BYTES) - read, :<, HELD, "bytes on their way")
        waiting = server.memory
        leave.close
        client.join
        most = server.memory("VmHWM")
        assert_operator(read, :>, POSTS * BYTES)
        assert_operator(most - before, :<, GROWTH, "memory over #{read} bytes")
        figures = { before: before, waiting: waiting, most: most }.map do |what, bytes|
          "#{what} #{bytes / MEGABYTE} MB"
        end.join(", ")
        puts "memory of #{name} over #{read / MEGABYTE} MB: #{figures}"
      end
    end
  end
end
