# frozen_string_literal: true

# The project's own files, for the tests that read them (lints, documents, coverage).

# Paths are relative to ROOT.
module Project
  ROOT = File.expand_path("../..", __dir__)

  # Files that match any of the patterns, sorted, without build products.
  def self.files(*patterns)
    Dir.glob(patterns, base: ROOT).reject do |path|
      path.match?(%r{\A(tmp|vendor|coverage|doc|benchmark/results)/})
    end
       .select { |path| File.file?(File.join(ROOT, path)) }.sort
  end

  # The text of a file.
  def self.read(path) = File.read(File.join(ROOT, path), encoding: Encoding::UTF_8)

  # What `git ls-files` lists, or nil outside a git checkout.
  def self.tracked
    return nil unless File.exist?(File.join(ROOT, ".git"))

    out = IO.popen(["git", "-C", ROOT, "ls-files", "-z"], err: File::NULL, &:read)
    $?.success? ? out.split("\0") : nil
  rescue Errno::ENOENT
    nil
  end
end
