#!/usr/bin/env bash
# Proves the device `cuda` on a machine with a GPU, in nine minutes at most: builds, measures what the GPU can do, compares
# every function's bits with the host's, and runs the tests of arrays and random programs there. Ends with one table;
# exit status 1 if something failed.
#
#   tests/gpu.sh [--quick] [--phases LIST] [--build DIR] [--logs DIR] [--pack DIR]
#
#   --quick        three minutes: fewer inputs and programs; build, probe, functions, arrays and random alone
#   --phases LIST  of build, probe, functions, arrays (one place), scheduler, places (two a rank, of the one GPU), memory (64 MB
#                  of the GPU), random, ranks, link, ipc, sanitizer, bench, joined by `,`; default: all
#   --build DIR    what was built before, by --pack here or elsewhere: the phase build is left out
#   --logs DIR     where what the phases say is kept (default: gpu-logs in the build folder)
#   --pack DIR     builds, copies the programs that the phases need to DIR, and ends; no GPU is needed
#
# Criterion, MPFR, MPI, hwloc, libpng and pkg-config are not needed. GPU_DEVICE: what TESSERA_DEVICE is set to (default:
# cuda). A phase that cannot run says `not run` and why; that is no failure unless nothing ran.
set -u
cd "$(dirname "$0")/.." || exit 1
source tools/environment.sh

all=build,probe,functions,arrays,scheduler,places,memory,random,ranks,link,ipc,sanitizer,bench
quick=0 phases="" build="" built=0 logs="" pack=""
usage() { sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0" | sed '$d'; exit "$1"; }
while [ $# -gt 0 ]; do
  case $1 in
  --quick) quick=1 ;;
  --phases) phases=$2; shift ;;
  --build) build=$2 built=1; shift ;;
  --logs) logs=$2; shift ;;
  --pack) pack=$2; shift ;;
  --help) usage 0 ;;
  *) usage 2 >&2 ;;
  esac
  shift
done
if [ -z "$phases" ]; then
  phases=$all
  if [ "$quick" = 1 ]; then phases=build,probe,functions,arrays,random; fi
fi
if [ -n "$pack" ]; then
  phases=build
elif [ "$built" = 1 ]; then
  phases=$(echo ",$phases," | sed 's/,build,/,/; s/^,//; s/,$//')
fi
build=${build:-build-gpu}
logs=${logs:-$build/gpu-logs}
mkdir -p "$build" "$logs"
build=$(cd "$build" && pwd) logs=$(cd "$logs" && pwd)
device=${GPU_DEVICE:-cuda}
jobs=$(nproc)
export LD_LIBRARY_PATH=$build${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
table=$logs/table n_failed=0 n_passed=0
: >"$table"

# chosen QUICK FULL: the one that counts.
chosen() { if [ "$quick" = 1 ]; then echo "$1"; else echo "$2"; fi; }

# row NAME RESULT SECONDS WHAT
row() { printf '%-22s %-8s %5s s  %s\n' "$@" | tee -a "$table"; }

# detail LOG: the line that says most.
detail() {
  local line
  line=$(grep -aE '^\[====\]|^[0-9]+ passed,|^functions:|^mma float64|^not run|^GPU bench' "$1" | tail -n 1)
  echo "${line:-$(grep -av '^ *$' "$1" | tail -n 1)}" | cut -c1-150
}

# run NAME SECONDS COMMAND…: a bounded step. 77 is a step that cannot run here.
run() {
  local name=$1 limit=$2 start=$SECONDS status result
  shift 2
  timeout --kill-after=5 "$limit" "$@" >"$logs/$name.log" 2>&1 </dev/null
  status=$?
  case $status in
  0) result=passed n_passed=$((n_passed + 1)) ;;
  77) result="not run" ;;
  124 | 137) result=TIMEOUT n_failed=$((n_failed + 1)) ;;
  *) result=FAILED n_failed=$((n_failed + 1)) ;;
  esac
  row "$name" "$result" $((SECONDS - start)) "$(detail "$logs/$name.log")"
  if [ "$result" = FAILED ] || [ "$result" = TIMEOUT ]; then
    grep -aE '^\[FAIL\]|Assertion failed|error:|Error|ERROR|DIFFERS|differs' "$logs/$name.log" | head -n 12 | cut -c1-200
  fi
  return $status
}

