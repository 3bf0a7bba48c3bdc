# frozen_string_literal: true

# Holds three lists of what is public against each other and prints a line for each difference: the
# documented (YARD), the signed (sig/*.rbs), and what the loaded library has. A process of its own,
# since it loads YARD and RBS:
#
#   ruby -Ilib test/docs/api.rb
#
# Its last line says how much was compared. Code in the first argument changes the library then, and
# all is compared once more. Exit status 1 where there was a difference before, and 2 where YARD or
# RBS is not installed.

begin
  require "rbs"
  require "yard"
rescue LoadError => error
  puts error.message
  exit 2
end
require "to_json"

module Api
  ROOT = File.expand_path("../..", __dir__)

  # Opt-in files, and what they define. What hooks into a library that is not installed is compared
  # nowhere.
  HOOKS = { "to_json/active_record" =>
              %w[ToJson::Preloading ToJson.preload ToJson::Declarations#preloads
                 ToJson::Rows ToJson.rows ToJson::Declarations#explain_rows],
            "to_json/active_support" =>
              "ToJson::ActiveSupportEncoder", "to_json/json" => "ToJson::JsonGenerate",
              "to_json/multi_json" => "ToJson::MultiJsonAdapter",
            "to_json/oj" =>
              "ToJson::OjDump",
              "to_json/rails" => %w[ToJson::Railtie ToJson::Rendering ToJson::Settings],
              "to_json/roda" => "ToJson::RodaPlugin",
              "to_json/sinatra" => "ToJson::SinatraJson",
            "to_json/testing" => "ToJson::Testing" }.freeze
  ABSENT = HOOKS.reject do |path, _|
    require path
    true
  rescue LoadError
    false
  end.values.flatten.freeze

  def self.present(paths)
    ABSENT.empty? ? paths : paths.reject { |path| path.start_with?(*ABSENT) }
  end

  # "ToJson", "ToJson::Rules", "ToJson.generate", "ToJson::Rules#with", "ToJson::VERSION"
  module Documented
    YARD::Registry.clear
    YARD::Logger.instance.level = YARD::Logger::ERROR
    # What says that the compiler is private, first: .yardopts has it so too.
    YARD
      .parse(
        [File.join(ROOT, "lib/to_json/compiling/compiler.rb")] +
          Dir[File.join(ROOT, "lib/**/*.rb")].sort
      )
    OBJECTS = YARD::Registry.all.reject { |object| object.root? }.freeze

    def self.private_api?(object) = object.has_tag?(:api) && object.tag(:api).text == "private"

    # @api private, private_constant, or inside of something that is.
    def self.hidden?(object)
      until object.nil? || object.root?
        return true if private_api?(object) || object.visibility != :public

        object = object.namespace
      end
      false
    end

    def self.path(object) = object.path.sub(/(?<=ToJson)\.(?=[A-Z])/, "::")
    def self.all = OBJECTS.map { |object| path(object) }
    def self.visible = OBJECTS.reject { |object| hidden?(object) }.map { |object| path(object) }
  end

  module Signed
    LOADER = RBS::EnvironmentLoader.new
    LOADER.add(path: Pathname(File.join(ROOT, "sig")))
    ENVIRONMENT = RBS::Environment.from_loader(LOADER).resolve_type_names
    DEFINITIONS = RBS::DefinitionBuilder.new(env: ENVIRONMENT)

    def self.names
      ENVIRONMENT.class_decls.keys.map do |name|
        name.to_s.delete_prefix("::")
      end.grep(/\AToJson(::|\z)/)
    end

    def self.constants
      ENVIRONMENT.constant_decls.keys.map do |name|
        name.to_s.delete_prefix("::")
      end.grep(/\AToJson::/)
    end

    def self.type_name(name) = RBS::TypeName.parse("::#{name}")

    # Method name => its RBS definition, of those that the class itself declares.
    def self.methods_of(name, kind)
      definition =
        if kind == :instance
          DEFINITIONS.build_instance(type_name(name))
        else
          DEFINITIONS.build_singleton(type_name(name))
        end
      definition.methods.select do |called, method|
        method.defs.any? do |one|
          one.implemented_in.to_s == "::#{name}" &&
            !(called == :new && one.member.name == :initialize)
        end
      end
    end

    def self.all
      names.flat_map do |name|
        [name, *methods_of(name, :instance).keys.map { |method| "#{name}##{method}" },
         *methods_of(name, :singleton).keys.map { |method| "#{name}.#{method}" }]
      end + constants
    end
  end

  module Real
    def self.module_of(name) = Object.const_get(name)

    # Public methods that stand in the module itself.
    def self.all(names)
      names.flat_map do |name|
        found = module_of(name)
        own = found.singleton_methods(false) -
              (found.is_a?(Class) ? found.superclass.singleton_methods : [])
        found.public_instance_methods(false).map { |method| "#{name}##{method}" } +
          own.map do |method|
          "#{name}.#{method}"
        end
      end
    end

    def self.there?(path)
      case path
      when /\A(.+)#(initialize|serialize)\z/
        module_of($1).method_defined?($2) || module_of($1).private_method_defined?($2)
      when /\A(.+)#(.+)\z/ then module_of($1).public_method_defined?($2)
      when /\A(.+)\.([^.:]+)\z/ then module_of($1).respond_to?($2)
      else Object.const_defined?(path)
      end
    end
  end

  # Positional arguments that a method in Ruby takes, [least, most], and its keywords; nil for
  # native ones.
  def self.real_shape(path)
    method =
      if path.include?("#")
        Real.module_of(path[/\A[^#]+/]).instance_method(path[/#(.+)/, 1])
      else
        Real.module_of(path[/\A[^.]+/]).method(path[/\.(.+)/, 1])
      end
    return if method.source_location.nil?

    kinds = method.parameters.group_by(&:first).transform_values(&:size)
    least = kinds.fetch(:req, 0)
    [least, kinds.key?(:rest) ? Float::INFINITY : least + kinds.fetch(:opt, 0)]
  end

  # Signatures whose arguments the method does not take.
  def self.wrong_shapes
    present(Signed.names).flat_map do |name|
      { instance: "#", singleton: "." }.flat_map do |kind, mark|
        Signed.methods_of(name, kind).filter_map do |method, definition|
          path = "#{name}#{mark}#{method}"
          next if method == :initialize || !Real.there?(path) || !(shape = real_shape(path))

          takes = definition.method_types.map { |type| type.type }.map do |type|
            least = type.required_positionals.size + type.trailing_positionals.size
            [least,
             type.rest_positionals ? Float::INFINITY : least + type.optional_positionals.size]
          end
          if takes.any? { |least, most| least < shape[0] || most > shape[1] }
            "#{path}: sig takes #{takes.inspect} arguments, the method #{shape.inspect}"
          end
        end
      end
    end
  end

  def self.problems
    documented, signed = present(Documented.visible), present(Signed.all)
    names = documented.select do |path|
      path.match?(/\A[A-Z]\w*(::[A-Z]\w*)*\z/) && Object.const_get(path).is_a?(Module)
    end
    [
      *(documented - signed).map { |path| "#{path}: documented, but not in sig" },
      *(signed - documented).map { |path| "#{path}: in sig, but not documented as public" },
      *(Real.all(names) - Documented.all)
        .map { |path| "#{path}: public, but neither documented nor marked @api private" },
      *(documented | signed).reject { |path| Real.there?(path) }
        .map { |path| "#{path}: documented or in sig, but not there" },
      *wrong_shapes
    ]
  end
end

problems = Api.problems
puts problems
puts "#{Api::Documented.visible.size} public names compared"
unless ARGV.empty?
  Object.class_eval(ARGV.first)
  puts Api.problems
end
exit(problems.empty? ? 0 : 1)
