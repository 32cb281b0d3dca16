#!/usr/bin/env bash
# The `tessera` command: every status code is explained, the settings and the machine are shown, wrong use is refused.
# Usage: run.sh BUILD_DIRECTORY; ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../.."
tessera=$1/tessera
passed=0 failed=0
check() { # NAME COMMAND...
  local name=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name"; fi
}
explains() { "$tessera" explain "$1" | grep -q "^$1: ."; }
for code in $(grep -o 'TSR0[0-9]*' include/tessera/base.h | sort -u); do
  check "explain $code" explains "$code"
done
refuses() { ! "$tessera" "$@" >/dev/null 2>&1; }
check "an unknown code" refuses explain TSR9999
check "an unknown command" refuses frobnicate
check "no command" refuses
shows() { "$tessera" info "${@:2}" | grep -q "$1"; }
check "info shows cores" shows '^cores *[1-9]'
check "info shows MPI" shows '^MPI'
check "settings are listed" shows 'TESSERA_THREADS' --config
shows_value() { TESSERA_WINDOW_OPS=17 "$tessera" info --config | grep 'TESSERA_WINDOW_OPS' | grep -q 17; }
check "a setting's value is shown" shows_value
bad_setting() { TESSERA_WINDOW_OPS=many "$tessera" info --config 2>&1 >/dev/null | grep -q 'TESSERA_WINDOW_OPS'; }
check "a bad value is named" bad_setting
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
