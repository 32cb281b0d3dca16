#!/usr/bin/env bash
# Speed on a GPU: our programs with TESSERA_DEVICE=cuda beside a copy of the same bytes, CuPy, PyTorch and JAX, in four
# minutes at most. A case that fails says so, and the others go on. Ends with one table:
#   case, ours in microseconds a step, GB/s, share of the copy's GB/s and its bar, the best peer, its time over ours
#
#   bench/gpu.sh [--quick] [--build DIR] [--logs DIR] [--parts LIST] [--scale N]
#
#   --build DIR   where the programs are (default: build)
#   --logs DIR    where what they say is kept (default: gpu-logs in the build folder)
#   --parts LIST  of ours, kernels, cupy, torch, jax, joined by `,`; default: all
#   --scale N     arrays are N times smaller along their first axis: to try the script
# GPU_DEVICE: what TESSERA_DEVICE is set to (default: cuda).
set -u
cd "$(dirname "$0")/.." || exit 1
source tools/environment.sh

quick=0 build=build logs="" parts=ours,kernels,cupy,jax,torch scale=1
while [ $# -gt 0 ]; do
  case $1 in
  --quick) quick=1 ;;
  --build) build=$2; shift ;;
  --logs) logs=$2; shift ;;
  --parts) parts=$2; shift ;;
  --scale) scale=$2; shift ;;
  *) sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0" | sed '$d'; exit 2 ;;
  esac
  shift
done
logs=${logs:-$build/gpu-logs}
mkdir -p "$logs"
build=$(cd "$build" && pwd) logs=$(cd "$logs" && pwd)
export LD_LIBRARY_PATH=$build${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export TESSERA_DEVICE=${GPU_DEVICE:-cuda}
has() { case ",$parts," in *",$1,"*) return 0 ;; *) return 1 ;; esac; }
chosen() { if [ "$quick" = 1 ]; then echo "$1"; else echo "$2"; fi; }

results=$logs/bench.results start=$SECONDS
: >"$results"

# ours NAME SETTING… -- PROGRAM ARGUMENTS…: adds `ours NAME us=…`, or why not.
ours() {
  local name=$1 settings=() got
  shift
  while [ "$1" != -- ]; do settings+=("$1"); shift; done
  shift
  if [ $((SECONDS - start)) -gt "$(chosen 40 110)" ]; then
    echo "ours $name left out for want of time" >>"$results"
    return
  fi
  case $name in # steps that are shorter than what is compiled first: once before
  stencil_* | cg | cavity)
    env "${settings[@]}" timeout --kill-after=2 20 "$build/bench/$1" "${@:2}" >/dev/null 2>&1 ;;
  esac
  if got=$(env "${settings[@]}" timeout --kill-after=2 20 "$build/bench/$1" "${@:2}" 2>"$logs/bench_$name.log"); then
    echo "ours $name $got" | tee -a "$results"
  else
    echo "ours $name failed: status $?, $(tail -c 200 "$logs/bench_$name.log" | tr '\n' ' ')" | tee -a "$results"
  fi
}

# less N: of that many elements, at the scale.
less() { echo $(($1 / scale)); }

run_first() { # the context alone; eight kernels that are new; the same ones in the next process
  local cache before
  cache=$(mktemp -d) before=$(mktemp -d)
  # Once before, so that NVRTC is no longer on the disk alone.
  TESSERA_PLACEMENT=all TESSERA_CACHE=$before timeout 20 "$build/bench/gpu_first" 1 >/dev/null 2>&1
  ours first_context -- gpu_first 0
  ours first_new TESSERA_PLACEMENT=all TESSERA_CACHE="$cache" -- gpu_first 8
  ours first_cached TESSERA_PLACEMENT=all TESSERA_CACHE="$cache" -- gpu_first 8
  rm -rf "$cache" "$before"
}

run_ours() { # in the order of their value; square cases are scaled along both axes here
  local line=$((1 << 28)) side=16384 cube=766
  if [ "$scale" -gt 1 ]; then side=$((16384 / scale)) cube=$((766 / scale)); fi
  ours triad -- gpu_cases triad "$(less $line)"
  ours five_point -- gpu_cases five_point "$side"
  ours sum -- gpu_cases sum "$(less $line)"
  ours stencil_100 -- stencil_bench 100 1000 200
  run_first
  ours product_sum -- gpu_cases product_sum "$(less $line)"
  ours chain -- gpu_cases chain "$(less $line)"
  ours seven_point -- heat3d "$cube" 30 5
  ours gray_scott -- gray_scott "$((side / 2))" 60 10
  ours matmul -- gpu_cases matmul "$(less 4096)"
  ours options -- black_scholes "$(less $((1 << 26)))" 30 5 float64
  ours dot -- gpu_cases dot "$(less $line)"
  ours cg -- cg "$(less 1000000)" 400 100
  ours cavity -- cavity "$(less 2048)" 200 20
  ours over_memory TESSERA_DEVICE_MEMORY=$((side * side * 2)) -- gpu_cases five_point "$side" 2
  if [ "$quick" = 1 ]; then return; fi
  ours matmul_8192 -- gpu_cases matmul "$(less 8192)"
  ours matmul32 -- gpu_cases matmul32 "$(less 8192)"
  ours rows -- gpu_cases rows "$side"
  ours columns -- gpu_cases columns "$side"
  ours argmin -- gpu_cases argmin "$(less $line)"
  ours stencil_100_chosen TESSERA_PLACEMENT=cost -- stencil_bench 100 1000 200
  ours stencil_100_cpu TESSERA_DEVICE=cpu -- stencil_bench 100 1000 200
}

run_peer() { # name
  local names=()
  if [ "$quick" = 1 ]; then names=(triad five_point sum stencil_100); fi
  timeout --kill-after=2 "$(chosen 30 55)" python3 bench/peers/gpu.py "$1" "$(chosen 20 40)" "$scale" "${names[@]}" \
    2>"$logs/peer_$1.log" | tee -a "$results"
}

if [ ! -s "$logs/probe.log" ] && [ -x "$build/tests/gpu_probe" ]; then # the copy
  timeout 60 "$build/tests/gpu_probe" --mma 0 --elements $(((1 << 28) / scale)) >"$logs/probe.log" 2>&1
fi
if has ours; then run_ours; fi
if has kernels; then
  timeout --kill-after=2 60 "$build/bench/gpu_kernels" --seconds "$(chosen 15 40)" --scale "$scale" |
    tee "$logs/kernels.log"
fi
for peer in cupy jax torch; do
  if has "$peer"; then run_peer "$peer"; fi
done

card=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null || echo no GPU)
echo "GPU bench, $(date -u +%F), $card, copy" \
  "$(awk '$2 == "copy_within" { print $3 }' "$logs/probe.log" 2>/dev/null) GB/s, $((SECONDS - start)) s"
python3 bench/gpu_table.py "$results" "$logs/probe.log" "$logs/kernels.log" "$scale"
