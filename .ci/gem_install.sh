# gem_install.sh RUBY: builds the gem, installs it into an empty GEM_HOME and writes a first
# document with it, then one with the executable.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$(dirname "$1"):$PATH
unset GEM_HOME GEM_PATH RUBYOPT RUBYLIB BUNDLE_GEMFILE BUNDLE_PATH

"$1" -S gem build --silent to_json.gemspec --output "$work/to_json.gem"
export GEM_HOME=$work/gems GEM_PATH=$work/gems
cd "$work"
"$1" -S gem install --local --no-document to_json.gem
"$1" -w -e '
  require "to_json"
  from = $LOADED_FEATURES.grep(/to_json\.so\z/)
  from.size == 1 && from[0].start_with?(File.realpath(ENV.fetch("GEM_HOME"))) or
    abort "loaded #{from} instead of the installed gem"
  class Greeting < ToJson::Serializer
    def serialize(name) = put(:hello, name)
  end
  ToJson.eager_load!
  got = [Greeting.json!("you"), ToJson.generate([1, nil, "é"])]
  got == [%({"hello":"you"}), %([1,null,"é"])] or abort "wrote #{got.inspect}"
  puts RUBY_DESCRIPTION, got'
# The executable that the gem brings, found as a shell would.
PATH=$GEM_HOME/bin:$PATH
version=$(to_json --version)
[[ $version == "to_json "* ]] || { echo "to_json --version: $version" >&2; exit 1; }
printf '[1, {"a": 2.50}]' | to_json ndjson >lines
[ "$(cat lines)" = $'1\n{"a":2.50}' ] || { cat lines >&2; exit 1; }
status=0
printf '{\n"a" 1}' | to_json validate 2>messages || status=$?
[ "$status $(cat messages)" = "1 <stdin>:2:5: expected ':' after the key" ] ||
  { cat messages >&2; exit 1; }
echo "$version: its executable runs"
