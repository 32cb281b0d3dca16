#!/usr/bin/env bash
# tools/gdb/tessera_gdb.py in gdb: what it prints of a stopped program is the text in expected.txt.
#
#   tests/gdb/run.sh BUILD
#
# After a change that is meant:  tests/gdb/run.sh BUILD --write
set -u
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../../tools/environment.sh"
program=$1/tests/gdb_program
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip() { # reason
  echo "SKIP arrays in gdb: $1"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
}

[ -x "$program" ] || skip "a sanitizer's program does not run under gdb"
command -v gdb >/dev/null || skip "gdb is not installed"
gdb -nx -batch -ex 'python print("python")' 2>/dev/null | grep -qx python || skip "this gdb has no Python"

export TESSERA_THREADS=1 TESSERA_JIT=off
export -n DEBUGINFOD_URLS
timeout 120 gdb -nx -batch -x "$here/../../tools/gdb/tessera_gdb.py" \
  -ex 'set debuginfod enabled off' -ex 'break look_here' -ex run \
  -ex 'print x' -ex 'print view' -ex 'print recipe' -ex 'print none' -ex up -ex 'print x' \
  -ex 'tessera arrays' -ex 'tessera window' -ex kill "$program" >"$work/all" 2>&1 </dev/null
if grep -qE 'ptrace: Operation not permitted|Could not trace the inferior' "$work/all"; then
  skip "gdb may not trace here"
fi
# From the first value on, without gdb's own words.
sed -n '/^\$1 = /,$p' "$work/all" | grep -E '^\$[0-9]+ = |^rank |^ +[0-9]+ |operations recorded' |
  sed -E 's/program\.c:[0-9]+/program.c:LINE/; s/[^ ]*\/(tests\/gdb\/program\.c)/\1/' >"$work/got"
if [ "${2:-}" = --write ]; then cp "$work/got" "$here/expected.txt"; fi
if diff -u "$here/expected.txt" "$work/got"; then
  echo "1 passed, 0 failed, 0 skipped"
else
  cat "$work/all"
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
fi
