# frozen_string_literal: true

require "yaml"
require_relative "../contenders/gems"
require_relative "../contenders/shape"

# GET of 25 posts with 10 comments each and all their authors, and of one, in an application of
# Rails' generator (data/application.rb), through Rack with the middleware of production. Each
# contender has a process and an application of its own. `net` is what remains of a request after
# the one that runs the same queries and answers `head :ok`.
Bench.scenario 17, "request", "a Rails request" do
  author = {id: nil, name: nil}
  fields = {id: nil, title: nil, body: nil, published_at: nil, author: author,
            comments: [{id: nil, body: nil, author: author}]}
  columns = ->(shape) { shape.select { |_, field| field.nil? }.keys }
  options = lambda do |shape|
    inner = shape.compact.transform_values do |field|
      options[field.is_a?(Array) ? field[0] : field]
    end
    {only: columns[shape], include: inner}
  end
  words = {"OPTIONS" => options[fields].inspect,
           "INCLUDED" => "include: %i[author comments comments.author]"}
  contenders = YAML.safe_load_file(File.join(__dir__, "request.yml"))

  {index: [4, 1.5], show: [2, nil]}.each do |action, (net, whole)|
    table action.to_s, measure: "requests", apart: true, quick: action == :index do
      needs "railties", "activerecord", "sqlite3"
      data do
        require_relative "../data/application"
        Bench::Application.requests(action)
      end

      contenders.each do |name, one|
        query = {index: "@posts = Post.page(params[:page])", show: "@post = Post.find(params[:id])"}
        query.transform_values! { |text| text.sub("Post", "Post.whole") } unless one["loads"]
        actions = query.map do |method, text|
          code = one.fetch(method.to_s).gsub(/\b[A-Z]{4,}\b/) { |word| words.fetch(word, word) }
          "  def #{method}\n    #{text}\n    #{code}\n  end\n"
        end
        setup name, <<~RUBY
          Bench::Application.boot
          #{one["setup"]}
          #{Bench::Gems.classes(one["style"], "Post", fields) if one["style"]}
          class PostsController < ApplicationController
            #{one["within"]}
          #{actions.join("\n")}end
        RUBY
        contender name, one.fetch("group", "gem"), peer: one["peer"], differs: one["differs"],
                  maps: (Bench::Gems.method(:without_json_api) if one["style"] == "JsonApi"),
                  quick: one.fetch("quick", one["group"] == "ours"),
                  code: "Bench::Application.get(v.first)", base: "Bench::Application.get(v.last)"
      end
      reach "to_json, render json:", over: :gem, metric: "net", at_least: net
      reach "to_json, render json:", over: :gem, at_least: whole
    end
  end
end
