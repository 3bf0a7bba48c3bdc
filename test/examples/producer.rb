# frozen_string_literal: true

# Loaded into a server of examples/servers before it starts (`ruby -r`): Posts.each then tells the
# test, over a socket beside HTTP, of every post that it makes and of its end, and waits for leave
# before each post where the test says so.
#
# A line each: "made 5" (then, in steps, it waits for any line), "done" after the last post, "ended"
# from `ensure`.

require "socket"
require_relative "../../examples/servers/posts"

module Producer
  BODY = "b" * Integer(ENV.fetch("POST_BYTES", "100"))

  FAIL_AT = Integer(ENV.fetch("FAIL_AT", "0"))

  def each(&block)
    return super unless block

    channel = UNIXSocket.new(ENV.fetch("PRODUCER"))
    in_steps = channel.gets == "in steps\n"
    begin
      super do |post|
        channel.write("made #{post.id}\n")
        channel.gets if in_steps
        raise "no more" if post.id == FAIL_AT
        block.call(post)
      end
      channel.write("done\n")
    ensure
      channel.write("ended\n")
      channel.close
    end
  end

  def find(id) = super&.tap { |post| post.body = BODY }
end

Posts.singleton_class.prepend(Producer)
