# frozen_string_literal: true

# demo/database.rb: built once, from the specifications, and built anew when these change.

require_relative "demo_case"

class DemoDatabaseTest < DemoCase
  GEMS = { "anvil-1.2" => { "lib/anvil.rb" => "abc", "README" => "12345" },
           "rake-13.0" => { "lib/rake.rb" => "" } }.freeze

  def setup
    demo "database"
  end

  def teardown
    if defined?(ActiveRecord::Base)
      ActiveRecord::Base.connection_handler.clear_all_connections!(:all)
    end
  end

  # Yields a way to open the database of these gems, [database, was it built?], and its path.
  def with_gems(gems = GEMS, **options)
    gem_directory(gems, **options) do |directory|
      path = File.join(directory, "demo", "gems.sqlite3")
      yield(lambda { |**how|
        database = Demo::Database.new(path, Demo::Specifications.new([directory]))
        [database, database.open(**how)]
      }, path, directory)
    end
  end

  test "SQL counts what the specifications hold" do
    with_gems do |open|
      database, = open.call
      assert_equal({ gems: 2, authors: 2, dependencies: 2, files: 3, bytes: 8 }, database.counts)
      assert_equal({ gems: 1, authors: 1, dependencies: 1, files: 2, bytes: 8 },
                   database.counts(Demo::InstalledGem.order(:id).limit(1)))
    end
  end

  test "a gem has its authors, dependencies and files, in order" do
    with_gems(authors: %w[Zoe Ada]) do |open|
      open.call
      anvil = Demo::InstalledGem.complete.to_a.first
      assert_equal(["anvil", "1.2", ["MIT"], Date.new(2026, 11, 20), false],
                   [anvil.name, anvil.version, anvil.licenses, anvil.released_on,
                    anvil.default_gem])
      assert_equal(%w[Zoe Ada], anvil.authors.map(&:name))
      assert_equal([["rake", ">= 1", "runtime", true]],
                   anvil.dependencies.map { |d| [d.name, d.requirement, d.kind, d.installed?] })
      assert_equal([["README", 5], ["lib/anvil.rb", 3]],
                   anvil.files.map { |file| [file.path, file.bytes] })
    end
  end

  test "a dependency on a gem that is not there is not installed" do
    with_gems({ "anvil-1.2" => {} }) do |open|
      open.call
      refute_predicate(Demo::Dependency.sole, :installed?)
    end
  end

  test "one name is one author, whatever the number of gems" do
    with_gems do |open|
      open.call
      assert_equal(["Ada"], Demo::Author.pluck(:name))
    end
  end

  test "it is built once, and again only when asked or when the gems changed" do
    with_gems do |open, _, directory|
      built = [{}, {}, { rebuild: true }, {}].map { |how| open.call(**how).last }
      assert_equal([true, false, true, false], built)
      FileUtils.rm(File.join(directory, "specifications", "anvil-1.2.gemspec"))
      assert(open.call.last)
      assert_equal(["rake"], Demo::InstalledGem.pluck(:name))
    end
  end

  ["no database at all", "", "SQLite format 3\0 and then nothing"].each do |content|
    test "a file that holds #{content.inspect} is replaced" do
      with_gems do |open, path|
        FileUtils.mkdir_p(File.dirname(path))
        File.write(path, content)
        database, built = open.call
        assert(built)
        assert_equal(2, database.counts[:gems])
      end
    end
  end

  test "an interrupted build leaves nothing behind" do
    with_gems do |open, path, directory|
      database = Demo::Database.new(path, Demo::Specifications.new([directory]))
      assert_raises(Interrupt) { database.open { raise Interrupt } }
      assert_empty(Dir.children(File.dirname(path)))
      assert(open.call.last)
    end
  end

  test "no gems at all make an empty database" do
    with_gems({}) do |open|
      assert_equal({ gems: 0, authors: 0, dependencies: 0, files: 0, bytes: 0 },
                   open.call.first.counts)
    end
  end
end
