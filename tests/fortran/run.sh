#!/usr/bin/env bash
# The Fortran module as gfortran compiles it: the checks of check.f90 on one rank and on two, and what must not compile.
#
#   tests/fortran/run.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../../tools/environment.sh"
build=$(cd "$1" && pwd)
source=$here/../../fortran/tessera.f90
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0 skipped=0

skip() { # reason
  echo "SKIP the Fortran module: $1"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
}
grep -q '^TESSERA_SANITIZE:STRING=.' "$build/CMakeCache.txt" && skip "a sanitizer's library wants its own in the program"
if ! command -v gfortran >/dev/null; then
  [ -z "${TEST_NEEDS_ALL:-}" ] && skip "gfortran is not installed"
  echo "FAIL gfortran is not installed, where all is needed"
fi

report() { # name, status
  if [ "$2" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $1"
    sed 's/^/    /' out
  fi
}
gfortran -std=f2018 -O2 -g -Wall -Wextra -Werror -c "$source" >out 2>&1
report "the module compiles without a warning" $?
gfortran -std=f2018 -O1 -g -fcheck=all -Wall -Wextra -Wno-compare-reals -Wno-function-elimination -Werror \
  "$here/check.f90" tessera.o -L "$build" -ltessera -Wl,-rpath,"$build" -o check >out 2>&1
report "the checks compile" $?

written=$(grep -cE '^ *(if \(.*\) )?call check\(' "$here/check.f90")
counted() { # command...: adds the counts of the last line, where all checks that are written have run
  timeout 120 "$@" >out 2>&1 </dev/null
  local status=$?
  if [[ $(grep ' passed, ' out) =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] && [ "${BASH_REMATCH[1]}" -ge "$written" ]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
  else
    status=1
  fi
  report "$*" $status
}
counted ./check
grep -q '^MPI *no' <("$build/tessera" info) || counted mpirun --oversubscribe -n 2 ./check

refused() { # name, statement that must not compile
  printf 'program p\n use tessera\n type(tsr_array) :: x\n x = tsr_ones([3])\n %s\nend program\n' "$2" >wrong.f90
  ! gfortran -std=f2018 -fsyntax-only wrong.f90 >out 2>&1
  report "$1" $?
}
refused "an array is no number" "print *, sqrt(x)"
refused "an array is not assigned to by a number" "x = 3"
refused "text is no operand of +" "x = x + x + ('a' + x)"

# The message of a program that ends by an error.
printf 'program p\n use tessera\n type(tsr_array) :: x\n call tsr_init()\n x = tsr_ones([3]) + tsr_ones([4])\nend program\n' >wrong.f90
gfortran wrong.f90 tessera.o -L "$build" -ltessera -Wl,-rpath,"$build" -o wrong >out 2>&1 && ! ./wrong >out 2>&1 &&
  grep -q 'TSR0203.*tsr_add' out
report "an error ends the program" $?

# Arguments that the compiler cannot refuse.
ends() { # statement, text of the error
  printf 'program p\n use tessera\n type(tsr_array) :: x\n call tsr_init()\n x = tsr_ones([3, 4])\n %s\nend program\n' "$1" >wrong.f90
  gfortran wrong.f90 tessera.o -L "$build" -ltessera -Wl,-rpath,"$build" -o wrong >out 2>&1 && ! ./wrong >out 2>&1 && grep -q "$2" out
  report "$1" $?
}
ends "x = tsr_sqrt('text')" "neither a number nor an array"
ends "x = tsr_section(x, [1, 1], [2])" "bounds of a section"
ends "x = tsr_section(x, [1, 1], [2, 2], [1])" "steps of a section"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
