# planted.sh reserve|mark: a bug planted by a macro must be caught. The same tests run twice in
# builds that differ in that macro only: they must pass without it and fail with it.
#
#   reserve  tj_buffer_has says yes where one byte is missing; debug asserts see the write past its
#            reserve
#   mark     a reference is left out of a mark function; a collection or a move of objects meets it
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"
cd "$ROOT"
setup_gems

case $1 in
  reserve) sound=debug tests=(test/planted/reserve_test.rb) ;;
  mark) sound='' tests=(test/planted/mark_test.rb) ;;
esac

setup_extension "$sound"
echo "without the bug:"
suite "${tests[@]}"

setup_extension "plant-$1"
echo "with the bug (what follows must fail):"
# Out of the count: these failures are what is due.
if suite "${tests[@]}" >"$CI_TMP/planted-$1.txt" 2>&1 </dev/null; then
  echo "the planted bug went unnoticed: 0 passed, 1 failed"
  exit 1
fi
grep -E '^(  [0-9]+\)|.*broken promise|.*\[BUG\]|[0-9]+ runs)' "$CI_TMP/planted-$1.txt" |
  head -n 5 | sed 's/failures/failed as due/' || true
# A build that does not load would "fail" too: the tests must have begun.
grep -q -E '^Run options:|^# Running' "$CI_TMP/planted-$1.txt" ||
  { echo "the tests never began: 0 passed, 1 failed"; exit 1; }
echo "the planted bug was caught: 1 passed, 0 failed"