not_run() { row "$1" "not run" 0 "$2"; }

# Each phase is a function of its name.

configure_and_build() {
  local generator=()
  command -v ninja >/dev/null && generator=(-G Ninja)
  cmake -S . -B "$build" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXE_LINKER_FLAGS=-s \
    -DCMAKE_SHARED_LINKER_FLAGS=-s -DTESSERA_TESTS=ON -DTESSERA_CRITERION=OWN -DTESSERA_PYTHON=OFF -DTESSERA_MPI=OFF \
    -DTESSERA_EXAMPLES=OFF ${GPU_CMAKE:-} && cmake --build "$build" -j "$jobs" --target "${programs[@]}" &&
    echo "built: ${programs[*]}"
}
programs=(tessera_command test_array test_scheduler test_random gpu_probe gpu_functions gpu_ipc gpu_link)
bench_programs=(gpu_cases gpu_first gpu_kernels gpu_variants stencil_bench heat3d gray_scott black_scholes cavity cg)
programs+=("${bench_programs[@]/#/tessera_bench_}")

phase_build() { # timeout starts programs alone
  run build "${GPU_BUILD_SECONDS:-$(chosen 120 150)}" bash -c \
    "$(declare -p programs build jobs); $(declare -f configure_and_build); configure_and_build"
}

phase_probe() { run probe 60 "$build/tests/gpu_probe" --mma "$(chosen 2e7 1e8)"; }

phase_functions() {
  run functions "$(chosen 60 130)" "$build/tests/gpu_functions" --seconds "$(chosen 30 90)" --drawn "$(chosen 1e7 1e8)"
}

# What proves the device comes first. The default keeps small arrays on the host, so their place is named.
export TESSERA_PLACEMENT=all GPU_KEEPS_CONTEXT=1
first='reductions|ranks|elementwise|dtypes|views|assign|folds|statistics|order|placement|memory_limit'
# Suites whose tests fork: CUDA does not work in the child of a process that has used it.
forked='errors|handles|null|files|owner|stall|xdmf'
# Suites whose tests fork before they use a device, so that each needs a process of its own.
alone='devices'
# Suites that read the folder of the source, which is where the programs were built.
from_source='macros|text_signatures'
# The others run many in a process, since a context takes longer than a test.
arrays_step() { # name seconds program filter variables…
  local name=$1 limit=$2 program=$3 filter=$4
  shift 4
  run "$name" "$limit" env TESSERA_DEVICE="$device" "$@" "$build/tests/$program" --filter "$filter" "-j$jobs" \
    --seconds $((limit - 20)) $([ "$filter" = "@($alone)/*" ] || echo --together)
}
rest() {
  local out="$first|$forked|$alone"
  if [ -e "$build/source" ]; then out+="|$from_source"; fi
  echo "!($out)/*"
}
phase_arrays() {
  arrays_step arrays_first "$(chosen 60 90)" test_array "@($first)/*" TESSERA_PLACES=1
  if [ "$device" = cuda ]; then not_run "arrays ${forked//|/ }" "CUDA does not work in forked processes"; fi
  if [ "$quick" = 0 ]; then arrays_step arrays_devices 50 test_array "@($alone)/*"; fi
  if [ "$quick" = 0 ]; then arrays_step arrays_rest 80 test_array "$(rest)" TESSERA_PLACES=1; fi
}
phase_scheduler() { arrays_step scheduler 40 test_scheduler '*'; }
phase_places() {
  arrays_step arrays_two_places "$(chosen 50 70)" test_array "@($first)/*" TESSERA_DEVICES=0,0,0,0,0,0,0,0 TESSERA_PLACES=2
}
phase_memory() { arrays_step arrays_64_MB "$(chosen 50 70)" test_array "@($first)/*" TESSERA_DEVICE_MEMORY=64M; }

