#!/usr/bin/env bash
# Runs the tests that a build directory lists in tests.list and counts single tests.
#
#   tools/run_tests.sh BUILD [REGEX]      REGEX: only tests whose name in tests.list matches
#
# The last line is `N passed, N failed, N skipped`; exit status 1 if one failed or none ran. A Criterion program
# counts with its own tests. A program or script that ends with such a line itself counts with it, any other as one
# test. The output of a failing one is printed whole, lines that start with `seed ` or `SKIP ` always.
set -u
cd "$(dirname "$0")/.."
source tools/environment.sh

build=$(cd "$1" && pwd) || exit 1
regex=${2:-.}
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Sets got_* from the log of a program that ended with status $2.
count_tests() { # kind status
  local line
  if [ "$1" = criterion ]; then
    line=$(grep -a '^\[====\] Synthesis:' "$log" | tail -n 1)
    if [[ $line =~ Tested:\ ([0-9]+)\ \|\ Passing:\ ([0-9]+) ]]; then
      got_passed=${BASH_REMATCH[2]} got_failed=$((BASH_REMATCH[1] - BASH_REMATCH[2]))
      got_skipped=$(grep -ac '^\[SKIP\]' "$log")
    fi
  else
    line=$(tail -n 1 "$log")
    if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]]; then
      got_passed=${BASH_REMATCH[1]} got_failed=${BASH_REMATCH[2]} got_skipped=${BASH_REMATCH[4]:-0}
    elif [ "$2" = 0 ]; then
      got_passed=1
    fi
  fi
  if [ "$2" != 0 ] && [ "$got_failed" = 0 ]; then got_failed=1; fi
  # A sanitizer can report in a process whose status nobody sees.
  if grep -aqE 'ERROR: (Address|Leak)Sanitizer|WARNING: ThreadSanitizer|: runtime error: ' "$log" &&
    [ "$got_failed" = 0 ]; then got_failed=1; fi
}

while read -r kind name command; do
  [[ $name =~ $regex ]] || continue
  got_passed=0 got_failed=0 got_skipped=0
  start=$SECONDS
  if [ "$kind" = criterion ]; then command="$command ${CRITERION_OPTIONS:-}"; fi
  # shellcheck disable=SC2086  # the list holds words
  timeout --kill-after=10 "${TEST_TIMEOUT:-900}" $command >"$log" 2>&1 </dev/null
  status=$?
  count_tests "$kind" "$status"
  if [ "$got_passed$got_failed$got_skipped" = 000 ]; then got_failed=1; fi
  if [ "$got_failed" != 0 ]; then
    echo "---- $name: status $status; $command"
    cat "$log"
    echo "----"
  fi
  grep -aE '^(seed|SKIP) ' "$log" | sort -u
  printf '%-24s %4d passed %3d failed %3d skipped  %4d s\n' "$name" "$got_passed" "$got_failed" "$got_skipped" \
    $((SECONDS - start))
  passed=$((passed + got_passed)) failed=$((failed + got_failed)) skipped=$((skipped + got_skipped))
done <"$build/tests.list"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
