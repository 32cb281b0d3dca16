#!/usr/bin/env bash
# Builds Tessera and passes all its tests, from a fresh Debian or Ubuntu machine on.
#
#   ./test.sh [BUILD]      BUILD: the build directory (default: build)
#
# The number of random programs and their seed: TEST_PROGRAMS=1000 TEST_SEED=… (default: 200, fresh); of a fixed seed
# besides: TEST_CORPUS=2800. Ends with one line `N passed, N failed, N skipped`; exit status 1 if one failed.
set -eu
cd "$(dirname "$0")"
source tools/environment.sh

tools/install_deps.sh test
build=${1:-build}
cmake -S . -B "$build" -G Ninja -DTESSERA_TESTS=ON >"$build.log" 2>&1 || { cat "$build.log"; rm -f "$build.log"; exit 1; }
rm -f "$build.log"
ninja -C "$build" -j "$(n_jobs)"
exec tools/run_tests.sh "$build"
