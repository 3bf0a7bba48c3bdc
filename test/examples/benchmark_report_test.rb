# frozen_string_literal: true

# The report of bin/bench as people see it: in a headless Chromium, on a screen and on a phone,
# light and dark, and on paper.

require_relative "../test_helper"
require_relative "../../benchmark/report/page"
require_relative "browser"
require "json"

class BenchmarkReportLooksTest < ToJsonTest
  RESULTS = JSON.parse(Project.read("test/data/benchmark_results.json"))
  LOOKS = { "a screen, light" => [1200, 900, false], "a screen, dark" => [1200, 900, true],
            "a phone, light" => [360, 740, false], "a phone, dark" => [360, 740, true] }.freeze

  # Texts of each picture that touch each other or reach beyond the picture, and anything beyond the
  # window.
  OVERLAPS = <<~'JS'
    (() => {
      const wrong = [];
      let seen = 0;
      for (const svg of document.querySelectorAll("svg.chart")) {
        const frame = svg.getBoundingClientRect();
        const texts = [...svg.querySelectorAll("text")]
          .map((e) => [e.textContent.trim(), e.getBoundingClientRect()])
          .filter(([, r]) => r.width > 0);
        seen += texts.length;
        for (const [t, r] of texts) {
          if (r.left < frame.left - 1 || r.right > frame.right + 1 ||
              r.bottom > frame.bottom + 1 || r.top < frame.top - 1) wrong.push(`beyond: ${t}`);
        }
        texts.forEach(([t, r], i) => texts.slice(i + 1).forEach(([u, s]) => {
          if (r.left < s.right - 0.5 && s.left < r.right - 0.5 &&
              r.top < s.bottom - 1.5 && s.top < r.bottom - 1.5) wrong.push(`${t} on ${u}`);
        }));
      }
      if (seen < 10) wrong.push(`only ${seen} texts`);
      const boxes = "h1, h2, h3, p, li, .card, pre, summary, figure, .scroll";
      for (const e of document.querySelectorAll(boxes)) {
        const r = e.getBoundingClientRect();
        if (r.width > 0 && r.left >= 0 && r.right > innerWidth + 0.5) {
          wrong.push(`beyond the window: ${e.textContent.slice(0, 40)}`);
        }
      }
      const width = document.documentElement.scrollWidth;
      if (width > innerWidth) wrong.push(`the page is ${width} wide`);
      return [...new Set(wrong)];
    })()
  JS
  # The least contrast of text and its ground, by WCAG: 4.5 is what small text needs. Text of
  # pictures stands on the card behind them.
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
      const written = "h1, h2, h3, p, li, td, th, small, b, .chip, summary, a, pre, dt, dd, " +
        "legend, label span, svg text, svg tspan:not(.mark)";
      const all = [...document.querySelectorAll(written)]
        .filter((e) => e.textContent.trim() && e.getClientRects().length);
      const least = all.map((e) => {
        const style = getComputedStyle(e);
        const [a, b] = [light(e.closest("svg") ? style.fill : style.color), light(ground(e))]
          .sort((x, y) => y - x);
        const name = `${e.tagName} ${e.className.baseVal ?? e.className}`;
        return [(a + 0.05) / (b + 0.05), `${name}: ${e.textContent.trim().slice(0, 30)}`];
      }).sort((x, y) => x[0] - y[0]);
      return least[0];
    })()
  JS

  def setup
    super
    unless Browser.path
      flunk "no Chromium: bash .ci/run servers installs it (Debian's package chromium)"
    end
  end

  # Yields a browser that has the page of these results.
  def browse(results = RESULTS)
    Dir.mktmpdir do |directory|
      path = Bench::Report.write(results, File.join(directory, "report.html"))
      browser = Browser.new
      yield browser, "file://#{path}"
      assert_empty(browser.complaints)
    ensure
      browser&.close
    end
  end

  # SCREENSHOTS=directory keeps what the pages looked like.
  def shoot(browser, name)
    ENV["SCREENSHOTS"] &&
      browser.screenshot(File.join(ENV["SCREENSHOTS"], "report-#{name.gsub(/\W+/, "-")}.png"))
  end

  test "nothing overlaps or is cut, and all text can be read, on a screen and on a phone, light " \
       "and dark, for each Ruby" do
    browse do |browser, url|
      LOOKS.each do |look, (width, height, dark)|
        browser.open(url, width: width, height: height, dark: dark)
        browser.wait("document.readyState === 'complete' && document.querySelector('svg')")
        RESULTS["setups"].each_index do |index|
          browser.value("document.getElementById('setup#{index}').click()")
          assert_empty(browser.value(OVERLAPS), "#{look}, setup #{index}")
          contrast, where = browser.value(CONTRAST)
          assert_operator(contrast, :>=, 4.5, "#{look}: #{where}")
        end
        shoot(browser, look)
        browser.value("document.querySelectorAll('details').forEach((e) => e.open = true)")
        assert_empty(browser.value(OVERLAPS), "#{look}, unfolded")
      end
    end
  end

  test "only the chosen Ruby is shown: at first the newest with YJIT, then what is pressed with " \
       "the keyboard" do
    browse do |browser, url|
      browser.open(url, width: 1200, height: 900)
      browser.wait("document.readyState === 'complete' && document.querySelector('svg')")
      shown =
        "[...new Set([...document.querySelectorAll('.of')].filter((e) => " \
        "e.getClientRects().length).map((e) => e.className))]"
      assert_equal(["of of1"], browser.value(shown))
      browser.value("document.getElementById('setup1').focus()")
      %w[keyDown keyUp].each do |type|
        browser.tell("Input.dispatchKeyEvent", type: type, key: "ArrowLeft", code: "ArrowLeft",
                     windowsVirtualKeyCode: 37)
      end
      assert_equal(["of of0"], browser.value(shown))
    end
  end

  test "what is pressed unfolds the code of a contender" do
    browse do |browser, url|
      browser.open(url, width: 360, height: 740)
      browser.wait("document.readyState === 'complete' && document.querySelector('svg')")
      code =
        "[...document.querySelectorAll('#s-associations .code pre')].filter((e) => " \
        "e.checkVisibility()).length"
      assert_equal(0, browser.value(code))
      browser
        .value("document.querySelectorAll('#s-associations details.code, #s-associations " \
               "details.code details').forEach((e) => e.querySelector('summary').click())")
      assert_operator(browser.value(code), :>=, 6)
    end
  end

  test "on paper there are no buttons, and nothing is wider than the page" do
    browse do |browser, url|
      browser.open(url, width: 700, height: 900)
      browser.tell("Emulation.setEmulatedMedia", media: "print")
      browser.wait("document.readyState === 'complete' && document.querySelector('svg')")
      assert_equal("none",
                   browser.value("getComputedStyle(document.querySelector('.setups')).display"))
      assert_equal("rgb(255, 255, 255)",
                   browser.value("getComputedStyle(document.body).backgroundColor"))
      assert_empty(browser.value(OVERLAPS))
      assert_operator(browser.tell("Page.printToPDF", printBackground: true).fetch("data").size, :>,
                      20_000)
    end
  end
end
