#!/usr/bin/env bash
# The plans of the examples as text, on one rank and on two, are those kept here: groups with their kernels, slots and
# buffers, copies, messages, numbers of chunks and tasks. What decides them is set here, so that no machine shows.
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
  TESSERA_INLINE_ELEMS=256K TESSERA_REPLICATE_MAX=0 TESSERA_TILE_MIN=1 TESSERA_HALO_MAX=64 \
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

run_example() { # ranks, passes of a step, line of its kernel, name, example, options...
  local ranks=$1 passes=$2 line=$3 kept=$4 example=$5 rank name
  export TESSERA_DUMP=$work/$kept-$ranks
  shift 5
  if [ "$ranks" = 1 ]; then
    timeout 60 "$examples/$example" "$@" >"$work/out" 2>&1 </dev/null
  else
    timeout 60 mpirun --oversubscribe -n "$ranks" "$examples/$example" "$@" >"$work/out" 2>&1 </dev/null
  fi
  check "$example runs on $ranks" [ $? = 0 ]
  for ((rank = 0; rank < ranks; rank++)); do
    name=$kept-$ranks-rank$rank
    plans_of "$TESSERA_DUMP" $rank >"$work/$name"
    check "$name: the plans" as_kept "$name" "$work/$name"
    [ "$passes" = any ] || check "$name: passes" passes_of_step "$work/$name" "$line" "$passes"
    if [ "$kept" = periodic ]; then check "$name: no copies of rolls" has_no_copies "$work/$name"; fi
    if [ "$example" = stencil ]; then check "$name: two buffers" is_renamed "$work/$name"; fi
  done
}

# A stencil step is one pass, also over periodic borders (rolls). A cavity step has four domains: u and v, which compute again what flows through corners and
# centres, borders, and pressure, which needs the new u and v; on two ranks, cut by rows, the first and the last row and
# the columns of the borders are cut each in their own way. Gray-Scott: both fields in one pass, then the rows and the columns
# that wrap around. Of the others the text alone is kept: how many passes a step has depends on what it reads.
for ranks in 1 2; do
  if [ $ranks = 2 ] && [ $with_mpi = 0 ]; then
    echo "SKIP plans on 2 ranks: built without MPI"
    skipped=$((skipped + 11))
    continue
  fi
  run_example $ranks 1 'add.f64 %0 %1 %2 %3 %4$' stencil stencil -n 60 -i 3 -w 0
  run_example $ranks 1 'add.f64 %4 %0 %1 %2 %3$' periodic stencil -p 1 -n 60 -i 3 -w 0
  run_example $ranks $((ranks == 1 ? 4 : 6)) 'subtract.f64 %' cavity cavity -n 32 --steps 2
  run_example $ranks $((ranks == 1 ? 3 : 4)) 'multiply.f64 %' gray_scott gray_scott -n 40 -i 2
  run_example $ranks 1 'add.f64 %' heat3d heat3d -n 24 -i 2
  run_example $ranks any '' cg cg -n 24 --tolerance 0.5
  run_example $ranks any '' kmeans kmeans -n 24 -k 3 --most 2
  run_example $ranks any '' game_of_life game_of_life -n 24 -i 2
  run_example $ranks any '' images images --height 24 --width 32
  run_example $ranks any '' black_scholes black_scholes -n 24
  run_example $ranks any '' mandelbrot mandelbrot -n 24 -i 16
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
