# Shared by .ci/run and its rows: sourced, not run. Adds to bin/support/setup.sh what only the CI
# needs.

. "$(dirname "${BASH_SOURCE[0]}")/../bin/support/setup.sh"

CI_TMP=$ROOT/tmp/ci
export TO_JSON_SECOND_TRY=1
# Other Rubies, made once per machine and used again.
RUBIES=${TO_JSON_RUBIES:-${HOME:-/tmp}/.cache/to_json}

# suite [file...] [-- Minitest options]: the Ruby suite with the ruby on the PATH, a process for
# each directory.
suite() {
  bundle exec ruby -w -Ilib -Itest test/side_by_side.rb "${TO_JSON_JOBS:-1}" "$@"
}

# in_full: the numbers of cases of test/support/figures.rb in full. Without it a row takes a share
# of each, which is enough where the row looks for something else.
in_full() {
  export TO_JSON_FIGURES=full
}

# core_suite [as suite]: without what cannot tell one build of the native core from another
# (documents, lint, programs).
core_suite() {
  TO_JSON_CORE_ONLY=1 suite "$@"
}

# other_ruby: without what reads the sources only, which suite-3.1 has: it says the same on every
# Ruby.
other_ruby() {
  export TO_JSON_OTHER_RUBY=1
}

# checked NAME COMMAND...: a row's check that is no test: counts as one.
checked() {
  local name=$1
  shift
  if "$@"; then
    echo "$name: 1 passed, 0 failed"
  else
    echo "$name: 0 passed, 1 failed"
    return 1
  fi
}

# tally NAME STATUS SECONDS LOG: adds up the counts in a row's log, compares them with
# test/counts.yml, prints the row's line and leaves its verdict beside the log.
tally() {
  ruby "$ROOT/.ci/tally.rb" "$@" || printf 'FAIL %s: no verdict\n0 1\n' "$1" >"${4%.log}.verdict"
}

# summary SECONDS NAME...: the last lines; fails unless every row passed.
summary() {
  local seconds=$1 passed=0 failed=0 name verdict p f
  shift
  for name in "$@"; do
    verdict=$CI_TMP/logs/$name.verdict
    if [ -e "$verdict" ]; then
      read -r p f < <(tail -n 1 "$verdict")
    else
      echo "FAIL $name: did not run" p=0 f=1
      p=0 f=1
    fi
    passed=$((passed + p)) failed=$((failed + f))
  done
  printf 'all rows: %d s\n%d passed, %d failed\n' "$seconds" "$passed" "$failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

# copy_tree DIRECTORY: the project as git sees it (with what is not committed yet) to
# DIRECTORY/main, and the shared data beside it where they stand; what was built there before stays,
# for speed.
copy_tree() {
  local to=$1
  mkdir -p "$to/main"
  # What is no longer in the tree must go, what was built may stay.
  find "$to/main" -mindepth 1 -maxdepth 1 \
    ! -name vendor ! -name .bundle ! -name tmp ! -name Gemfile.lock -exec rm -rf {} +
  git -C "$ROOT" ls-files -co --exclude-standard -z | while IFS= read -r -d '' file; do
    [ -e "$ROOT/$file" ] && printf '%s\0' "$file"
  done | tar -C "$ROOT" --null -T - -cf - | tar -C "$to/main" --no-same-owner -xf -
  if [ -d "$ROOT/../shared/data" ]; then
    mkdir -p "$to/shared"
    cp -rL "$ROOT/../shared/data" "$to/shared/"
  fi
  [[ $to != "$RUBIES"/*34* ]] || lend_build "$to/main"
}

# lend_build TREE: what the newest of the trees for Ruby 3.4 has compiled. Six rows have one, of the
# same sources. A tree has the library only when it has compiled all. make compares the times of
# files, which copies keep.
lend_build() {
  local from
  from=$(ls -t "$RUBIES"/*34*/main/lib/to_json/3.4*/to_json.so 2>/dev/null | head -n 1)
  [ -n "$from" ] || return 0
  mkdir -p "$1/tmp/builds"
  rm -rf "$1/tmp/builds/release"
  cp -a "${from%/lib/to_json/*}/tmp/builds/release" "$1/tmp/builds/"
}

# ruby34: the path of a Ruby 3.4 with YJIT (TO_JSON_RUBY34, or built into RUBIES).
ruby34() {
  if [ -z "${TO_JSON_RUBY34:-}" ]; then
    "$ROOT/bin/support/ruby34-yjit" "$RUBIES/ruby34" >&2
    TO_JSON_RUBY34=$RUBIES/ruby34/bin/ruby
  fi
  printf '%s\n' "$TO_JSON_RUBY34"
}

# use_ruby34: puts it first on the PATH; its gems stay beside the other Rubies.
use_ruby34() {
  local path
  path=$(ruby34)
  PATH=$(dirname "$path"):$PATH
  export PATH BUNDLE_PATH=$RUBIES/gems34
  unset GEM_HOME GEM_PATH RUBYOPT RUBYLIB
}
