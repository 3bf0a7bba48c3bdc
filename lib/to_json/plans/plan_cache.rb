# frozen_string_literal: true

# Layer: plans. The Plans of serializer classes: made at the first use of the class, kept with the
# class, and made again if something changes on which they depend.
#
# There is no lock. A Compilation builds everything aside, and then publishes it by one assignment
# for each class. So if it ends early (by an exception, a throw, Thread#kill, a fork of another
# thread, a stack overflow), nothing half made can be found, and no thread waits for user code or
# for a file that another thread loads. If two threads need the same Plan at once, both make it;
# either one is right. Only the main Ractor compiles.

module ToJson
  # A class keeps its Handles in an instance variable, so they are collected with the class. A
  # change of a class on which some Plan depends begins a new epoch. Then every Plan is compiled
  # again at its next use.
  # @api private
  module PlanCache
    # The Handles of a class that were compiled in one epoch, by their Units. Frozen. There is a
    # Unit for each declared view, each form, and each association with `only:` or `except:`. The
    # source of the application has all of them, so their number is limited.
    Published = Struct.new(:epoch, :handles)
    # The object in the instance variable of a class, also of a frozen one. A copy of the class
    # (`dup`, `clone`) has the same object, whose `owner` says that the copy must not use it.
    Shelf = Struct.new(:owner, :published)

    # Holds what a frozen class can no longer keep in its own variables: its Plan (see
    # ext/to_json/plans/plan.c), the Plans of its views, and its Definition. It is a module, because
    # other Ractors may read the variables of modules. `owner` as in {Shelf}.
    class Front < Module
      # @param owner [Class]
      def initialize(owner)
        super()
        @owner = owner
      end

      # @return [Class] the class that it belongs to
      attr_reader :owner
    end

    # Begins the names of methods that blocks of declarations become.
    BLOCKS = "__to_json_block_"

    class << self
      # @return [Plan, false] of calls without view:, only: and except:, compiled; false for a class
      #   that declares nothing
      def default(serializer_class)
        return foreign(serializer_class) unless Ractor.current == Ractor.main

        # This comes first: after it, a declaration by another thread begins a new epoch.
        use(serializer_class)
        epoch = self.epoch # before the class is read, as in {compiled}
        return undeclared(serializer_class, epoch) unless declares?(serializer_class)

        plan = compiled(serializer_class, nil, :object)
        keep(serializer_class, plan)
        # If another thread compiled the class too, one of the two Plans is published. That one is
        # kept, because the field that was read is found by what is published.
        while (published = published_plan(serializer_class)) && !published.equal?(plan)
          keep(serializer_class, plan = published)
        end
        plan
      end

      # Called by `choose`, which keeps the result: ext/to_json/plans/choices.c.
      # @return [Array(Plan, Mask or nil)] for the `view:`, `only:` and `except:` of a call
      # @raise [UnknownViewError, UnknownFieldError, SelectionError]
      def resolve(serializer_class, view, only, except, pairs)
        if imperative?(serializer_class) && !pairs
          selected = choose(serializer_class, view, only, except, true).freeze
          return [plan_of(serializer_class), selected]
        end
        unless Ractor.current == Ractor.main
          return elsewhere(serializer_class, view, only, except, pairs)
        end

        base = unit(serializer_class, view, pairs ? :pairs : :object)
        return [handle(base).plan, nil] if only.nil? && except.nil? && declared_views?(base)

        restrictions = [[(Selection.parse(only) unless only.nil?),
                         (Selection.parse(except) unless except.nil?)]].reject(&:none?)
        Mask.over(self,
                  Compiler::Unit.new(base.serializer_class, base.definition, base.views,
                                     restrictions, base.form))
      end

      # Called by `choose` for a class and one view. `choose` keeps the result, and reads with it
      # the choices that consist of names alone.
      # @return [NamedFields, false] false: names alone do not tell
      # @raise [UnknownViewError]
      def named_fields(serializer_class, view, pairs)
        return false if imperative?(serializer_class) && !pairs

        epoch = self.epoch
        Mask.named_fields(self, unit(serializer_class, view, pairs ? :pairs : :object), epoch)
      end

      # Called by NamedFields at the first use of an association.
      # @param index [Integer] the index of its entry
      # @return [NamedFields, nil] those of the objects inside; nil: only the value tells the
      #   serializer, or the declaration has `only:` or `except:`
      def named_inside(unit, plan, index, epoch)
        field = unit.definition.entries[index]
        return if field.only || field.except

        inner = Mask.inside(self, unit, plan, index) or return
        Mask.named_fields(self, inner, epoch) || nil
      end

      # Called by NamedFields.
      # @param bits [Integer] those of the entries that are written
      # @param inside [Hash{Integer => Mask}, nil] the Masks of associations that are written in
      #   part
      # @return [Mask]
      def named_mask(unit, plan, bits, inside)
        Mask.new(unit, plan, bits, inside || NOTHING, true)
      end

      # Called for a copy of a frozen class before the copy is frozen: makes its Shelf and Front.
      def prepare_copy(serializer_class)
        return unless Ractor.current == Ractor.main

        shelf_of(serializer_class)
        return if serializer_class.frozen? || front_of(serializer_class)

        serializer_class.instance_variable_set(:@to_json_front, Front.new(serializer_class))
      end

      # @return [Front, nil] of a class that is or will be frozen
      def front_of(serializer_class)
        front = serializer_class.instance_variable_get(:@to_json_front)
        front if front && front.owner.equal?(serializer_class)
      end

      # Called before a class is frozen: makes its Shelf and Front, and compiles it, because its
      # blocks become methods.
      def prepare(serializer_class)
        return unless Ractor.current == Ractor.main

        prepare_copy(serializer_class)
        compile_all(serializer_class)
      end

      # @return [Integer] the number of Plans that the class keeps
      def compile_all(serializer_class)
        plan = default(serializer_class) or return 0

        choose(serializer_class, nil, nil, nil, true) if plan.imperative?
        serializer_class.definition.view_names.each do |view|
          choose(serializer_class, view, nil, nil, plan.imperative?)
          choose(serializer_class, view, nil, nil, false)
        end
        if serializer_class.definition.writable?
          FirstUse.of(:Reading)
          Reading::CodeCache.compile_all(serializer_class)
        end
        published(serializer_class, epoch).size
      end

      # @param from [Array(Compiler::Unit, Field), nil] the association that needs the unit, for
      #   messages
      # @param epoch [Integer] the epoch before the unit's Definition was read
      # @return [Compiler::Handle] of a unit, compiled
      def handle(unit, from = nil, epoch = self.epoch)
        kept = kept(unit, epoch) and return kept

        made = Compiler::Compilation.new(epoch).run(unit, from)
        kept(unit, epoch) || made # another thread may have published its own first
      end

      # @return [Compiler::Handle, nil] of a unit that was compiled in that epoch
      def kept(unit, epoch) = published(unit.serializer_class, epoch)[unit]

      # @return [Hash{Compiler::Unit => Compiler::Handle}] of a class in that epoch
      def published(serializer_class, epoch)
        published = own_shelf(serializer_class)&.published
        published && published.epoch == epoch ? published.handles : NOTHING
      end

      # Other threads see all of these handles or none. Handles that are published already stay. If
      # two threads publish for one class at once, the handles of one may get lost; they are
      # compiled again.
      # @param handles [Hash{Compiler::Unit => Compiler::Handle}] compiled ones, of that class
      def publish(serializer_class, epoch, handles)
        shelf = shelf_of(serializer_class) or return
        all = handles.merge(published(serializer_class, epoch)).freeze
        shelf.published = Published.new(epoch, all).freeze
      end

      # @return [Class, nil] the serializer of a field, if it is known without a value; for an
      #   inline block, the class of the unit
      def inner_class(unit, field)
        return unit.serializer_class if field.definition
        return field.serializer if field.serializer.is_a?(Class)

        named(unit, field, field.serializer) if field.serializer.is_a?(String)
      end

      # @return [Compiler::Unit, nil] that writes the value of a field, if its fields are known
      #   without a value
      def inner_unit(unit, field, form)
        serializer_class = inner_class(unit, field) or return
        return unless field.definition || !imperative?(serializer_class)

        unit.inner(field, serializer_class, form)
      end

      # Finds one of the serializers among which a value chooses.
      # @param given [Class, String, Object] the serializer that the Hash of `serializer:` has for a
      #   type
      # @return [Class, nil] nil if it does not exist: only a value of that type raises an error
      def chosen_class(unit, field, given)
        found = given.is_a?(String) ? named(unit, field, given) : (given if given.is_a?(Class))
        watch(found) if found
        found
      rescue SerializerNotFound
        nil
      end

      # Finds the serializer class with that name. Code that is compiled with it is valid until
      # another serializer class is made, because the name may then refer to that one.
      # @param name [String] of a serializer of the field
      def named(unit, field, name)
        @by_name = true
        Lookup.resolve(unit.serializer_class, name, unit.place(field))
      end

      # Called when a serializer class was made: a name may refer to it from now on.
      def made = (next_epoch if @by_name && Ractor.current == Ractor.main)

      # @return [Plan, nil] the Plan of an association's serializer that declares nothing: it writes
      #   {}. nil if the serializer has its own serialize
      def plan_of_nothing(serializer_class)
        return if imperative?(serializer_class)

        Ractor.current == Ractor.main ? compiled(serializer_class, nil, :object)
                                      : refuse_foreign(serializer_class)
      end

      # From now on, a change of the class begins a new epoch, because something depends on it.
      def watch(serializer_class) = use(serializer_class)

      # Called after a change of the class. No Plan that depends on it, or on a class that inherits
      # from it, is used for a new document.
      # @param method [Symbol, nil] the method that changed; those that the compiler defines do not
      #   count
      def forget(serializer_class, method = nil)
        unless serializer_class.instance_variable_get(:@to_json_used) &&
               Ractor.current == Ractor.main
          return
        end

        next_epoch unless method&.start_with?(BLOCKS)
      end

      # @return [Rules, true] of the class; true: the global default
      def rules(serializer_class) = ToJson.effective_rules(serializer_class)

      # Whether the user gave the class a `serialize`.
      def imperative?(serializer_class)
        owner = serializer_class.instance_method(:serialize).owner
        owner != Serializer
      end

      # Refuses `cache` of a class with its own `serialize`, because its text may depend on more
      # than the key of the cache.
      def refuse_cache(serializer_class)
        return unless serializer_class.definition.cache

        raise DefinitionError,
              "#{serializer_class}: cache works only with declared fields, but the class defines " \
              "serialize. Remove serialize, or declare cache false."
      end

      # @return [Array<Class>] all classes below that one
      def descendants(serializer_class)
        Class.instance_method(:subclasses).bind_call(serializer_class).flat_map do |subclass|
          [subclass, *descendants(subclass)]
        end
      end

      private

      NOTHING = {}.freeze
      private_constant :NOTHING

      def declares?(serializer_class)
        serializer_class.respond_to?(:declared?) && serializer_class.declared?
      end

      # Keeps a Plan that has the Rules of the class, and says that the class declares nothing.
      def undeclared(serializer_class, epoch)
        refuse_cache(serializer_class) if serializer_class.respond_to?(:definition)
        plan = Plan.new(code: nil, row: nil, root_one: nil, root_many: nil, meta: nil,
                        serializer_class: serializer_class, rules: rules(serializer_class),
                        serializer: true, masked: false, imperative: true, declares: false,
                        epoch: epoch)
        keep(serializer_class, plan)
        false
      end

      # The Plan in another Ractor for a choice that the class does not keep. A list of one view
      # means that view.
      def elsewhere(serializer_class, view, only, except, pairs)
        unless only.nil? && except.nil?
          raise Error,
                "#{serializer_class}: only: and except: work only in the main Ractor. Declare a " \
                "view or another class instead."
        end

        if view.is_a?(Array) && view.size == 1
          return choose(serializer_class, view.first, nil, nil, pairs)
        end

        refuse_foreign(serializer_class, " of view #{view.inspect}")
      end

      # Another Ractor may use what the main one has made, but it cannot make anything.
      def foreign(serializer_class)
        return false unless declares?(serializer_class)

        refuse_foreign(serializer_class)
      end

      def refuse_foreign(serializer_class, which = nil)
        raise Error,
              "#{serializer_class}: no Plan#{which} can be used in this Ractor. Call " \
              "ToJson.compile! in the main Ractor first. Blocks that use local variables around " \
              "them cannot be shared."
      end

      # The epoch is read before the class. So a Plan of a Definition that another thread replaces
      # meanwhile belongs to the epoch that ends, and is not kept in the next one.
      # @return [Plan]
      def compiled(serializer_class, view, form)
        epoch = self.epoch
        handle(unit(serializer_class, view, form), nil, epoch).plan
      end

      # @return [Plan, nil] of calls without view:, only: and except:
      def published_plan(serializer_class)
        epoch = self.epoch
        kept(unit(serializer_class, nil, :object), epoch)&.plan
      end

      def unit(serializer_class, view, form) = Compiler::Unit.of(serializer_class, view, form)

      # Any other composition of views may come from a client, so their number is not limited.
      def declared_views?(unit) = unit.views.size < 2 || unit.views == unit.definition.default_views

      # @return [Shelf, nil] nil: a frozen class that was not prepared keeps nothing
      def shelf_of(serializer_class)
        shelf = own_shelf(serializer_class)
        return shelf if shelf || serializer_class.frozen?

        use(serializer_class)
        serializer_class.instance_variable_set(:@to_json_plans, Shelf.new(serializer_class))
      end

      def own_shelf(serializer_class)
        shelf = serializer_class.instance_variable_get(:@to_json_plans)
        shelf if shelf && shelf.owner.equal?(serializer_class)
      end
    end
  end
end
