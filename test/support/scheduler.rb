# frozen_string_literal: true

# A fiber scheduler that is just enough for IOs that wait, sleep and blocks between threads: a loop
# around IO.select.
class TestScheduler
  def initialize
    @readable = {}
    @writable = {}
    @waiting = {}
    @ready = []
    @lock = Thread::Mutex.new
    @wake, @woken = IO.pipe
  end

  def fiber(&block)
    Fiber.new(blocking: false, &block).tap(&:resume)
  end

  def io_wait(io, events, timeout = nil)
    @readable[io] = Fiber.current if events & IO::READABLE != 0
    @writable[io] = Fiber.current if events & IO::WRITABLE != 0
    @waiting[Fiber.current] = now + timeout if timeout
    Fiber.yield
    events
  ensure
    @readable.delete(io)
    @writable.delete(io)
    @waiting.delete(Fiber.current)
  end

  def kernel_sleep(duration = nil)
    block(nil, duration)
    true
  end

  def block(_blocker, timeout = nil)
    @waiting[Fiber.current] = timeout ? now + timeout : Float::INFINITY
    Fiber.yield
  ensure
    @waiting.delete(Fiber.current)
  end

  def unblock(_blocker, fiber)
    @lock.synchronize { @ready << fiber }
    @woken.write_nonblock(".", exception: false)
  end

  def run
    step until @readable.empty? && @writable.empty? && @waiting.empty? && @ready.empty?
  end

  def close
    run
    [@wake, @woken].each { |io| io.close unless io.closed? }
  end

  private

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  def step
    first = @waiting.values.min
    timeout = @ready.empty? ? (first && first < Float::INFINITY ? [first - now, 0].max : nil) : 0
    readable, writable = IO.select([@wake, *@readable.keys], @writable.keys, [], timeout)
    @wake.read_nonblock(100, exception: false) if readable&.delete(@wake)
    fibers = @lock.synchronize { @ready.slice!(0..) }
    fibers.concat(@readable.values_at(*readable), @writable.values_at(*writable))
    fibers.concat(@waiting.select { |_, at| at <= now }.keys)
    fibers.uniq.each { |fiber| fiber.resume if fiber.alive? }
  end
end
