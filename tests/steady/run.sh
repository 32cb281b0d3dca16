#!/usr/bin/env bash
# Loops whose plans are remembered: no allocation (steady.c counts) and no system call a step: strace counts those of
# N and of 10 N steps.
#
#   tests/steady/run.sh BUILD
#
# On one thread that is all of them, futex too: no lock is fought for. Workers and ranks that wait for each other yield
# and sleep; there only the other calls are counted.
set -u
source "$(dirname "$0")/../../tools/environment.sh"
steady=$1/tests/steady
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

if ! [ -x "$steady" ]; then
  echo "SKIP allocations and system calls: a sanitizer's malloc is not ours to count"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi

timeout 300 "$steady" >"$work/out" 2>&1
cat "$work/out"
[[ $(tail -n 1 "$work/out") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] || failed=1
if grep -q '^SKIP ' "$work/out"; then skipped=1; fi
passed=${BASH_REMATCH[1]:-0} failed=$((failed + ${BASH_REMATCH[2]:-0}))

# The system calls of a loop, but for those that $3 names (regex), in $calls.
count_calls() { # loop, rounds, left out
  strace -f -qq -c -S name -o "$work/calls" "$steady" "$1" "$2" >"$work/out" 2>&1 || return 1
  calls=$(awk -v out="^($3|total|syscall)$" '$4 ~ /^[0-9]+$/ && $NF !~ out { n += $4 } END { print n + 0 }' "$work/calls")
}

check_calls() { # loop, left out
  local few many rounds=5 steps=1000
  if count_calls "$1" $rounds "$2" && few=$calls && count_calls "$1" $((10 * rounds)) "$2" && many=$calls &&
    [ "$few" -gt 0 ] && [ $((many - few)) -lt $((steps / 10)) ]; then
    passed=$((passed + 1))
    echo "     $1: $few system calls in $steps steps, $many in $((10 * steps))${2:+, but for $2}"
  else
    failed=$((failed + 1))
    echo "FAIL $1: ${few:-no} system calls in $steps steps, ${many:-no} in $((10 * steps))${2:+, but for $2}"
    cat "$work/calls" "$work/out"
  fi
}

if ! command -v strace >/dev/null; then
  echo "SKIP system calls: strace is not installed"
  skipped=$((skipped + 1))
elif ! strace -f -qq -c -o "$work/calls" true 2>"$work/out"; then
  echo "SKIP system calls: strace may not trace here: $(head -n 1 "$work/out")"
  skipped=$((skipped + 1))
else
  for loop in stencil stencil-each slice axpy gradients tiled; do check_calls $loop ""; done
  for loop in stencil-threads stencil-ranks tiled-threads tiled-ranks; do check_calls $loop "futex|sched_yield|clock_nanosleep"; done
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
