#!/usr/bin/env bash
# The Python module against NumPy, on one rank and under mpirun: tests/python/run.sh BUILD
#
# The last line is `N passed, N failed, N skipped`. The array API's own suite is run by array_api.sh, where
# ARRAY_API_TESTS names a checkout of it.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) || exit 1
source "$root/tools/environment.sh"
passed=0 failed=0 skipped=0
errors=$(mktemp) digests=$(mktemp -u)
trap 'rm -f "$errors" "$digests"' EXIT
# What the first run of test_numpy.py gave, bit by bit, the runs on several ranks compare with.
export TEST_DIGESTS=$digests
export PYTHONPATH=$build/python:$root/tests/python:$root/tools${PYTHONPATH:+:$PYTHONPATH}
export PYTHONDONTWRITEBYTECODE=1

skip() {
  echo "SKIP python: $1"
  if [ -n "${TEST_NEEDS_ALL:-}" ]; then
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
  fi
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
}
ls "$build"/python/tessera/_core.* >/dev/null 2>&1 || skip "the build has no Python module"
# A Python that is no sanitizer's build loads the sanitizer first; what Python itself leaks is not looked for.
preload=""
if grep -q '^TESSERA_SANITIZE:.*address' "$build/CMakeCache.txt"; then
  preload="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)"
  export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
fi
python=""
for candidate in python3 /usr/bin/python3; do
  if LD_PRELOAD=$preload "$candidate" -c 'import numpy, tessera; assert numpy.__version__ >= "2"' 2>/dev/null; then
    python=$candidate
    break
  fi
done
[ -n "$python" ] || skip "no Python with NumPy 2 loads the module of this build"
export TEST_PYTHON=$python TEST_PRELOAD=$preload

# Adds the counts of a run, its last line.
check() {
  local output status
  output=$(timeout --kill-after=10 600 "$@" 2>"$errors" </dev/null)
  status=$?
  if [[ $(tail -n 1 <<<"$output") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2])) skipped=$((skipped + BASH_REMATCH[3]))
    if [ "$status" = 0 ] && [ "${BASH_REMATCH[2]}" = 0 ]; then return; fi
    if [ "${BASH_REMATCH[2]}" = 0 ]; then failed=$((failed + 1)); fi
  else
    failed=$((failed + 1))
  fi
  echo "---- status $status: $*"
  echo "$output"
  cat "$errors"
}

run="$python $root/tests/python/runner.py"
everywhere="array edges series views composed numpy masks kernels choices lending scripts programs"
# shellcheck disable=SC2086  # lists of words
check env LD_PRELOAD="$preload" $run $everywhere functions misuse pictures session fallback stubs print
mpirun=$(command -v mpirun)
if [ -n "$mpirun" ] && [ -z "$preload" ] && grep -q '^MPI_C_LIBRARIES:\|^MPI_mpi_LIBRARY:\|^MPI_C_WORKS' "$build/CMakeCache.txt" &&
  ! grep -q '^TESSERA_MPI:.*=OFF' "$build/CMakeCache.txt"; then
  check "$mpirun" --oversubscribe -n 2 $run $everywhere misuse pictures ranks fallback
  # Small arrays are on every rank unless told.
  check env TESSERA_TILE_MIN=16 TESSERA_REPLICATE_MAX=0 "$mpirun" --oversubscribe -n 4 $run $everywhere functions ranks
  check $run launched
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
