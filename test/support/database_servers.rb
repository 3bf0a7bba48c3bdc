# frozen_string_literal: true

# PostgreSQL and MariaDB servers of the tests' own: started at first use in a directory that is
# removed afterwards, reachable through a socket in it and by no network, run by the user of the
# tests, or, if that is root, by the user `nobody`. They end with this process and its forks, also
# where these are killed: a shell beside each server waits for the end of a pipe that only they
# hold.

require "etc"
require "fileutils"
require "tmpdir"

# Names are those of ActiveRecord's adapters: postgresql, mysql2, trilogy; sqlite3 needs no server.
module DatabaseServers
  ADAPTERS = %w[sqlite3 postgresql mysql2 trilogy].freeze
  # What each adapter requires, and which server it talks to.
  GEMS = { "sqlite3" => "sqlite3", "postgresql" => "pg", "mysql2" => "mysql2",
           "trilogy" => "trilogy" }.freeze
  SERVERS = { "postgresql" => :postgresql, "mysql2" => :mariadb, "trilogy" => :mariadb }.freeze
  # Of both, with Debian's packages.
  PROGRAMS = { postgresql: ["initdb", "postgres", "postgresql"],
               mariadb: ["mariadb-install-db", "mariadbd", "mariadb-server"] }.freeze
  PLACES = ["/usr/sbin", "/usr/libexec", *Dir["/usr/lib/postgresql/*/bin"].sort.reverse].freeze
  USER = "tests"
  SECONDS = 60 # to start
  # $1 is a signal, the rest the server's command.
  KEEPER = <<~SHELL
    signal=$1; shift
    "$@" </dev/null & server=$!
    read -r _
    kill "-$signal" "$server"
    wait "$server"
    rm -rf -- "$PWD"
  SHELL

  # A server that runs.
  Server = Struct.new(:directory, :pipe, :keeper)
  private_constant :Server

  @servers = {}

  class << self
    # @return [String, nil] why there is no database for the adapter
    def missing(adapter)
      begin
        require GEMS.fetch(adapter)
      rescue LoadError
        return "the gem #{GEMS.fetch(adapter)} is not installed"
      end
      kind = SERVERS[adapter] or return
      *programs, package = PROGRAMS.fetch(kind)
      absent = programs.find { |name| program(name).nil? }
      absent && "no #{absent} is here (Debian's package #{package})"
    end

    # @return [Hash] for `establish_connection`: an empty database of the given name
    def configuration(adapter, database = "tests")
      return { adapter: adapter, database: ":memory:" } if adapter == "sqlite3"

      require GEMS.fetch(adapter)
      kind = SERVERS.fetch(adapter)
      server = @servers[kind] ||= start(kind)
      case kind
      when :postgresql
        { adapter: adapter, host: server.directory, username: USER, database: database,
          encoding: "unicode" }
      else
        { adapter: adapter, socket: File.join(server.directory, "socket"), username: "root",
          database: database, encoding: "utf8mb4" }
      end
    end

    # Creates the database anew.
    # @return [Hash] its configuration
    def create(adapter, database = "tests")
      made = configuration(adapter, database)
      case adapter
      when "postgresql" then over_pg(made, database)
      when "mysql2" then over_mysql2(made, database)
      when "trilogy" then over_trilogy(made, database)
      end
      made
    end

    # Ends all of them.
    def stop
      @servers.each_value do |server|
        server.pipe.close
        Process.wait(server.keeper)
      end
      @servers.clear
    end

    # @return [Array<String>] of the servers that run
    def directories = @servers.values.map(&:directory)

    private

    def program(name)
      [*ENV["PATH"].to_s.split(File::PATH_SEPARATOR), *PLACES]
        .map { |place| File.join(place, name) }.find { |path| File.executable?(path) }
    end

    def over_pg(configuration, database)
      connection = PG.connect(host: configuration[:host], user: USER, dbname: "postgres")
      connection.exec("SET client_min_messages = error")
      connection.exec("DROP DATABASE IF EXISTS #{database} WITH (FORCE)")
      connection.exec("CREATE DATABASE #{database}")
    ensure
      connection&.close
    end

    def over_mysql2(configuration, database)
      connection = Mysql2::Client.new(socket: configuration[:socket], username: "root")
      statements(database).each { |sql| connection.query(sql) }
    ensure
      connection&.close
    end

    def over_trilogy(configuration, database)
      connection = Trilogy.new(socket: configuration[:socket], username: "root")
      statements(database).each { |sql| connection.query(sql) }
    ensure
      connection&.close
    end

    def statements(database)
      ["DROP DATABASE IF EXISTS #{database}", "CREATE DATABASE #{database} CHARACTER SET utf8mb4"]
    end

    def start(kind)
      directory = Dir.mktmpdir("to_json-#{kind}")
      FileUtils.chown("nobody", nil, directory) if root?
      setup, server, signal = send(:"#{kind}_commands", directory)
      succeed(setup, directory)
      keep(server, signal, directory).tap { |started| await(kind, started) }
    rescue StandardError
      FileUtils.rm_rf(directory) if directory && !@servers.key?(kind)
      raise
    end

    # The shell has the reading end only; whoever forks from here has the writing one too.
    def keep(server, signal, directory)
      reader, writer = IO.pipe
      keeper = Process.spawn(*as_user("sh", "-c", KEEPER, "sh", signal, *server), in: reader,
                                                                                  pgroup: true,
                                                                                  **log(directory))
      reader.close
      owner = Process.pid
      at_exit { stop if Process.pid == owner }
      Server.new(directory, writer, keeper)
    end

    def succeed(command, directory)
      return if system(*as_user(*command), in: File::NULL, **log(directory))

      raise "#{command.first} failed: #{said(directory)}"
    end

    def log(directory)
      { chdir: directory, out: [File.join(directory, "log"), "a"], err: %i[child out] }
    end

    def said(directory) = File.read(File.join(directory, "log")).lines.last(20).join

    # Both are there when their socket takes connections.
    def await(kind, server)
      path = File.join(server.directory, kind == :postgresql ? ".s.PGSQL.5432" : "socket")
      deadline = now + SECONDS
      until ready?(kind, path)
        raise "#{kind} has ended: #{said(server.directory)}" if Process.wait(server.keeper, 1)
        raise "#{kind} does not start: #{said(server.directory)}" if now > deadline

        sleep 0.05
      end
    end

    def ready?(kind, path)
      return false unless File.socket?(path)

      require "socket"
      UNIXSocket.open(path).close
      kind == :mariadb || File.read(File.join(File.dirname(path), "data/postmaster.pid"))
                              .include?("ready")
    rescue SystemCallError
      false
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def root? = Process.uid.zero?

    # PostgreSQL refuses root, and MariaDB warns of it.
    def as_user(*command)
      return command unless root?

      nobody = Etc.getpwnam("nobody")
      ["setpriv", "--reuid=#{nobody.uid}", "--regid=#{nobody.gid}", "--clear-groups", *command]
    end
  end

  # Setup, server, and the signal that ends it at once.
  def self.postgresql_commands(directory)
    data = File.join(directory, "data")
    settings = { listen_addresses: "", unix_socket_directories: directory, fsync: "off",
                 synchronous_commit: "off", full_page_writes: "off", jit: "off",
                 shared_buffers: "32MB", max_connections: "40", autovacuum: "off" }
    [[program("initdb"), "-D", data, "-A", "trust", "-U", USER, "-E", "UTF8", "--no-locale",
      "--no-sync"],
     [program("postgres"), "-D", data, *settings.flat_map { |name, value|
       ["-c", "#{name}=#{value}"]
     }],
     "QUIT"]
  end

  def self.mariadb_commands(directory)
    data = "--datadir=#{File.join(directory, "data")}"
    [[program("mariadb-install-db"), "--no-defaults", data, "--skip-test-db",
      "--auth-root-authentication-method=normal"],
     [program("mariadbd"), "--no-defaults", data, "--skip-networking", "--skip-grant-tables",
      "--socket=#{File.join(directory, "socket")}", "--pid-file=#{File.join(directory, "pid")}",
      "--skip-log-bin", "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=32M",
      "--innodb-log-file-size=16M", "--skip-innodb-doublewrite", "--tmpdir=#{directory}"],
     "KILL"]
  end
  private_class_method :postgresql_commands, :mariadb_commands
end