# Programs of several seeds side by side, since the compiler takes most of their time: N PROCESSES SETTING…
random_programs() {
  local n=$1 processes=$2 settings=() seed i pids=() status=0
  shift 2
  for i in "$@"; do settings+=(--set "$i"); done
  seed=$(date +%s)
  for ((i = 0; i < processes; i++)); do
    "$build/tests/test_random" --seed $((seed + i)) --programs "$n" --corpus 0 --no-numpy --no-shrink \
      --set device="$device" "${settings[@]}" >"$logs/random.$i" 2>&1 &
    pids+=($!)
  done
  for i in "${pids[@]}"; do wait "$i" || status=1; done
  for ((i = 0; i < processes; i++)); do cat "$logs/random.$i"; done
  for ((i = 0; i < processes; i++)); do tail -n 1 "$logs/random.$i"; done |
    awk '/passed, .* failed$/ { p += $1; f += $3; n++ } END { printf "%d passed, %d failed in %d processes\n", p, f, n }'
  return $status
}
random_step() { # name seconds programs processes setting…
  local name=$1 limit=$2
  shift 2
  run "$name" "$limit" bash -c "$(declare -p build logs device); $(declare -f random_programs); random_programs $*"
}
phase_random() {
  random_step random "$(chosen 45 90)" "$(chosen 2 4)" 12 placement=all
  if [ "$quick" = 0 ]; then random_step random_in_line 50 2 12 placement=all threads=1; fi
  if [ "$quick" = 0 ]; then random_step random_launches 50 2 12 placement=all graphs=0; fi
}

phase_ranks() { not_run ranks "there is no mpirun in this build: two processes on the GPU, by messages between them"; }

# One process with all GPUs; with one, its messages are to itself. Ranks with a GPU each need an mpirun.
phase_link() { run link 60 "$build/tests/gpu_link"; }

# Processes that write into each other's memory, on the GPUs in turn.
phase_ipc() {
  run ipc 60 "$build/tests/gpu_ipc"
  run ipc_small 60 "$build/tests/gpu_ipc" --ranks 4 --bytes 4097
}

phase_sanitizer() {
  local tool path
  path=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
  if [ -z "$path" ]; then not_run sanitizer "there is no compute-sanitizer"; return; fi
  for tool in memcheck racecheck; do
    run "sanitizer_$tool" "$(chosen 30 45)" "$path" --tool "$tool" --target-processes all --error-exitcode 9 \
      "$build/tests/test_random" --programs "$(chosen 2 4)" --corpus 0 --no-numpy --no-shrink --set device="$device"
  done
}

phase_bench() {
  local words=()
  if [ "$quick" = 1 ]; then words+=(--quick); fi
  run bench "$(chosen 60 240)" env -u TESSERA_PLACEMENT bench/gpu.sh --build "$build" --logs "$logs" "${words[@]}"
  sed -n '/^GPU bench/,$p' "$logs/bench.log"
}

start=$SECONDS
for phase in ${phases//,/ }; do
  if ! declare -F "phase_$phase" >/dev/null; then
    echo "no phase $phase" >&2
    exit 2
  fi
  "phase_$phase"
  if [ "$phase" = build ] && [ "$n_failed" -gt 0 ]; then tail -n 20 "$logs/build.log"; break; fi
done

if [ -n "$pack" ] && [ "$n_failed" = 0 ]; then
  mkdir -p "$pack/tests" "$pack/bench"
  for program in test_array test_scheduler test_random gpu_probe gpu_functions gpu_ipc gpu_link; do
    cp "$build/tests/$program" "$pack/tests/"
  done
  for program in "${bench_programs[@]}"; do cp "$build/bench/$program" "$pack/bench/"; done
  cp "$build/tessera" "$build"/libtessera.so.0 "$pack/"
  echo "$PWD" >"$pack/source"
  du -sh "$pack"
  exit 0
fi

echo
echo "tests/gpu.sh: $(date -u +%F), $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null ||
  echo no GPU), $((SECONDS - start)) s, device $device; logs in $logs"
cat "$table"
echo "$n_passed passed, $n_failed failed"
[ "$n_failed" = 0 ] && [ "$n_passed" -gt 0 ]
