# frozen_string_literal: true

# Demo, API: the database as a Rack application. Documents are made while they are sent, from
# find_each's batches.

require "rack"
require "to_json"
require_relative "models"

module Demo
  # A post announces a gem.
  class PostSerializer < ToJson::Serializer
    attribute :id
    attribute(:title) { |gem| "#{gem.name} #{gem.version}" }
    attributes summary: :text, released_on: :published_on
    attribute :homepage, skip_nil: true
    attributes :licenses
    attribute(:authors) { |gem| gem.authors.map(&:name) }
    has_many(:dependencies) { attributes :name, :requirement, :kind, installed?: :installed }
    has_many(:files) { attributes :path, :bytes }
  end

  class Api
    # gems with all their files in memory at a time
    BATCH = 25
    # at most: /posts?times=100 writes the table a hundred times
    TIMES = 1000
    PAGE = File.expand_path("page.html", __dir__)
    JSON_TYPE = "application/json"
    private_constant :BATCH, :TIMES, :PAGE, :JSON_TYPE

    # @param rows [Integer, nil] gems at most
    def initialize(rows: nil)
      @rows = rows
      @streams = 0
      @lock = Mutex.new
    end

    def call(env)
      request = Rack::Request.new(env)
      return text(405, { error: "only GET" }) unless request.get? || request.head?

      route(request.path_info, request.GET)
    rescue ToJson::UnknownFieldError, ToJson::SelectionError => error
      text(400, { error: error.message })
    rescue ActiveRecord::RecordNotFound
      text(404, { error: "no such post" })
    end

    private

    def route(path, parameters)
      only = parameters["fields"]
      case path
      when "/" then page
      when "/status" then text(200, status)
      when "/posts" then stream(:json, only, parameters["times"])
      when "/posts.ndjson" then stream(:ndjson, only, parameters["times"])
      when %r{\A/posts/(\d{1,9})\z}
        answer(200, JSON_TYPE, [PostSerializer.json!(gems.find(Integer($1, 10)), only: only)])
      else text(404, { error: "no such page" })
      end
    end

    def stream(format, only, times)
      times = (times || 1).to_i.clamp(1, TIMES)
      body = PostSerializer.stream(counted { |out| times.times { each_gem(out) } }, only: only,
                                   format: format)
      answer(200, body.content_type, body)
    end

    def each_gem(out) = gems.reorder(nil).find_each(batch_size: BATCH) { |gem| out << gem }

    # What the block gives, while it is read: /status tells how many such there are.
    def counted
      Enumerator.new do |out|
        count(1)
        yield out
      ensure
        count(-1)
      end
    end

    def count(change) = @lock.synchronize { @streams += change }

    def gems
      gems = InstalledGem.complete
      @rows ? gems.where(id: ..@rows) : gems
    end

    def status
      { memory: memory, streams: @streams, threads: Thread.list.size, posts: gems.count,
        ruby: RUBY_DESCRIPTION[/\A\S+ [\d.]+/], time: Time.now.utc }
    end

    # @return [Integer, nil] bytes of memory that this process has, where the system tells
    def memory
      File.read("/proc/self/status")[/^VmRSS:\s+(\d+) kB/, 1]&.to_i&.*(1024)
    rescue SystemCallError
      nil
    end

    def page = answer(200, "text/html; charset=utf-8", [File.read(PAGE, encoding: Encoding::UTF_8)])
    def text(status, value) = answer(status, JSON_TYPE, [ToJson.generate(value)])
    def answer(status, type, body)
      [status, { "content-type" => type, "cache-control" => "no-store" }, body]
    end
  end
end
