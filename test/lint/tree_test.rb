# frozen_string_literal: true

# What git keeps: no build products, no paths or hosts of the machine that it was written on.

require_relative "../test_helper"

class TreeTest < ToJsonTest
  PRODUCTS = Regexp.union(/\.(o|so|bundle|gem|log|gcda|gcno)\z/,
                          %r{\A(tmp|coverage|doc|pkg|vendor/bundle|\.bundle)/},
                          %r{(\A|/|\.)[Gg]emfile\.lock\z})

  # Written so that this file does not match itself.
  MACHINE = [%r{(?<![\w.$\}/])/(?:root|work|home/[a-z]+|Users/[a-z]+|o[p]t/r\w+)/},
             /\brubygems\.o[r]g\b/,
             /\bd[e]b\.debian\.org\b/, /\bsnapshot\.d[e]bian\b/].freeze

  test "git tracks no build products" do
    tracked = Project.tracked or next assert(true, "not a git checkout: nothing is tracked")
    assert_empty(tracked.grep(PRODUCTS))
  end

  test "no file names a path or a package host of one machine" do
    text = Project.files("**/*", ".ci/**/*", ".*").reject do |path|
      path.match?(PRODUCTS) || path.start_with?(".git/")
    end
    found = text.flat_map do |path|
      lines = Project.read(path).scrub.lines
      lines.each_index.select { |index|
        MACHINE.any? { |pattern| pattern.match?(lines[index]) }
      }.map do |index|
        "#{path}:#{index + 1}"
      end
    end
    assert_empty(found)
  end

  # RuboCop checks Ruby. Rows of tables, commands and their answers stay whole.
  LINES = %w[ext/**/*.{c,h} test/native/*.{c,h,cc} *.md docs/**/*.md sig/*.rbs bin/**/* .ci/**/*
             demo/*.sh benchmark/**/*.yml .rubocop.yml test/*.yml].freeze

  test "lines of C, Markdown, shell, RBS and YAML end at 100 columns" do
    long = Project.files(*LINES).grep_v(/\.rb\z/).flat_map do |path|
      table = path.end_with?(".md") ? /\A(\s*\||\{"|\$ )/ : /\A\z/
      lines = Project.read(path).lines(chomp: true)
      lines.each_index.select { |index| lines[index].size > 100 && !table.match?(lines[index]) }
           .map { |index| "#{path}:#{index + 1}" }
    end
    assert_empty(long)
  end

  test "a file of ext or lib has at most 400 lines" do
    long = Project.files("{ext,lib}/**/*.{c,h,rb}").select do |path|
      Project.read(path).lines.size > 400
    end
    assert_empty(long)
  end

  test "scripts in bin and .ci can be executed" do
    scripts = Project.files("bin/*", ".ci/*", ".ci/rows/*", "test/native/run").select do |path|
      Project.read(path).start_with?("#!")
    end
    assert_operator(scripts.size, :>=, 4)
    assert_empty(scripts.reject { |path| File.executable?(File.join(Project::ROOT, path)) })
  end
end
