# Demo, setup: replaces `step` of bin/support/setup.sh on a terminal, where a minute without a sign
# of life looks like a hang: the line shows the seconds so far and the last line of the log. Sourced
# by bin/demo.

step() {
  local name=$1 log start=$SECONDS status=0 worker
  shift
  mkdir -p "$LOGS"
  log=$LOGS/$(tr -c 'a-z0-9\n' '-' <<<"$name").log
  "$@" >"$log" 2>&1 </dev/null &
  worker=$!
  # a background job does not get the terminal's ^C
  trap 'kill "$worker" 2>/dev/null; exit 130' INT
  while kill -0 "$worker" 2>/dev/null; do
    printf '\r\033[K%s ... %ss  %.50s' "$name" $((SECONDS - start)) \
      "$(tail -n 1 "$log" | tr -cd '[:print:]')" >&2
    sleep 0.2
  done
  wait "$worker" || status=$?
  trap - INT
  printf '\r\033[K%s ... ' "$name" >&2
  if [ "$status" -eq 0 ]; then
    printf '%ss\n' $((SECONDS - start)) >&2
  else
    printf 'failed. The end of %s:\n' "${log#"$ROOT"/}" >&2
    tail -n 30 "$log" >&2
    return 1
  fi
}
