# frozen_string_literal: true

# Demo, input: the gem specifications installed on this machine, as plain values without a database.

require "date"
require "digest"
require "rubygems"

module Demo
  # One installed gem: what its specification says, and the files that are on the disk.
  InstalledSpecification = Struct.new(
    :name, :version, :platform, :summary, :homepage, :licenses, :authors, :required_ruby,
    :released_on, :installed_at, :default_gem, :dependencies, :files, keyword_init: true
  )

  # Reads every specification below the `specifications` folders of the given gem directories.
  #
  # Gem::Specification.each is not enough under Bundler: it then knows the gems of the bundle only.
  class Specifications
    include Enumerable

    # @param directories [Array<String>] gem directories, as in `Gem.path`; missing ones are skipped
    def initialize(directories)
      @directories = directories.map { |directory| File.expand_path(directory) }.uniq
    end

    # @return [String] changes when a gem is installed, removed or replaced
    def fingerprint
      lines = paths.map { |path| "#{path} #{File.mtime(path).to_r}" }
      Digest::SHA256.hexdigest(lines.join("\n"))
    end

    # Yields an InstalledSpecification per gem, sorted by name and version. A gem that stands in two
    # directories comes once, as RubyGems would take it: from the first of them.
    def each
      return to_enum unless block_given?

      specifications = paths.filter_map { |path| Gem::Specification.load(path) }
      specifications.uniq(&:full_name).sort_by do |spec|
        [spec.name, spec.version, spec.platform.to_s]
      end
                    .each { |spec| yield installed(spec) }
    end

    private

    def paths
      @paths ||= @directories.flat_map do |directory|
        Dir.glob("specifications/{,default/}*.gemspec", base: directory).sort.map do |path|
          File.join(directory, path)
        end
      end
    end

    def installed(spec)
      default_gem = File.basename(File.dirname(spec.loaded_from)) == "default"
      InstalledSpecification.new(
        name: spec.name, version: spec.version.to_s, platform: spec.platform.to_s,
        summary: text(spec.summary),
        homepage: text(spec.homepage), licenses: spec.licenses.map { |license| text(license) },
        authors: spec.authors.compact.map { |author| text(author) }.reject(&:empty?).uniq,
        required_ruby: spec.required_ruby_version.to_s, released_on: spec.date.to_date,
        installed_at: File.mtime(spec.loaded_from).utc, default_gem: default_gem,
        dependencies: spec.dependencies.map do |dependency|
          [dependency.name, dependency.requirement.to_s, dependency.type.to_s]
        end,
        files: default_gem ? library_files(spec) : files_below(spec.full_gem_path)
      )
    end

    # Specifications are written by strangers: what is no UTF-8 becomes U+FFFD here, once.
    def text(string)
      string&.dup&.force_encoding(Encoding::UTF_8)&.scrub&.strip
    end

    # Installed specifications do not list their files, so the disk is asked. [[path, bytes], …]
    def files_below(directory)
      Dir.glob("**/*", base: directory).sort.filter_map do |path|
        status = File.stat(File.join(directory, path))
        [text(path), status.size] if status.file?
      rescue SystemCallError
        nil                                              # a dangling link, or not ours to look at
      end
    end

    # A default gem lives in Ruby's own library; files that the distribution left out have no size.
    def library_files(spec)
      spec.files.uniq.sort.map do |path|
        inside = path.delete_prefix("lib/")
        found = LIBRARY_DIRECTORIES.map { |directory| File.join(directory, inside) }.find do |full|
          File.file?(full)
        end
        [text(path), found && File.size(found)]
      end
    end

    LIBRARY_DIRECTORIES = RbConfig::CONFIG.values_at("rubylibdir", "rubyarchdir").compact.freeze
    private_constant :LIBRARY_DIRECTORIES
  end
end
