#!/usr/bin/env bash
# The plans of four programs as text, on one rank and on rank 0 of two, are those kept here: groups with their kernels,
# slots and buffers, copies, messages, numbers of chunks and tasks. What decides them is set here, so that no machine
# shows. The plans of the other examples are followed point by point by the plan verifier (TESSERA_REPLAN).
#
#   tests/golden/run.sh BUILD
#
# After a change that is meant (the difference belongs into the commit's review):  tests/golden/run.sh BUILD --write
set -u
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../../tools/environment.sh"
examples=$1/examples
write=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

if ! [ -x "$examples/stencil" ]; then
  echo "SKIP plans as text: built without the examples"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
with_mpi=0
if grep -q '^TESSERA_MPI:STRING=OFF' "$1/CMakeCache.txt"; then :; elif command -v mpirun >/dev/null; then with_mpi=1; fi

export TESSERA_THREADS=1 TESSERA_BIND=0 TESSERA_RANKS_PER_CORE=1 TESSERA_JIT=off TESSERA_MEMORY=1G TESSERA_CHUNK_BYTES=512K \
  TESSERA_INLINE_ELEMS=256K TESSERA_REPLICATE_MAX=0 TESSERA_TILE_MIN=1 TESSERA_HALO_MAX=64 TESSERA_HALO_CACHE=1M \
  TESSERA_WINDOW_OPS=1 # each step is a window of its own

check() { # what, command...
  if "${@:2}"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $1"
  fi
}

# All plans that a rank made, in order.
plans_of() { # directory, rank
  local plan
  for plan in "$1"/*-9-tasks.rank"$2".txt; do
    echo "==== window $((10#$(basename "$plan" | cut -d- -f1)))"
    cat "$plan"
  done
}

as_kept() { # name, file
  if [ "$write" = --write ]; then cp "$2" "$here/$1.txt"; fi
  diff -u --label "$1.txt as kept" --label "$1.txt now" "$here/$1.txt" "$2"
}

# The passes of the windows that have a kernel with such a line, each.
passes_of_step() { # file, line of a kernel (regex), expected
  local got
  got=$(awk -v line="$2" '
    function end() { if (is_step) print n }
    /^==== /{end(); n = is_step = 0} /^group [0-9]+ (cut|replicated)/{n++} $0 ~ line {is_step = 1} END {end()}
    ' "$1" | sort -u | tr '\n' ' ')
  [ "$got" = "$3 " ] || { echo "passes in a step: ${got:-none}, not $3"; return 1; }
}

# The step reads one buffer of its array and writes the other.
is_renamed() { # file
  grep -q '^slot 0 r0:float64 buffer 0 groups 0-0 existing' "$1" && grep -q '^slot 1 r0:float64 buffer 1 .* final' "$1"
}

# What is rolled is read where it lies: nothing is stored but the values and their second buffer.
has_no_copies() { # file
  ! grep -q '^slot [0-9]* r[1-9].*\[[0-9].*\]$' "$1"
}

run_on() { # ranks, example, options...
  if [ "$1" = 1 ]; then
    timeout 120 "$examples/$2" "${@:3}" >"$work/out" 2>&1 </dev/null
  else
    timeout 120 mpirun --oversubscribe -n "$1" "$examples/$2" "${@:3}" >"$work/out" 2>&1 </dev/null
  fi
}

# Runs an example whose plans are kept as text.
kept() { # ranks, passes of a step, line of its kernel, name, example, options...
  local ranks=$1 passes=$2 line=$3 name=$4-$1-rank0
  export TESSERA_DUMP=$work/$4-$1
  check "$4 runs on $ranks" run_on "$ranks" "${@:5}"
  plans_of "$TESSERA_DUMP" 0 >"$work/$name"
  unset TESSERA_DUMP
  check "$name: the plans" as_kept "$name" "$work/$name"
  [ "$passes" = any ] || check "$name: passes" passes_of_step "$work/$name" "$line" "$passes"
  if [ "$4" = periodic ]; then check "$name: no copies of rolls" has_no_copies "$work/$name"; fi
  if [ "$5" = stencil ]; then check "$name: two buffers" is_renamed "$work/$name"; fi
}

# Runs an example whose plans the verifier follows. Of a step it is checked how many passes it takes, on each rank.
verified() { # ranks, passes of a step, line of its kernel, example, options...
  local ranks=$1 passes=$2 line=$3 rank
  export TESSERA_DUMP=$work/$4-$1 TESSERA_REPLAN=1
  check "$4 runs on $ranks, verified" run_on "$ranks" "${@:4}"
  for ((rank = 0; rank < ranks; rank++)); do
    if [ "$passes" = any ]; then break; fi
    plans_of "$TESSERA_DUMP" $rank >"$work/$4-$ranks-rank$rank"
    check "$4-$ranks-rank$rank: passes" passes_of_step "$work/$4-$ranks-rank$rank" "$line" "$passes"
  done
  unset TESSERA_DUMP TESSERA_REPLAN
}

# A stencil step is one pass, also over periodic borders (rolls). A cavity step has four domains: u and v, which compute
# again what flows through corners and centres, borders, and pressure, which needs the new u and v; on two ranks, cut by
# rows, the first and the last row and the columns of the borders are cut each in their own way. Gray-Scott: both fields
# in one pass, then the rows and the columns that wrap around. How many passes the others have depends on what they read.
for ranks in 1 2; do
  if [ $ranks = 2 ] && [ $with_mpi = 0 ]; then
    echo "SKIP plans on 2 ranks: built without MPI"
    skipped=$((skipped + 11))
    continue
  fi
  kept $ranks 1 'add.f64 %0 %1 %2 %3 %4$' stencil stencil -n 60 -i 3 -w 0
  kept $ranks 1 'add.f64 %4 %0 %1 %2 %3$' periodic stencil -p 1 -n 60 -i 3 -w 0
  kept $ranks any '' cg cg -n 24 --tolerance 0.5
  kept $ranks any '' kmeans kmeans -n 24 -k 3 --most 2
  verified $ranks $((ranks == 1 ? 4 : 6)) 'subtract.f64 %' cavity -n 32 --steps 2
  verified $ranks $((ranks == 1 ? 3 : 4)) 'multiply.f64 %' gray_scott -n 40 -i 2
  verified $ranks 1 'add.f64 %' heat3d -n 24 -i 2
  verified $ranks any '' game_of_life -n 24 -i 2
  verified $ranks any '' images --height 24 --width 32
  verified $ranks any '' black_scholes -n 24
  verified $ranks any '' mandelbrot -n 24 -i 16
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
