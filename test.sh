#!/usr/bin/env bash
# Builds Tessera and passes its tests, from a fresh Debian or Ubuntu machine on.
#
#   ./test.sh [quick] [BUILD]      BUILD: the build directory (default: build)
#
# quick: what finds most mistakes in under 4 minutes from an existing build on 2 cores: the suites of all layers but the
# accuracy of functions and the sweep of compiled kernels, 40 random programs, the examples, two ranks by mpirun.
# The number of random programs and their seed: TEST_PROGRAMS=1000 TEST_SEED=… (default: 200, fresh); of a fixed seed
# besides: TEST_CORPUS=2800. TEST_JOBS: test programs at a time (default: as many as cores). Ends with one line
# `N passed, N failed, N skipped`; exit status 1 if one failed.
set -eu
cd "$(dirname "$0")"
source tools/environment.sh

tests=.
if [ "${1:-}" = quick ]; then
  shift
  tests='^(runtime|partition|kernel|program|scheduler|array|random|mpi_.*_2|coverage|docs|golden|examples|launcher)$'
  export TEST_PROGRAMS="${TEST_PROGRAMS:-40}" TEST_KERNELS='!(accuracy*|render)/*'
fi
tools/install_deps.sh test
build=${1:-build}
cmake -S . -B "$build" -G Ninja -DTESSERA_TESTS=ON >"$build.log" 2>&1 || { cat "$build.log"; rm -f "$build.log"; exit 1; }
rm -f "$build.log"
ninja -C "$build" -j "$(n_jobs)"
TEST_JOBS="${TEST_JOBS:-$(n_jobs)}" exec tools/run_tests.sh "$build" "$tests"
