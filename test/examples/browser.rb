# frozen_string_literal: true

# A headless Chromium, told what to do over the two pipes that it opens for that
# (`--remote-debugging-pipe`): messages are JSON with a NUL behind each. What pages write to the
# console and what they fail at is kept in `complaints`.

require "fileutils"
require "io/nonblock"
require "json"
require "timeout"
require "tmpdir"

class Browser
  SECONDS = 20
  FLAGS =
    %w[--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run
       --hide-scrollbars --remote-debugging-pipe].freeze

  # @return [String, nil] the program
  def self.path
    %w[chromium chromium-browser google-chrome].find do |name|
      ENV.fetch("PATH").split(":").any? { |directory| File.executable?(File.join(directory, name)) }
    end
  end

  attr_reader :complaints

  def initialize
    @profile = Dir.mktmpdir
    @number = 0
    @complaints = []
    from_us, @to = IO.pipe
    @from, to_us = IO.pipe
    # Ruby's are not, which Chromium takes for their end
    [from_us, to_us].each { |pipe| pipe.nonblock = false }
    @pid = spawn({ "HOME" => @profile }, Browser.path, *FLAGS, "--user-data-dir=#{@profile}",
                 "about:blank", 3 => from_us, 4 => to_us, in: File::NULL, out: File::NULL,
                 err: File::NULL, pgroup: true)
    [from_us, to_us].each(&:close)
    target = tell("Target.createTarget", url: "about:blank").fetch("targetId")
    @session = tell("Target.attachToTarget", targetId: target, flatten: true).fetch("sessionId")
    %w[Page.enable Runtime.enable Log.enable].each { |name| tell(name) }
  end

  # Sends a command and gives its result; events that come meanwhile are looked at.
  def tell(method, **parameters)
    id = @number += 1
    message = { id: id, method: method, params: parameters, sessionId: @session }.compact
    @to.write(JSON.generate(message), "\0")
    Timeout.timeout(SECONDS) do
      loop do
        answer = JSON.parse(@from.gets("\0").chomp("\0"))
        note(answer) if answer["method"]
        next unless answer["id"] == id
        raise "#{method}: #{answer["error"]}" if answer["error"]

        return answer.fetch("result")
      end
    end
  end

  def open(url, width:, height:, dark: false)
    tell("Emulation.setDeviceMetricsOverride", width: width, height: height, deviceScaleFactor: 1,
         mobile: width < 600)
    tell("Emulation.setEmulatedMedia",
         features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }])
    tell("Page.navigate", url: url)
  end

  # The value of an expression in the page.
  def value(expression)
    result = tell("Runtime.evaluate", expression: expression, returnByValue: true,
                  awaitPromise: true)
    raise result["exceptionDetails"].to_s if result["exceptionDetails"]

    result.dig("result", "value")
  end

  # Until the expression is true.
  def wait(expression)
    Timeout.timeout(SECONDS) { sleep 0.05 until value(expression) }
  end

  def screenshot(path)
    File.binwrite(path,
                  tell("Page.captureScreenshot", format: "png",
                       captureBeyondViewport: true).fetch("data").unpack1("m"))
  end

  def close
    Process.kill(:KILL, -@pid)
    Process.wait(@pid)
    [@to, @from].each(&:close)
  rescue Errno::ESRCH
    nil
  ensure
    FileUtils.rm_rf(@profile)
  end

  private

  def note(event)
    parameters = event["params"]
    case event["method"]
    when "Runtime.consoleAPICalled"
      @complaints << parameters["args"].map do |argument|
        argument["value"] || argument["description"]
      end.join(" ")
    when "Runtime.exceptionThrown"
      @complaints << parameters.dig("exceptionDetails", "exception", "description").to_s
    when "Log.entryAdded" then @complaints << parameters.dig("entry", "text")
    end
  end
end
