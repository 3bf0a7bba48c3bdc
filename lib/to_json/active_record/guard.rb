# frozen_string_literal: true

# Layer: active_record. Notices associations that are loaded record by record while a document is
# written. Only this file changes ActiveRecord: it prepends a module to three methods of
# associations.

module ToJson
  module Preloading
    # The N+1 guard. It reports the second load of an association by the same field in one document.
    # It does not report loads by a field with `preload: false`, nor loads from the records that
    # such a field has loaded.
    # @api private
    module Guard
      # What the guard does: `:raise`, `:log`, or `:off`.
      MODES = %i[raise log off].freeze
      # Is prepended to associations of one record and to collections.
      module Loading
        def load_target
          return super if loaded? || !find_target? || !(tally = Guard.tally)

          tally.load(self) { super }
        end
      end

      # Is prepended to associations. Notes which association led to which records.
      module Reading
        def reader
          Guard.tally&.read(self)
          super
        end
      end
      private_constant :Loading, :Reading

      class << self
        # @return [Symbol, #call, nil]
        attr_writer :mode

        # @return [Symbol] one of {MODES}
        def mode
          mode = @mode.respond_to?(:call) ? @mode.call : @mode
          mode || :off
        end

        # Prepends the modules to ActiveRecord's classes. If the guard is never switched on, these
        # stay as they were.
        # @return [void]
        def install
          Writer.watch(true)
          return if @installed

          @installed = true
          ::ActiveRecord::Associations::Association.prepend(Loading)
          ::ActiveRecord::Associations::CollectionAssociation.prepend(Loading, Reading)
          ::ActiveRecord::Associations::SingularAssociation.prepend(Reading)
        end

        # @return [Tally, nil] of the document that this Fiber is writing; nil if the guard is off
        def tally
          return if (mode = self.mode) == :off

          places = Writer.places
          return if places.empty?

          notes = places.first.first # they are dropped with the outermost document
          (notes[:tally] ||= Tally.new).move_to(places, mode)
        end
      end

      # Counts what was loaded in one document, and in the documents that its blocks write.
      class Tally
        # The most getters that are remembered, and the most associations in a chain.
        MOST_READS = 256
        MOST_LINKS = 8
        private_constant :MOST_READS, :MOST_LINKS

        def initialize
          @counts = Hash.new(0)
          @reads = {}.compare_by_identity
          @exempt = {}
        end

        # @param places [Array] of {Writer.places}
        # @return [self]
        def move_to(places, mode)
          notes, path = places.last
          # Forgets what was read for another object.
          @reads.clear unless path == @path && notes.equal?(@notes)
          @places, @mode, @notes, @path = places, mode, notes, path
          self
        end

        # The getter of an association was called.
        def read(association)
          @reads.delete(association)
          @reads.shift if @reads.size == MOST_READS
          @reads[association] = true
        end

        # The association is about to ask the database.
        # @yield asks it
        def load(association)
          current = CurrentField.here
          return note_exempt(yield) if current.exempt? || exempt?(association.owner)

          shape = @places.map { |_, path, due| [path.gsub(/\[\d+\]/, "[]"), (current.path if due)] }
          count = @counts[[shape, association.reflection]] += 1
          report(association, current) if count == 2 || (count > 2 && @mode == :raise)
          yield
        end

        private

        def exempt?(record) = @exempt.each_value.any? { |records| records.key?(record) }

        # Notes records whose associations could not be preloaded either. They are kept with the
        # place where they were loaded, and dropped when the document has left that place, because
        # a stream may load any number of them.
        def note_exempt(target)
          here = @places.map { |_, path| path }.join(" ")
          @exempt.delete_if { |place, _| !here.start_with?(place) }
          records = @exempt[here] ||= {}.compare_by_identity
          (::Array === target ? target : [target]).each { |record| records[record] = true }
          target
        end

        # @raise [NPlusOneError]
        def report(association, current)
          error = NPlusOneError.new(Advice.new(current, chain(association)).text)
          _, path, due = @places.last
          error.place("#{path}#{".#{current.place}" if due && current.path}".freeze)
          raise error if @mode == :raise

          ::ActiveRecord::Base.logger&.warn("to_json: #{error.message}")
        end

        # @return [Array<ActiveRecord::Associations::Association>] the associations that lead from
        #   the object whose field is read to this one
        def chain(association)
          chain = [association]
          while chain.size < MOST_LINKS && (before = holder(chain.first.owner))
            chain.unshift(before)
          end
          chain
        end

        def holder(record)
          @reads.keys.reverse_each.find do |read|
            target = read.target
            ::Array === target ? target.any? { |one| one.equal?(record) } : target.equal?(record)
          end
        end
      end
      private_constant :Tally
    end
  end

  # @return [Symbol] what the N+1 guard does
  def self.n_plus_one = Preloading::Guard.mode

  # Switches the N+1 guard, for programs without Rails; in Rails use `config.to_json.n_plus_one`.
  # While a document is written, the guard notices an association that is loaded for one record
  # after the other. Defined where `to_json/active_record` is loaded.
  #
  # Caveats: the guard sees loads of associations, and no other queries, such as `count` or `where`.
  # It needs two records. A field with `preload: false` is left alone. Call this in the main Ractor.
  #
  # @param mode [Symbol] `:raise` raises {NPlusOneError}, `:log` writes its message to
  #   `ActiveRecord::Base.logger`, once for each field and document, `:off` (default) costs nothing
  # @return [Symbol]
  # @raise [ArgumentError] for another mode
  def self.n_plus_one=(mode)
    modes = Preloading::Guard::MODES
    unless modes.include?(mode)
      raise ArgumentError,
            "n_plus_one takes #{modes.map(&:inspect).join(" or ")}; got #{mode.inspect}"
    end

    Preloading::Guard.install unless mode == :off
    Preloading::Guard.mode = mode
  end
end
