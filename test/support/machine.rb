# frozen_string_literal: true

# What some tests need of the machine, which a chroot or a container may not have: where it is
# missing they are skipped and say so. In CI nothing may be skipped (.ci/tally.rb).

# Called in a test before it uses that.
module Machine
  # This process's memory and the like in /proc/self, as Linux has it. Files there may be
  # read-only, so a test that writes to one says `writable: true`.
  def needs_proc(file = "status", writable: false)
    path = "/proc/self/#{file}"
    here = writable ? File.writable?(path) : File.readable?(path)
    skip "did not run: #{path} is not here" unless here
  end

  # A terminal device, as PTY opens one: needs /dev/ptmx and /dev/pts.
  def needs_terminal
    require "pty"
    PTY.open { nil }
  rescue LoadError, NotImplementedError, RuntimeError, SystemCallError => error
    skip "did not run: no terminal device is here (#{error.message})"
  end
end

ToJsonTest.include(Machine)
