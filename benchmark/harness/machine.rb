# frozen_string_literal: true

require "etc"
require "open3"

module Bench
  # What stands on the page beside the figures; a fact that cannot be found is nil.
  module Machine
    ROOT = File.expand_path("../..", __dir__)

    class << self
      def facts
        {"cpu" => cpu, "cores" => Etc.nprocessors, "memory_bytes" => memory,
         "system" => Etc.uname.values_at(:sysname, :release, :machine).join(" "),
         "compiler" => output("cc", "--version")&.lines&.first&.strip,
         "load_before" => load_average}
      end

      def commit
        changes = output("git", "-C", ROOT, "status", "--porcelain")
        {"id" => output("git", "-C", ROOT, "rev-parse", "--short=12", "HEAD")&.strip,
         "changed" => changes && !changes.empty?}
      end

      private

      def cpu
        (proc_file("cpuinfo") || "")[/^model name\s*:\s*(.+)/, 1] || Etc.uname[:machine]
      end

      def memory
        kilobytes = proc_file("meminfo")&.slice(/\AMemTotal:\s*(\d+)/, 1)
        kilobytes && (kilobytes.to_i * 1024)
      end

      # The one-minute average.
      def load_average = proc_file("loadavg")&.to_f

      def proc_file(name)
        path = "/proc/#{name}"
        File.read(path) if File.file?(path)
      end

      def output(*command)
        text, status = Open3.capture2e(*command)
        text if status.success?
      rescue Errno::ENOENT
        nil
      end
    end
  end
end
