# Shared by bin/setup, bin/test, bin/demo and the CI: sourced, not run. Finds or installs what the
# project needs on this machine. Each function prints only when it has something to do.
#
#   setup_system [command:package | file:package]...   programs and headers
#   setup_gems [groups to leave out]                   gems, into vendor/bundle of the project
#   setup_servers                                      gems of examples/Gemfile, beside them
#   setup_databases RAILS                              servers and gems of test/rows/databases
#   setup_extension [variant]    the native extension, for the ruby on the PATH
#
# bash, `set -eu` of the caller; ROOT is the project, the working directory stays what it was.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
LOGS=$ROOT/tmp/logs
export LANG=${LANG:-C.UTF-8} DEBIAN_FRONTEND=noninteractive
export BUNDLE_GEMFILE=$ROOT/Gemfile BUNDLE_SILENCE_ROOT_WARNING=1
export BUNDLE_PATH=${BUNDLE_PATH:-$ROOT/vendor/bundle}
# Bundler takes a relative path from each Gemfile's directory.
[[ $BUNDLE_PATH == /* ]] || BUNDLE_PATH=$ROOT/$BUNDLE_PATH
# sqlite3 uses the system's library, instead of fetching and compiling its own.
export BUNDLE_BUILD__SQLITE3=--enable-system-libraries

say() { printf '%s\n' "$*" >&2; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# step NAME COMMAND...: runs it with its text in a log, prints name and seconds; on failure the end
# of the log.
step() {
  local name=$1 log start=$SECONDS
  shift
  mkdir -p "$LOGS"
  log=$LOGS/$(tr -c 'a-z0-9\n' '-' <<<"$name").log
  printf '%s ... ' "$name" >&2
  if "$@" >"$log" 2>&1 </dev/null; then
    printf '%ss\n' $((SECONDS - start)) >&2
  else
    printf 'failed. The end of %s:\n' "${log#"$ROOT"/}" >&2
    tail -n 30 "$log" >&2
    return 1
  fi
}

# True when what a package brings is here: a program, a file (with * in its path), or a header that
# the compiler finds.
present() {
  case $1 in
    ruby.h)
      command -v ruby >/dev/null &&
        ruby -rrbconfig -e 'exit File.exist?("#{RbConfig::CONFIG["rubyhdrdir"]}/ruby.h")' ;;
    *.h) command -v gcc >/dev/null && printf '#include <%s>\n' "$1" | gcc -E - >/dev/null 2>&1 ;;
    */*) compgen -G "$1" >/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

# setup_system WHAT:PACKAGE...: installs the Debian packages of what is not present (as root), or
# says which they are.
setup_system() {
  local pair packages=()
  for pair in "$@"; do
    present "${pair%%:*}" || packages+=("${pair##*:}")
  done
  [ ${#packages[@]} -eq 0 ] && return 0
  command -v apt-get >/dev/null || die "missing, and this is no Debian: ${packages[*]}" \
    "(Debian's names). Install them, then run this again."
  [ "$(id -u)" -eq 0 ] || die "missing: ${packages[*]}. Run: sudo apt-get install ${packages[*]}"
  # A machine that was just made has no package lists; an old list names packages that are gone.
  # One at a time: two rows of the CI may come here at once, and apt-get does not wait for its
  # locks.
  [ -n "${SETUP_LISTS_READ:-}" ] ||
    step "apt-get update" flock /tmp/to_json-apt.lock apt-get update ||
    die "cannot read the package lists"
  export SETUP_LISTS_READ=1
  step "apt-get install ${packages[*]}" flock /tmp/to_json-apt.lock \
    apt-get install -y --no-install-recommends "${packages[@]}" ||
    die "cannot install ${packages[*]}"
  for pair in "$@"; do
    present "${pair%%:*}" || die "${pair%%:*} is missing though ${pair##*:} is installed"
  done
}

# locked NAME COMMAND...: one process at a time, since rows of the CI share the tree.
locked() {
  local name=$1
  shift
  mkdir -p "$LOGS"
  (flock 9 && "$@") 9>"$LOGS/$name.lock"
}

# What compiling the extension and its tests needs.
TOOLCHAIN=(/etc/ssl/certs/ca-certificates.crt:ca-certificates ruby:ruby ruby.h:ruby-dev gcc:gcc
  make:make stdio.h:libc6-dev bundle:ruby-bundler)
setup_toolchain() {
  setup_system "${TOOLCHAIN[@]}"
  ruby -e 'exit RUBY_VERSION >= "3.1"' ||
    die "this Ruby is $(ruby -e 'print RUBY_VERSION'); to_json needs 3.1 or newer"
}

# A Redis for test/caching, which says so and skips where there is none.
setup_redis() {
  present redis-server || [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null ||
    setup_system redis-server:redis-server
}

# setup_gems [GROUPS]: the gems of the Gemfile without these groups ("rails:tools"). Lock files are
# not kept in git and belong to one Ruby: another Ruby resolves anew.
setup_gems() {
  export BUNDLE_WITHOUT=${1:-}
  case :$BUNDLE_WITHOUT: in
    *:rails:*) ;;
    *) setup_redis ;;
  esac
  locked gems install_gems
}

# Those of test/dialects/Gemfile beside them: a newer line of a library that the Gemfile has too.
install_gems() {
  install_project_gems
  local gemfile=$ROOT/test/dialects/Gemfile
  (cd "$ROOT" && BUNDLE_GEMFILE=$gemfile bundle check >/dev/null 2>&1) && return 0
  rm -f "$gemfile.lock"
  (cd "$ROOT" && BUNDLE_GEMFILE=$gemfile \
    step "the newest json for Ruby $(ruby -e 'print RUBY_VERSION')" bundle install --retry 3) ||
    die "cannot install the newest json, which test/dialects compares with"
}

install_project_gems() {
  local stamp=$ROOT/.bundle/resolved now
  now="$(ruby -e 'print RUBY_VERSION, " ", RUBY_PLATFORM') $(cksum <"$ROOT/Gemfile")"
  if [ "$(cat "$stamp" 2>/dev/null)" != "$now" ]; then
    rm -f "$ROOT/Gemfile.lock"
  elif (cd "$ROOT" && bundle check >/dev/null 2>&1); then
    return 0
  fi
  case :$BUNDLE_WITHOUT: in
    *:rails:*) ;;
    *) setup_system pkg-config:pkg-config sqlite3.h:libsqlite3-dev ;;
  esac
  # So that a plain `bundle exec` finds them too.
  (cd "$ROOT" && bundle config set --local path "${BUNDLE_PATH#"$ROOT"/}" >/dev/null)
  (cd "$ROOT" && step "gems for Ruby $(ruby -e 'print RUBY_VERSION')" \
    bundle install --jobs "$(nproc)" --retry 3) ||
    die "cannot install the gems"
  mkdir -p "$(dirname "$stamp")"
  printf '%s' "$now" >"$stamp"
}

