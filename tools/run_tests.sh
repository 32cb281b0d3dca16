#!/usr/bin/env bash
# Runs the tests that a build directory lists in tests.list and counts single tests.
#
#   tools/run_tests.sh BUILD [REGEX]      REGEX: only tests whose name in tests.list matches
#
# TEST_JOBS=N programs run at a time (default 1); the longest start first, and those that count what a quiet machine does
# run last and alone. TEST_TIMEOUT: seconds for each (default 900). CRITERION_OPTIONS: for Criterion programs.
# TEST_ONLY_NAME: the pattern of the tests of the Criterion program NAME that run (default: all). TEST_CACHE: a folder of
# mode 0700 for the kernels of suites that would keep none. TEST_CONFIGURES=0: packaging leaves out what CMake refuses.
#
# The last line is `N passed, N failed, N skipped`; exit status 1 if one failed or none ran. A Criterion program
# counts with its own tests. A program or script that ends with such a line itself counts with it, any other as one
# test. The output of a failing one is printed whole, lines that start with `seed ` or `SKIP ` always. Beside the counts:
# seconds, and seconds of processors.
set -u
cd "$(dirname "$0")/.."
source tools/environment.sh

build=$(cd "$1" && pwd) || exit 1
regex=${2:-.}
jobs=${TEST_JOBS:-1}
longest="random array kernel array_device array_small_device" alone=steady # in this order
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Sets got_* from the log of a program that ended with status $3.
count_tests() { # kind log status
  local line
  if [ "$1" = criterion ]; then
    line=$(grep -a '^\[====\] Synthesis:' "$2" | tail -n 1)
    if [[ $line =~ Tested:\ ([0-9]+)\ \|\ Passing:\ ([0-9]+) ]]; then
      got_passed=${BASH_REMATCH[2]} got_failed=$((BASH_REMATCH[1] - BASH_REMATCH[2]))
      got_skipped=$(grep -ac '^\[SKIP\]' "$2")
    fi
  else
    line=$(tail -n 1 "$2")
    if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]]; then
      got_passed=${BASH_REMATCH[1]} got_failed=${BASH_REMATCH[2]} got_skipped=${BASH_REMATCH[4]:-0}
    elif [ "$3" = 0 ]; then
      got_passed=1
    fi
  fi
  if [ "$3" != 0 ] && [ "$got_failed" = 0 ]; then got_failed=1; fi
  # A sanitizer can report in a process whose status nobody sees.
  if grep -aqE 'ERROR: (Address|Leak)Sanitizer|WARNING: ThreadSanitizer|: runtime error: ' "$2" &&
    [ "$got_failed" = 0 ]; then got_failed=1; fi
}

# One test, in a process of its own: its report goes to NUMBER.report, its counts to NUMBER.counts.
run_test() { # number kind name command
  local number=$1 kind=$2 name=$3 command=$4 log=$work/$1.log start=$SECONDS status seconds
  got_passed=0 got_failed=0 got_skipped=0
  if [ "$kind" = criterion ]; then command="$command ${CRITERION_OPTIONS:-}"; fi
  local only=TEST_ONLY_$name
  if [ -n "${!only:-}" ]; then command="$command --filter ${!only}"; fi
  set -f # the pattern is not one of files
  TIMEFORMAT='%U %S'
  # shellcheck disable=SC2086  # the list holds words
  { time timeout --kill-after=10 "${TEST_TIMEOUT:-900}" $command >"$log" 2>&1 </dev/null; } 2>"$work/$number.time"
  status=$?
  count_tests "$kind" "$log" "$status"
  if [ "$got_passed$got_failed$got_skipped" = 000 ]; then got_failed=1; fi
  # Before the times, the shell says there if a signal has ended the program.
  seconds=$(awk 'END { print $1 + $2 }' "$work/$number.time")
  {
    if [ "$got_failed" != 0 ]; then
      echo "---- $name: status $status; $command"
      cat "$log"
      echo "----"
    fi
    grep -aE '^(seed|SKIP) ' "$log" | sort -u
    printf '%-24s %4d passed %3d failed %3d skipped  %4d s %5.0f s of processors\n' "$name" "$got_passed" \
      "$got_failed" "$got_skipped" $((SECONDS - start)) "$seconds"
  } >"$work/$number.report"
  echo "$got_passed $got_failed $got_skipped" >"$work/$number.counts"
}

# Prints the reports of the tests that have ended since the last call.
reported=" "
report() {
  local counts number
  for counts in "$work"/*.counts; do
    number=$(basename "$counts" .counts)
    [ -e "$counts" ] && [[ $reported != *" $number "* ]] || continue
    reported+="$number "
    cat "$work/$number.report"
  done
}

n=0 running=0
run_those() { # at a time, which: a name, or other
  local kind name command which
  while read -r kind name command; do
    [[ $name =~ $regex ]] || continue
    which=other
    if [[ " $longest $alone " == *" $name "* ]]; then which=$name; fi
    [ "$which" = "$2" ] || continue
    while [ "$running" -ge "$1" ]; do
      wait -n
      running=$((running - 1))
      report
    done
    n=$((n + 1)) running=$((running + 1))
    run_test "$n" "$kind" "$name" "$command" &
  done <"$build/tests.list"
}
for name in $longest other; do run_those "$jobs" "$name"; done
wait
running=0
report
run_those 1 "$alone"
wait
report

passed=0 failed=0 skipped=0
for ((i = 1; i <= n; i++)); do
  read -r got_passed got_failed got_skipped <"$work/$i.counts" || { got_passed=0 got_failed=1 got_skipped=0; }
  passed=$((passed + got_passed)) failed=$((failed + got_failed)) skipped=$((skipped + got_skipped))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
