# frozen_string_literal: true

# Demo, peers: the document of examples/class_form.rb made the natural fast way of three other
# libraries.

require "active_support"
require "jbuilder"
require "json"
require "oj"

module Demo
  module Peers
    module_function

    # Temporary Hashes and Arrays, then the json gem.
    def hash_generate(gems)
      JSON.generate(gems: gems.map { |gem| gem_hash(gem) })
    end

    def gem_hash(gem)
      hash = { name: gem.name, version: gem.version, about: gem.summary }
      homepage = gem.homepage
      hash[:homepage] = homepage unless homepage.nil?
      hash[:licenses] = gem.licenses
      hash[:required_ruby] = gem.required_ruby
      hash[:released_on] = gem.released_on.iso8601
      hash[:installed_at] = gem.installed_at.iso8601(3)
      hash[:default] = gem.default_gem
      hash[:authors] = gem.authors.map(&:name)
      hash[:dependencies] = gem.dependencies.map do |dependency|
        { name: dependency.name, requirement: dependency.requirement, kind: dependency.kind,
          installed: dependency.installed? }
      end
      hash[:files] = gem.files.map { |file| { path: file.path, bytes: file.bytes } }
      hash
    end

    # A writer in C, told every pair.
    def oj_string_writer(gems)
      writer = Oj::StringWriter.new(mode: :strict)
      writer.push_object
      writer.push_array("gems")
      gems.each { |gem| push_gem(writer, gem) }
      writer.pop_all
      writer.to_s
    end

    def push_gem(writer, gem)
      writer.push_object
      writer.push_value(gem.name, "name")
      writer.push_value(gem.version, "version")
      writer.push_value(gem.summary, "about")
      homepage = gem.homepage
      writer.push_value(homepage, "homepage") unless homepage.nil?
      writer.push_value(gem.licenses, "licenses")
      writer.push_value(gem.required_ruby, "required_ruby")
      writer.push_value(gem.released_on.iso8601, "released_on")
      writer.push_value(gem.installed_at.iso8601(3), "installed_at")
      writer.push_value(gem.default_gem, "default")
      writer.push_array("authors")
      gem.authors.each { |author| writer.push_value(author.name) }
      writer.pop
      writer.push_array("dependencies")
      gem.dependencies.each { |dependency| push_dependency(writer, dependency) }
      writer.pop
      writer.push_array("files")
      gem.files.each do |file|
        writer.push_object
        writer.push_value(file.path, "path")
        writer.push_value(file.bytes, "bytes")
        writer.pop
      end
      writer.pop
      writer.pop
    end

    def push_dependency(writer, dependency)
      writer.push_object
      writer.push_value(dependency.name, "name")
      writer.push_value(dependency.requirement, "requirement")
      writer.push_value(dependency.kind, "kind")
      writer.push_value(dependency.installed?, "installed")
      writer.pop
    end

    # The DSL of Rails; it makes Hashes and hands them to ActiveSupport's encoder.
    def jbuilder(gems)
      Jbuilder.encode do |json|
        json.gems gems do |gem|
          json.call(gem, :name, :version)
          json.about gem.summary
          json.homepage gem.homepage unless gem.homepage.nil?
          json.call(gem, :licenses, :required_ruby, :released_on, :installed_at)
          json.default gem.default_gem
          json.authors gem.authors.map(&:name)
          json.dependencies gem.dependencies do |dependency|
            json.call(dependency, :name, :requirement, :kind)
            json.installed dependency.installed?
          end
          json.files gem.files, :path, :bytes
        end
      end
    end

    # Calls every getter that the others call, and writes nothing: the part that no library can
    # save.
    def read(gems)
      gems.each do |gem|
        gem.name; gem.version; gem.summary; gem.homepage; gem.licenses
        gem.required_ruby; gem.released_on; gem.installed_at; gem.default_gem
        gem.authors.each(&:name)
        gem.dependencies.each do |dependency|
          dependency.name; dependency.requirement; dependency.kind; dependency.installed?
        end
        gem.files.each { |file| file.path; file.bytes }
      end
    end
  end
end
