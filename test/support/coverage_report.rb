# frozen_string_literal: true

# What the processes of a run covered together (coverage.rb). Each file of lib/ that lacks something
# is listed.
class CoverageReport
  FLOOR = 95.0 # percent of the lines, and of the branches

  # @param directory [String] where the processes leave their counts
  # @return [Hash] for the environment of a process
  def self.environment(directory)
    measure = "-r#{File.expand_path("coverage.rb", __dir__)}"
    { "TO_JSON_COVERAGE_INTO" => directory,
      "RUBYOPT" => [ENV.fetch("RUBYOPT", nil), measure].compact.join(" ") }
  end

  # @param directory [String] where the processes left their counts
  def initialize(directory)
    @files = {} # name => { lines: [count or nil], branches: [["7 else", count]] }
    Dir[File.join(directory, "*")].each do |path|
      Marshal.load(File.binread(path)).each do |counts|
        counts.each { |name, file| add(name, file) }
      end
    end
  end

  # Prints a line for each file that lacks something, then the totals.
  # @return [Boolean] whether lines and branches both reach FLOOR
  def enough?
    @files.sort.each { |name, file| lacks(name, file) }
    [reach?(:lines, @files.values.flat_map { |file| file[:lines].compact }),
     reach?(:branches, @files.values.flat_map { |file| file[:branches].map(&:last) })].all?
  end

  private

  def add(name, file)
    return @files[name] = file unless (sums = @files[name])

    sums[:lines] = sums[:lines].zip(file[:lines]).map { |sum, count| sum && (sum + count) }
    sums[:branches] = sums[:branches].zip(file[:branches]).map do |(way, sum), (_, count)|
      [way, sum + count]
    end
  end

  def lacks(name, file)
    lines = file[:lines].each_index.select { |index| file[:lines][index] == 0 }
    branches = file[:branches].select { |_, count| count.zero? }.map(&:first).uniq
    puts "  #{name}: lines never run: #{lines.map(&:succ).join(" ")}" unless lines.empty?
    puts "  #{name}: a branch never taken: #{branches.join(", ")}" unless branches.empty?
  end

  def reach?(kind, counts)
    share = counts.empty? ? 0.0 : 100.0 * counts.count(&:positive?) / counts.size
    puts format("Ruby coverage, %-8s %5.1f %% of %d (at least %.0f %%)", kind, share, counts.size,
                FLOOR)
    share >= FLOOR
  end
end
