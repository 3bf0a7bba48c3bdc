# frozen_string_literal: true

# Layer: none below it. What stands on the page beside the figures: machine, commit, time.

require "etc"
require "open3"

module Bench
  # Facts as results.json has them; one that cannot be found is nil.
  module Machine
    ROOT = File.expand_path("../..", __dir__)

    def self.facts
      {"cpu" => cpu, "cores" => Etc.nprocessors, "memory_bytes" => memory, "system" => Etc.uname.values_at(:sysname, :release, :machine).join(" "),
       "compiler" => line("cc", "--version"), "load_before" => load_average}
    end

    def self.commit = {"id" => git("rev-parse", "--short=12", "HEAD"), "changed" => git("status", "--porcelain").then { |text| text && !text.empty? }}

    def self.cpu
      names = File.file?("/proc/cpuinfo") ? File.foreach("/proc/cpuinfo").filter_map { |line| line[/\Amodel name\s*:\s*(.+)/, 1] } : []
      names.first || Etc.uname[:machine]
    end

    def self.memory
      return unless File.file?("/proc/meminfo")

      kilobytes = File.read("/proc/meminfo")[/\AMemTotal:\s*(\d+)/, 1]
      kilobytes && (kilobytes.to_i * 1024)
    end

    # The one-minute average: above 0.5 something else ran too.
    def self.load_average
      File.file?("/proc/loadavg") ? File.read("/proc/loadavg").to_f : nil
    end

    def self.git(*arguments)
      text, status = Open3.capture2e("git", "-C", ROOT, *arguments)
      text.strip if status.success?
    rescue Errno::ENOENT
      nil
    end

    def self.line(*command)
      text, status = Open3.capture2e(*command)
      text.lines.first&.strip if status.success?
    rescue Errno::ENOENT
      nil
    end

    private_class_method :cpu, :memory, :load_average, :git, :line
  end
end
