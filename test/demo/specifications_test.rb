# frozen_string_literal: true

# demo/specifications.rb: what is read from the gems installed on a machine.

require_relative "demo_case"

class DemoSpecificationsTest < DemoCase
  def setup
    demo "specifications"
  end

  test "a gem comes with the files that are on the disk and their sizes" do
    gem_directory({ "anvil-1.2" => { "lib/anvil.rb" => "abc", "README" => "" } }) do |directory|
      spec = Demo::Specifications.new([directory]).first
      assert_equal(["anvil", "1.2", "ruby", "does anvil", ["MIT"], ["Ada"], Date.new(2026, 11, 20),
                    false],
                   spec.to_h.values_at(:name, :version, :platform, :summary, :licenses, :authors,
                                       :released_on, :default_gem))
      assert_equal([["README", 0], ["lib/anvil.rb", 3]], spec.files)
      assert_equal([["rake", ">= 1", "runtime"]], spec.dependencies)
    end
  end

  test "a default gem lists the files of its specification, without a size where there are none" do
    gem_directory({ "set-9.9" => { "lib/set.rb" => nil, "lib/no_such_file.rb" => nil } },
                  default: true) do |directory|
      spec = Demo::Specifications.new([directory]).first
      assert(spec.default_gem)
      assert_equal(["lib/no_such_file.rb", nil], spec.files[0])
      assert_equal("lib/set.rb", spec.files[1][0])
      assert_operator(spec.files[1][1], :>, 0)
    end
  end

  test "gems come sorted by name, then by version as versions compare" do
    gem_directory({ "b-1.0" => {}, "a-10.0" => {}, "a-9.0" => {} }) do |directory|
      assert_equal(%w[a-9.0 a-10.0 b-1.0],
                   Demo::Specifications.new([directory]).map do |spec|
                     "#{spec.name}-#{spec.version}"
                   end)
    end
  end

  test "a gem that stands in two directories comes once, from the first" do
    gem_directory({ "a-1.0" => {} }, authors: ["First"]) do |first|
      gem_directory({ "a-1.0" => {} }, authors: ["Second"]) do |second|
        assert_equal([["First"]], Demo::Specifications.new([first, second]).map(&:authors))
      end
    end
  end

  test "directories that do not exist add nothing" do
    assert_empty(Demo::Specifications.new([File.join(Dir.tmpdir, "no", "such", "place")]).to_a)
  end

  test "a path that is no UTF-8 is made readable" do
    gem_directory({ "a-1.0" => { "caf\xE9".b => "x" } }) do |directory|
      path, bytes = Demo::Specifications.new([directory]).first.files.fetch(0)
      assert_equal(["caf\u{FFFD}", 1], [path, bytes])
      assert_predicate(path, :valid_encoding?)
    end
  end

  test "the fingerprint stays while nothing changes, and changes with a new gem" do
    gem_directory({ "a-1.0" => {} }) do |directory|
      one = Demo::Specifications.new([directory]).fingerprint
      assert_equal(one, Demo::Specifications.new([directory]).fingerprint)
      File.write(File.join(directory, "specifications", "b-1.0.gemspec"), "")
      refute_equal(one, Demo::Specifications.new([directory]).fingerprint)
    end
  end

  test "the machine that runs this has gems" do
    assert_operator(Demo::Specifications.new(Gem.path + [Gem.default_dir]).count, :>, 10)
  end
end
