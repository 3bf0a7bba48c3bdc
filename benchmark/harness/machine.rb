# frozen_string_literal: true

require "etc"
require "open3"

module Bench
  ROOT = File.expand_path("../..", __dir__)

  # What stands on the page beside the figures; a fact that cannot be found is nil.
  module Machine
    class << self
      # `load_before` is the one-minute average.
      def facts
        cpu = proc_file("cpuinfo").to_s[/^model name\s*:\s*(.+)/, 1] || Etc.uname[:machine]
        {"cpu" => cpu, "cores" => Etc.nprocessors,
         "system" => Etc.uname.values_at(:sysname, :release, :machine).join(" "),
         "load_before" => proc_file("loadavg")&.to_f}
      end

      def commit
        changes = git("status", "--porcelain")
        {"id" => git("rev-parse", "--short=12", "HEAD")&.strip,
         "changed" => changes && !changes.empty?}
      end

      private

      def proc_file(name) = ("/proc/#{name}".then { |path| File.read(path) if File.file?(path) })

      def git(*arguments)
        text, status = Open3.capture2e("git", "-C", ROOT, *arguments)
        text if status.success?
      rescue Errno::ENOENT
        nil
      end
    end
  end
end
