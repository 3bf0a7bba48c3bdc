# frozen_string_literal: true

module Bench
  # What was measured, as text for the report.
  module Sources
    # {table => {contender => Ruby}}: the definitions that it stands on, what is run before the
    # loop, and what is timed.
    def self.of(scenario)
      scenario.tables.to_h do |table|
        [table.name, table.contenders.to_h { |one| [one.name, text(table, one)] }]
      end
    end

    def self.text(table, contender)
      owners = [contender.group, contender.name, *contender.peer]
      setups = table.setups.select { |whose, *| whose.intersect?(owners) }.map { |_, text| text }
      before = contender.before && "#{contender.before.chomp}   # once, before the calls"
      [*setups, *contender.define, *before, contender.code].map(&:chomp).join("\n\n")
    end
    private_class_method :text
  end
end