# setup_databases RAILS: the servers that test/rows/databases starts, what its gems are compiled
# with, and the gems with this Rails ("8.1"), whose Gemfile is then the one of the environment.
setup_databases() {
  setup_system '/usr/lib/postgresql/*/bin/postgres:postgresql' mariadbd:mariadb-server \
    mariadb_config:libmariadb-dev pg_config:libpq-dev pkg-config:pkg-config \
    sqlite3.h:libsqlite3-dev openssl/ssl.h:libssl-dev /usr/share/zoneinfo/Europe/Berlin:tzdata
  export BUNDLE_GEMFILE=$ROOT/test/rows/databases/rails-$1.gemfile
  locked gems install_databases "$1"
}

install_databases() {
  bundle check >/dev/null 2>&1 && return 0
  rm -f "$BUNDLE_GEMFILE.lock"
  step "gems of the databases, Rails $1, Ruby $(ruby -e 'print RUBY_VERSION')" \
    bundle install --jobs "$(nproc)" --retry 3 ||
    die "cannot install the gems of ${BUNDLE_GEMFILE#"$ROOT"/}"
}

# setup_servers: what the servers of examples/ need, in a bundle of their own.
setup_servers() {
  locked gems install_servers
}

install_servers() {
  local gemfile=$ROOT/examples/Gemfile
  (cd "$ROOT" && BUNDLE_GEMFILE=$gemfile BUNDLE_WITHOUT='' bundle check >/dev/null 2>&1) && return 0
  rm -f "$gemfile.lock"
  (cd "$ROOT" && BUNDLE_GEMFILE=$gemfile BUNDLE_WITHOUT='' \
    step "gems of the servers for Ruby $(ruby -e 'print RUBY_VERSION')" \
    bundle install --jobs "$(nproc)" --retry 3) || die "cannot install the gems of examples/Gemfile"
}

# The version of Ruby's binary interface, such as 3.1.0.
abi() { ruby -rrbconfig -e 'print RbConfig::CONFIG["ruby_version"]'; }

# Whether that of this Ruby is there and newer than its sources.
extension_is_compiled() {
  local built newer
  built=$ROOT/lib/to_json/$(abi)/to_json.so
  [ -e "$built" ] || return 1
  newer=$(find "$ROOT/ext" \( -name '*.[ch]' -o -name extconf.rb \) -newer "$built" -print -quit)
  [ -z "$newer" ]
}

# setup_extension [VARIANT]: compiles; a variant's directory is then in TO_JSON_NATIVE.
setup_extension() {
  local variant=${1:-}
  (cd "$ROOT" && TO_JSON_BUILD=$variant locked "build-$variant" \
    step "compile ${variant:-the extension}" bundle exec rake compile) ||
    die "the extension does not compile"
  [ -z "$variant" ] || export TO_JSON_NATIVE=$ROOT/tmp/builds/$variant/$(abi)
}
