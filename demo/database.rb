# frozen_string_literal: true

# Demo, database: builds the SQLite file from the specifications, once, and opens it.

require "fileutils"
require_relative "models"
require_relative "specifications"

module Demo
  class Database
    # rows an INSERT: SQLite allows 32,766 bound values
    BATCH = 500
    private_constant :BATCH

    # @param path [String] where the SQLite file is or shall be
    # @param specifications [Specifications]
    def initialize(path, specifications)
      @path = path
      @specifications = specifications
      @fingerprint = "#{Schema::VERSION}:#{specifications.fingerprint}"
    end

    # Opens the database; builds it first when there is none or gems were installed since.
    # @yieldparam done [Integer] gems read so far
    # @return [Boolean] true if it was built now
    def open(rebuild: false, &progress)
      fresh = !rebuild && current?
      build(&progress) unless fresh
      connect(@path)
      !fresh
    end

    # @return [Hash{Symbol => Integer}] what SQL counts, the numbers that a document is held against
    def counts(gems = InstalledGem.all)
      ids = gems.reselect(:id).reorder(nil)
      ids = gems.pluck(:id) if gems.limit_value
      { gems: ids.size, authors: Authorship.where(installed_gem_id: ids).count,
        dependencies: Dependency.where(installed_gem_id: ids).count,
        files: GemFile.where(installed_gem_id: ids).count,
        bytes: GemFile.where(installed_gem_id: ids).sum(:bytes) }
    end

    private

    def connect(path)
      ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: path)
    end

    # False as well for a file that is no database, or one of another version of this program.
    def current?
      return false unless File.file?(@path)

      connect(@path)
      Note.find_by(name: "fingerprint")&.content == @fingerprint
    rescue ActiveRecord::ActiveRecordError
      false
    end

    # Builds beside and renames, so that an interrupted run leaves no half database behind.
    def build(&progress)
      FileUtils.mkdir_p(File.dirname(@path))
      part = "#{@path}.#{Process.pid}.part"
      connect(part)
      connection = ActiveRecord::Base.connection
      ActiveRecord::Schema.verbose = false
      connection.execute("PRAGMA synchronous = OFF")
      connection.execute("PRAGMA journal_mode = MEMORY")
      connection.transaction do
        Schema.create(connection)
        fill(&progress)
        Note.create!(name: "fingerprint", content: @fingerprint)
      end
      ActiveRecord::Base.connection_pool.disconnect!
      File.rename(part, @path)
    ensure
      FileUtils.rm_f(part) if part
    end

    def fill
      gems, authorships, dependencies, files, authors = [], [], [], [], {}
      @specifications.each.with_index(1) do |spec, id|
        gems << spec.to_h.except(:authors, :dependencies, :files).merge(id: id)
        spec.authors.each do |name|
          authorships << { installed_gem_id: id, author_id: (authors[name] ||= authors.size + 1) }
        end
        spec.dependencies.each do |name, requirement, kind|
          dependencies << { installed_gem_id: id, name: name, requirement: requirement, kind: kind }
        end
        spec.files.each do |path, bytes|
          files << { installed_gem_id: id, path: path, bytes: bytes }
        end
        yield id if block_given?
      end
      # the newest of a name: they come sorted
      targets = gems.to_h { |row| row.values_at(:name, :id) }
      dependencies.each { |row| row[:target_id] = targets[row[:name]] }
      { InstalledGem => gems, Author => authors.map { |name, id| { id: id, name: name } },
        Authorship =>
          authorships, Dependency => dependencies, GemFile => files }.each do |model, rows|
        rows.each_slice(BATCH) { |slice| model.insert_all!(slice, record_timestamps: false) }
      end
    end
  end
end
