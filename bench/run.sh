#!/usr/bin/env bash
# Ours and the peers, alternating, in one call; one line per case and peer:
#   case NAME threads=… ranks=… ours_us=… peer=… peer_us=… ratio=… bar=… ok|MISS|PEER-SLOW|NO-PEER
#
#   bench/run.sh [CASE]      only the cases whose name starts with CASE: stencil, stencil_1000, cavity …; bench/cases.py
#
#   bench/run.sh sweep [SIZE …] [PATTERN …]   one operation at a time, of every function and many dtypes, beside NumPy; bench/sweep.py
#
#   bench/run.sh kernels [NAME] [--small]   programs of science beside NumPy, Numba and JAX; bench/kernels/run.py
#
#   bench/run.sh metg     how short a task may be before half of the cores' rate is lost; bench/peers/metg.h
#
# BENCH_BUILD: the build directory (default: build); BENCH_REPEATS: runs of each program (default: 5).
# ratio: the peer's time / ours; the bar is the least that it may be.
set -eu
cd "$(dirname "$0")/.."
source tools/environment.sh
build=${BENCH_BUILD:-build}
if [ ! -x "$build/bench/stencil_bench" ]; then
  tools/install_deps.sh test
  cmake -S . -B "$build" -G Ninja >/dev/null
fi
ninja -C "$build" -j "$(n_jobs)" bench/all >/dev/null
python=$(python_with_numpy)
if [ -z "$python" ]; then
  echo "no python3 with numpy (Debian: python3-numpy)" >&2
  exit 1
fi
if [ "${1:-}" = sweep ]; then
  shift
  exec "$python" bench/sweep.py "$build" "$@"
fi
if [ "${1:-}" = kernels ]; then
  shift
  exec "$python" bench/kernels/run.py "$build" "$@"
fi
exec "$python" bench/run.py "$build" "${1:-}"
