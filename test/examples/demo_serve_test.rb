# frozen_string_literal: true

# `bin/demo serve`, as a user starts it: the API over HTTP, and its page in a headless Chromium.

require_relative "server_case"
require_relative "browser"
require "json"

class DemoServeTest < ServerCase
  PLAIN = { "BUNDLE_PATH" => ENVIRONMENT["BUNDLE_PATH"], "TO_JSON_NATIVE" => nil,
            "TO_JSON_BUILD" => nil, "TO_JSON_WITHOUT" => nil }.freeze
  ROWS = 60

  # The server with the first gems of this machine.
  def serve_demo
    Dir.mktmpdir do |directory|
      port = ServerProcess.free_port
      command = [File.join(Project::ROOT, "bin/demo"), "serve", "--port", port.to_s, "--dir",
                 directory, "--rows", ROWS.to_s]
      server = Bundler.with_unbundled_env do
        ServerProcess.new(command, PLAIN, File.join(directory, "log"), port: port)
      end
      begin
        yield server
      rescue Minitest::Assertion, StandardError
        warn server.log
        raise
      ensure
        server.stop
      end
    end
  end

  def json(server, path) = JSON.parse(get(server, path).body)

  test "bin/demo serve answers with documents, lines, chosen fields and single posts" do
    serve_demo do |server|
      assert(soon { server.log.include?("Open http://127.0.0.1:#{server.port}/ in a browser") },
             "it says where to look")
      answer = get(server, "/posts")
      assert_equal(["200", "application/json", "chunked", nil],
                   [answer.code, answer.content_type, answer["transfer-encoding"],
                    answer["content-length"]])
      posts = JSON.parse(answer.body)
      assert_equal(ROWS, posts.size)
      assert_equal(%w[id title text published_on licenses authors dependencies files],
                   posts[0].keys - ["homepage"])
      lines = get(server, "/posts.ndjson")
      assert_equal("application/x-ndjson", lines.content_type)
      assert_equal(posts, lines.body.lines.map { |line| JSON.parse(line) })
      assert_equal(posts[4], json(server, "/posts/5"))
      assert_equal(posts.map do |post|
                     { "title" => post["title"],
                       "files" => post["files"].map { |file| file.slice("path") } }
                   end,
                   json(server, "/posts?fields=title,files(path)"))
      assert_equal(posts.map { |post| post.slice("id") } * 3,
                   json(server, "/posts?fields=id&times=3"))
      wrong = get(server, "/posts?fields=titel")
      assert_equal(["400", "application/json"], [wrong.code, wrong.content_type])
      assert_match(/unknown field "titel", did you mean title\?|unknown field "titel"/,
                   JSON.parse(wrong.body).fetch("error"))
      assert_equal(%w[404 404 404],
                   %w[/posts/99999 /posts/0 /nowhere].map { |path| get(server, path).code })
      status = json(server, "/status")
      assert_equal([ROWS, 0], status.values_at("posts", "streams"))
      assert_in_delta(server.memory, status["memory"], 20 << 20)
    end
  end

  test "bin/demo serve stops reading its database where the client hangs up" do
    serve_demo do |server|
      4.times do
        catch(:gone) do
          get(server, "/posts?times=1000") do |response, http|
            response.read_body { |_| http.instance_variable_get(:@socket).close; throw :gone }
          end
        end
      rescue IOError
        nil
      end
      assert(soon { json(server, "/status")["streams"].zero? }, "streams are still being written")
    end
  end

  # Boxes that have text or can be pressed, which must neither overlap nor reach beyond the page.
  OVERLAPS = <<~'JS'
    (() => {
      const name = (e) => e.id || e.textContent.slice(0, 30);
      const seen = "h1, main > p, .endpoints button, form > *, dl > div, pre";
      const boxes = [...document.querySelectorAll(seen)]
        .filter((e) => e.textContent || e.value).map((e) => [e, e.getBoundingClientRect()]);
      const wrong = boxes.filter(([, r]) => r.left < 0 || r.right > innerWidth + 0.5)
        .map(([e]) => `beyond: ${name(e)}`);
      for (const [e] of boxes) {
        if (e.tagName !== "PRE" && e.scrollWidth > e.clientWidth + 1) wrong.push(`cut: ${name(e)}`);
      }
      boxes.forEach(([a, r], i) => boxes.slice(i + 1).forEach(([b, s]) => {
        if (r.left < s.right - 0.5 && s.left < r.right - 0.5 &&
            r.top < s.bottom - 0.5 && s.top < r.bottom - 0.5) {
          wrong.push(`${name(a)} on ${name(b)}`);
        }
      }));
      if (document.documentElement.scrollWidth > innerWidth) {
        wrong.push("the page is wider than the window");
      }
      return wrong;
    })()
  JS
  # The contrast of text and its ground, by WCAG: 4.5 is what small text needs.
  CONTRAST = <<~'JS'
    (() => {
      const parts = (c) => c.match(/[\d.]+/g).map(Number);
      const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
      const light = (c) => parts(c).slice(0, 3).map((v) => linear(v / 255))
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
      const ground = (e) => {
        for (; e; e = e.parentElement) {
          const c = getComputedStyle(e).backgroundColor;
          if (parts(c)[3] !== 0) return c;
        }
        return "rgb(255, 255, 255)";
      };
      const written = "h1, p, code, span, dt, dd, pre, input, form button:not(:disabled)";
      return Math.min(...[...document.querySelectorAll(written)].map((e) => {
        const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
      }));
    })()
  JS
  LOOKS = { "a screen, light" => [1200, 1000, false], "a screen, dark" => [1200, 1000, true],
            "a phone, light" => [360, 1500, false], "a phone, dark" => [360, 1500, true] }.freeze

  # SCREENSHOTS=directory keeps what the pages looked like.
  def shoot(browser, name)
    ENV["SCREENSHOTS"] &&
      browser.screenshot(File.join(ENV["SCREENSHOTS"], "#{name.gsub(/\W+/, "-")}.png"))
  end

  test "the page shows the endpoints, their JSON, time to first byte, bytes and memory, on a " \
       "screen and on a phone, light and dark" do
    unless Browser.path
      flunk "no Chromium: bash .ci/run servers installs it (Debian's package chromium)"
    end
    serve_demo do |server|
      browser = Browser.new
      LOOKS.each do |look, (width, height, dark)|
        browser.open(server.url("/").to_s, width: width, height: height, dark: dark)
        browser.wait("document.body?.dataset.done === '/posts/1'")
        assert_equal(json(server, "/posts/1"),
                     JSON.parse(browser.value("document.getElementById('text').textContent")), look)
        browser
          .value("[...document.querySelectorAll('button')].find((b) => b.dataset.path === " \
                 "'/posts.ndjson').click()")
        browser.wait("document.body.dataset.done === '/posts.ndjson'")
        figures = %w[status first last bytes memory most streams note].to_h do |id|
          [id.to_sym, browser.value("document.getElementById('#{id}').textContent")]
        end
        bytes = get(server, "/posts.ndjson").body.bytesize.to_s.gsub(/\d(?=(\d{3})+\z)/, "\\0,")
        assert_equal(["200 OK", bytes, "0"], figures.values_at(:status, :bytes, :streams), look)
        figures.values_at(:first, :last).each do |time|
          assert_match(/\A\d+ ms\z|\A\d+\.\d\d s\z/, time)
        end
        figures.values_at(:memory, :most).each { |memory| assert_match(/\A\d+\.\d MB\z/, memory) }
        assert_equal("The first 20,000 characters of #{bytes} bytes.", figures[:note])
        assert_empty(browser.value(OVERLAPS), look)
        assert_operator(browser.value(CONTRAST), :>=, 4.5, look)
        shoot(browser, look)
      end
      assert_empty(browser.complaints)
    ensure
      browser&.close
    end
  end

  test "the page's button hangs up, and the server stops" do
    unless Browser.path
      flunk "no Chromium: bash .ci/run servers installs it (Debian's package chromium)"
    end
    serve_demo do |server|
      browser = Browser.new
      browser.open(server.url("/").to_s, width: 1200, height: 1000)
      browser.wait("document.body?.dataset.done === '/posts/1'")
      browser
        .value("document.getElementById('path').value = '/posts?times=1000', " \
               "document.getElementById('send').click()")
      browser
        .wait("document.getElementById('bytes').textContent !== '–' && " \
              "document.getElementById('streams').textContent === '1'")
      browser.value("document.getElementById('stop').click()")
      browser.wait("document.body.dataset.done === '/posts?times=1000'")
      assert_equal("You hung up: the server stops reading its database.",
                   browser.value("document.getElementById('note').textContent"))
      assert(soon { json(server, "/status")["streams"].zero? })
      assert_empty(browser.complaints)
    ensure
      browser&.close
    end
  end
end
