# frozen_string_literal: true

# A page as a tree, strictly: every element is closed in order, every attribute stands in quotes,
# `<` and `&` of text are escaped.

require "cgi"

# An element; children are elements and Strings.
PageTree = Struct.new(:name, :attributes, :children) do
  # @return [PageTree] a nameless root
  # @raise [RuntimeError] where the text is not well-formed
  def self.parse(text)
    open = [new(nil, {}, [])]
    text.sub(
      /\A<!DOCTYPE html>\n/, ""
    ).scan(%r{<style>.*?</style>|<!--.*?-->|<[^>]*>|[^<]+}m) do |token|
      case token
      when /\A<style>/, /\A<!--/ then next
      when %r{\A</(\w+)>\z}
        if open.size > 1 && open.last.name == $1
          open.pop
        else
          raise("</#{$1}> ends <#{open.last.name}>")
        end
      when %r{\A<(\w+)((?:\s+[\w-]+(?:="[^"<]*")?)*)\s*(/?)>\z}
        name, pairs, closed = $1, $2, $3
        element = new(name,
                      pairs.scan(/([\w-]+)(?:="([^"]*)")?/)
                        .to_h { |key, value| [key, CGI.unescapeHTML(value.to_s)] }, [])
        open.last.children << element
        open << element unless closed == "/" || PageTree::VOID.include?(name)
      when /\A</ then raise("no tag: #{token[0, 80]}")
      else
        if token.match?(/&(?!(amp|lt|gt|quot|#39);)/)
          raise("an & that is no entity: #{token[0, 80]}")
        end

        open.last.children << CGI.unescapeHTML(token)
      end
    end
    raise("<#{open.last.name}> is not closed") if open.size > 1

    open.first
  end

  # All elements below that are of this name (nil: any) and have these attributes.
  def all(name = nil, **attributes)
    children.grep(PageTree).flat_map do |child|
      fits = (name.nil? || child.name == name) && attributes.all? do |key, value|
        child.attributes[key.to_s] == value
      end
      (fits ? [child] : []) + child.all(name, **attributes)
    end
  end

  # Its text, white space as one space.
  def text = words.join(" ").gsub(/\s+/, " ").strip

  def words = children.flat_map { |child| child.is_a?(String) ? child : child.words }
end
PageTree::VOID = %w[meta link br input hr img].freeze
