#!/usr/bin/env bash
# The examples as their users start them: the same bits on any number of ranks and threads, against NumPy and against
# the cavity's published table, --help, wrong options.
#
#   tests/examples/run.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../../tools/environment.sh"
examples=$1/examples
stencil=$examples/stencil cavity=$examples/cavity
passed=0 failed=0 skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

report() { # name, status
  if [ "$2" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $1"
    sed 's/^/    /' "$work/out" "$work/err" 2>/dev/null
  fi
}

run() { # command...: leaves its output in $work/out and $work/err
  timeout 300 "$@" >"$work/out" 2>"$work/err" </dev/null
}

check_of() { # the check= of the last line that a run left, if the line has its form
  tail -n 1 "$work/out" |
    sed -nE 's/^result elapsed_ms=[0-9.]+ mpoints_per_s=[0-9.]+ check=([-0-9.e+]+)$/\1/p'
}

python=$(python_with_numpy)
with_mpi=0
if grep -q '^TESSERA_MPI:STRING=OFF' "$1/CMakeCache.txt"; then :; elif command -v mpirun >/dev/null; then with_mpi=1; fi

# An example on one rank and thread, on threads and on ranks: the same text and the same file each time, and both
# NumPy's within `error`, relative (0: exactly).
example() { # error, name, options in full...
  local error=$1 name=$2 reference threads ranks
  shift 2
  run env TESSERA_THREADS=1 "$examples/$name" "$@" --npy "$work/one.npy"
  [ $? = 0 ] && reference=$(check_of) && [ -n "$reference" ]
  report "$name $* runs" $?

  if [ -n "$python" ]; then
    run "$python" "$here/references.py" "$error" "$reference" "$work/one.npy" "$name" "$@"
    report "$name $* is NumPy's: $reference" $?
  else
    skipped=$((skipped + 1))
  fi

  run env TESSERA_THREADS=2 "$examples/$name" "$@" --npy "$work/other.npy" && [ "$(check_of)" = "$reference" ] &&
    cmp "$work/one.npy" "$work/other.npy"
  report "$name $* on 2 threads: $reference" $?
  [ $with_mpi = 1 ] || return
  for ranks in 2 3 4; do
    threads=$((1 + ranks % 2))
    run env TESSERA_THREADS=$threads mpirun --oversubscribe -n $ranks "$examples/$name" "$@" --npy "$work/other.npy" &&
      [ "$(check_of)" = "$reference" ] && [ "$(grep -c ^result "$work/out")" = 1 ] && cmp "$work/one.npy" "$work/other.npy"
    report "$name $* on $ranks ranks of $threads threads: $reference" $?
  done
}

# At 100 the grid is small enough for every rank to hold it whole; at 301 the ranks share it.
example 1e-11 stencil -n 100 -i 40 -w 3
example 1e-11 stencil -n 301 -i 40 -w 3
example 1e-11 images --height 270 --width 480
example 1e-11 gray_scott -n 160 -i 100 --feed 0.055 --kill 0.062
example 1e-11 black_scholes -n 200 --price 100.0 --interest 0.03 --volatility 0.3
example 1e-11 heat3d -n 40 -i 30
example 1e-7 cg -n 140 --tolerance 1e-8
example 1e-11 kmeans -n 130 -k 7 --most 20
example 0 game_of_life -n 200 -i 100
example 1e-11 advection -n 150 -i 40 --turn 0.4
example 1e-13 mandelbrot -n 150 -i 60 --re -0.6 --im 0.1 --height 2.0

# The plate of stencil in other languages: stencil's bits, on ranks too; an error ends it with its text.
check_of_heat() { # Fortran writes the digits of a number otherwise
  [ "$(wc -l <"$work/out")" = 1 ] && sed -n 's/^result check= *\([-+.0-9eE]*\).*/\1/p' "$work/out" | awk '{ printf "%.17g\n", $1 }'
}
other_language() { # PROGRAM
  local heat=$examples/$1 reference
  run "$stencil" -n 301 -i 40 -w 0 && reference=$(check_of) && run "$heat" 301 40 &&
    [ "$(check_of_heat)" = "$reference" ]
  report "$1 is stencil: $reference" $?
  run "$heat" -5
  [ $? = 1 ] && grep -q 'TSR0204' "$work/err"
  report "$1 -5 is refused" $?
  [ $with_mpi = 1 ] || return
  run mpirun --oversubscribe -n 2 "$heat" 301 40 && [ "$(check_of_heat)" = "$reference" ]
  report "$1 on 2 ranks: $reference" $?
}
languages=heat_cpp
if [ -x "$examples/heat_f90" ]; then languages+=" heat_f90"; else skipped=$((skipped + 1)); fi
for name in $languages; do other_language $name; done

mkdir "$work/one" "$work/two"
series_of() { # folder, ranks: the cube of 14 at steps 0, 10 and 20 as XDMF and raw numbers
  local start=()
  [ "$2" = 1 ] || start=(mpirun --oversubscribe -n "$2")
  run "${start[@]}" "$examples/heat3d" -n 12 -i 25 --every 10 --xdmf "$work/$1/heat.xdmf" &&
    [ "$(grep -oE '<Time Value="[0-9]+"' "$work/$1/heat.xdmf" | grep -oE '[0-9]+' | paste -sd ' ')" = "0 10 20" ] &&
    [ "$(cat "$work/$1"/heat_temperature_00000[0-2].raw | wc -c)" = $((3 * 14 * 14 * 14 * 8)) ]
}
series_of one 1
report "heat3d writes a series" $?
! cmp -s "$work/one/heat_temperature_000001.raw" "$work/one/heat_temperature_000002.raw"
report "its steps differ" $?
if [ $with_mpi = 1 ]; then
  series_of two 2 && diff -r "$work/one" "$work/two"
  report "the same from 2 ranks" $?
fi

run "$cavity" --re 100 -n 48 &&
  awk '/^largest difference/ { seen = 1; gsub(",", ""); if ($(NF-2) > 0.02 || $NF > 0.02) bad = 1 }
       END { exit !seen || bad }' "$work/out" && [ -n "$(check_of)" ]
report "cavity at Re 100 agrees with the table" $?
run "$cavity" --re 250 -n 16 --steps 100 && [ -n "$(check_of)" ] && ! grep -q ghia "$work/out" &&
  [ "$(grep -cE '^ +[01]\.[0-9]{4} +-?[0-9.]+$' "$work/out")" = 34 ]
report "cavity at another Re prints its profiles" $?
run "$cavity" -n 160 --steps 20
one=$(check_of)
[ -n "$one" ] && run env TESSERA_THREADS=2 "$cavity" -n 160 --steps 20 && [ "$(check_of)" = "$one" ]
report "cavity on 2 threads: $one" $?
if [ $with_mpi = 1 ]; then
  run env TESSERA_THREADS=1 mpirun --oversubscribe -n 2 "$cavity" -n 160 --steps 20 && [ "$(check_of)" = "$one" ]
  report "cavity on 2 ranks: $one" $?
fi

if grep -q 'PNG_FOUND:INTERNAL=1' "$1/CMakeCache.txt"; then
  for name in $languages; do
    run "$examples/$name" 50 10 "$work/heat.png" && [ "$(head -c 4 "$work/heat.png" | tail -c 3)" = PNG ] &&
      rm "$work/heat.png"
    report "$name draws" $?
  done
  run "$stencil" -n 50 -i 10 --png "$work/s.png" && [ "$(head -c 4 "$work/s.png" | tail -c 3)" = PNG ]
  report "stencil draws" $?
  run "$cavity" -n 40 --re 100 --png "$work/cavity.png" && run "$python" "$here/cavity_picture.py" "$work/cavity.png"
  report "cavity draws its streamlines and profiles" $?
  run "$stencil" -n 10 -i 1 --png "$work/no/such/folder.png"
  [ $? != 0 ] && grep -q 'folder.png' "$work/err"
  report "a picture that cannot be written is an error" $?
fi

for name in stencil cavity images gray_scott black_scholes heat3d cg kmeans game_of_life mandelbrot advection; do
  program=$examples/$name
  run "$program" --help && grep -q "^usage: $name" "$work/out" && grep -q -- --png "$work/out" && [ ! -s "$work/err" ]
  report "$name --help" $?
  for options in "--png" "--bogus 3" "7"; do
    # shellcheck disable=SC2086
    run "$program" $options
    [ $? = 2 ] && [ "$(wc -l <"$work/err")" = 1 ] && grep -q "$name --help" "$work/err"
    report "$name $options is refused" $?
  done
done
for options in "-n" "-n 0" "-n 12x"; do
  # shellcheck disable=SC2086
  run "$stencil" $options
  [ $? = 2 ] && [ "$(wc -l <"$work/err")" = 1 ] && grep -q "stencil --help" "$work/err"
  report "stencil $options is refused" $?
done
run "$cavity" --re 1001
[ $? = 2 ] && grep -q -- '--re takes a number from 1 to 1000, not 1001' "$work/err"
report "cavity --re 1001 is refused" $?
run "$cavity" --re=7 -n=2.5
[ $? = 2 ] && grep -q -- '-n takes a whole number from 4 to 4096, not 2.5' "$work/err"
report "cavity -n=2.5 is refused" $?
run "$cavity" --help && grep -q -- 'Reynolds number, from 1 to 1000 (default 100)' "$work/out"
report "cavity --help has ranges" $?

# A library without MPI under an MPI launcher says so instead of running n copies.
if [ $with_mpi = 0 ] && command -v mpirun >/dev/null; then
  run mpirun --oversubscribe -n 2 "$stencil" -n 10 -i 1
  [ $? != 0 ] && ! grep -q ^result "$work/out" && grep -qi mpi "$work/err"
  report "n copies without MPI are refused" $?
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
