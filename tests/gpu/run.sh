#!/usr/bin/env bash
# The programs of tests/gpu.sh, as far as they go without a GPU: NVRTC takes their texts, where it is here; functions are
# compared over the stand-in for the driver, where it is built; and the scripts say what they would not run.
set -u
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.." || exit 1
source tools/environment.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n_passed=0 n_failed=0 n_skipped=0

check() { # name command…: 77 is skipped
  local name=$1 status
  shift
  "$@" >"$work/log" 2>&1
  status=$?
  case $status in
  0) n_passed=$((n_passed + 1)) ;;
  77) n_skipped=$((n_skipped + 1)) && echo "SKIP $name: $(head -n 1 "$work/log")" ;;
  *) n_failed=$((n_failed + 1)) && echo "FAILED $name: status $status" && cat "$work/log" ;;
  esac
}

check "NVRTC takes the probe" "$build/tests/gpu_probe" --compile
check "NVRTC takes functions and what draws their operands" "$build/tests/gpu_functions" --compile --only "erf float"
if [ -x "$build/bench/gpu_kernels" ]; then
  check "NVRTC takes kernels in every layout, and those by hand" "$build/bench/gpu_kernels" --compile --only triad
fi

# A difference is found, and all is well without one.
over_stand_in() { # arguments of functions
  TESSERA_CACHE=$work/cache LD_LIBRARY_PATH=$build/tests/fakes "$build/tests/gpu_functions" --threads 2 --chunk 4096 "$@"
}
same() { over_stand_in --only "exp float" --drawn 10000 --all 30000 && grep -q ' 6 run, 0 differ' "$work/log"; }
if [ -e "$build/tests/fakes/libcuda.so.1" ]; then
  check "functions over the stand-in for the driver" same
else
  check "functions over the stand-in for the driver" bash -c 'echo "this build has no CUDA"; exit 77'
fi

# NCCL's calls, over its stand-in: a GPU by itself, and three.
over_links() { FAKE_CUDA_DEVICES=$1 LD_LIBRARY_PATH=$build/tests/fakes "$build/tests/gpu_link" --bytes "$2"; }
if [ -e "$build/tests/fakes/libnccl.so.2" ]; then
  check "one GPU links with itself" over_links 1 100001
  check "three GPUs are linked" over_links 3 5000
fi

# Memory of other processes: they share a GPU, or have two in turn.
over_memory() { FAKE_CUDA_DEVICES=$1 LD_LIBRARY_PATH=$build/tests/fakes "$build/tests/gpu_ipc" --ranks "$2" --bytes "$3"; }
without_values() { FAKE_CUDA_REFUSE_VALUES=1 LD_LIBRARY_PATH=$build/tests/fakes "$build/tests/gpu_ipc" >"$work/said"; [ $? = 77 ] && grep -q 'cannot wait for counters' "$work/said"; }
if [ -e "$build/tests/fakes/libcuda.so.1" ]; then
  check "processes write into each other's memory of one GPU" over_memory 1 2 100001
  check "processes write into each other's memory of two GPUs" over_memory 2 4 5000
  check "a GPU whose queues cannot wait for counters" without_values
fi

says_why() { # without a GPU a phase is not run, which proves nothing
  if LD_LIBRARY_PATH='' tests/gpu.sh --build "$build" --logs "$work/logs" --phases probe,ranks,link,ipc >"$work/said" 2>&1; then
    echo "it passed"
    return 1
  fi
  cat "$work/said"
  grep -q '^probe  *not run' "$work/said" && grep -q '^link  *not run .*no GPU' "$work/said" && grep -q '^0 passed, 0 failed' "$work/said"
}
if ! ldconfig -p | grep -q 'libcuda\.so\.1'; then check "a machine without a GPU" says_why; fi
echo "$n_passed passed, $n_failed failed, $n_skipped skipped"
[ "$n_failed" = 0 ]
