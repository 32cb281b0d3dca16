#!/usr/bin/env bash
# Runs the array API's test suite (data-apis/array-api-tests) on Tessera, and compares with tests/python/array_api.txt:
#
#   ARRAY_API_TESTS=DIR tests/python/array_api.sh BUILD [--write] [RANKS]
#
# DIR: a checkout of the suite with its submodule. PYTHON: an interpreter with pytest, hypothesis and pytest-timeout
# (default python3). EXAMPLES: Hypothesis's examples for each test (default 20). RANKS: 1 unless given; all ranks draw the
# same examples. --write makes the list anew. Fails where a test fails that the list does not name, or ends the process.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) || exit 1
shift
write=0
if [ "${1:-}" = --write ]; then write=1; shift; fi
ranks=${1:-1}
if [ -z "${ARRAY_API_TESTS:-}" ]; then
  echo "SKIP array_api: ARRAY_API_TESTS names no checkout of data-apis/array-api-tests"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
source "$root/tools/environment.sh"
export ARRAY_API_TESTS_MODULE=tessera PYTHONHASHSEED=0
export PYTHONPATH=$build/python:$root/tests/python${PYTHONPATH:+:$PYTHONPATH}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
launch=()
if [ "$ranks" -gt 1 ]; then launch=(mpirun --oversubscribe -n "$ranks"); fi
cd "$ARRAY_API_TESTS" || exit 1
timeout 3000 "${launch[@]}" "${PYTHON:-python3}" -m pytest -p no_shrinking -p no:cacheprovider --hypothesis-seed=1 --disable-deadline --color=no \
  --timeout=120 \
  --max-examples="${EXAMPLES:-20}" -q -rfE --tb=line --disable-warnings array_api_tests/ >"$log" 2>&1
cd "$root" || exit 1
python3 tests/python/array_api_list.py "$log" "$(git -C "$ARRAY_API_TESTS" rev-parse HEAD)" "$ranks" "${EXAMPLES:-20}" "$write"
