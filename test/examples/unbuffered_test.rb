# frozen_string_literal: true

# examples/servers: the post n + 1 is made only after the client has received the post n. No server,
# middleware or framework between them keeps anything back.

require_relative "server_case"

class ServerUnbufferedTest < ServerCase
  COUNT = 12

  # Reads a response and lets the producer make the next post whenever `number` of the text so far
  # says that one has arrived. What happened, in its order.
  def steps(server, producers, path)
    arrived = Thread::Queue.new
    client = Thread.new do
      text = String.new
      get(server, path) { |response| response.read_body { |part| arrived << (text << part).dup } }
      text
    ensure
      arrived.close
    end
    client.report_on_exception = false
    run = producers.run(in_steps: true)
    story = []
    COUNT.times do |n|
      story << run.line
      run.go
      text = nil
      found =
        Timeout
          .timeout(Producers::SECONDS) { text = arrived.pop until text.nil? ? arrived.closed? &&
            arrived.empty? : yield(text, n + 1) } rescue :late
      story <<
        (found == :late ? "nothing of #{n + 1} after #{Producers::SECONDS} s" : "received #{n + 1}")
    end
    story << run.line << run.line
    [story, client.value]
  end

  STORY = (1..COUNT).flat_map { |n| ["made #{n}", "received #{n}"] } + %w[done ended]

  SERVERS.each do |name|
    test "#{name} sends each line before the next post is made" do
      serve(name, posts: COUNT) do |server, producers|
        story, text = steps(server, producers, "/posts.ndjson") do |so_far, n|
          so_far.count("\n") >= n
        end
        assert_equal(STORY, story)
        assert_equal(COUNT, text.lines.size)
      end
    end

  end

  DOCUMENTS.each do |name, path|
    test "#{name} sends the chunks of #{path} while it is being made" do
      serve(name, posts: COUNT, post_bytes: 200_000) do |server, producers|
        story, text = steps(server, producers, path) { |so_far, n| so_far.include?(%("id":#{n},)) }
        assert_equal(STORY, story)
        assert_operator(text.bytesize, :>, COUNT * 200_000)
      end
    end
  end
end
