#!/usr/bin/env bash
# What `cmake --install` leaves: a program outside the tree is built against it three ways (CMake, pkg-config, plain cc)
# from C and C++, and runs; the library's name and symbols; the pages and the completion. The installed tree is moved
# first: nothing in it may know where it was made. Then what cannot be installed or built: `uninstall` leaves nothing,
# missing packages are left out and named, and what cannot work is refused when it is configured.
#
#   tests/packaging/run.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
source tools/environment.sh
build=$(cd "$1" && pwd)
passed=0 failed=0 skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check() { # NAME COMMAND...: shows what the command said where it fails
  local name=$1
  shift
  if "$@" >"$work/log" 2>&1 </dev/null; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $name"
    sed 's/^/    /' "$work/log"
  fi
}

check "install" cmake --install "$build" --prefix "$work/made"
mkdir "$work/a place"
mv "$work/made" "$work/a place/tessera"
prefix="$work/a place/tessera"
library=$(find "$prefix" -name 'libtessera.so.0')
libdir=$(dirname "$library")
check "nothing else is at the top" [ "$(cd "$prefix" && echo * | sed 's/lib64/lib/')" = "bin include lib share" ]
is_link_of() { [ "$(readlink "$libdir/libtessera.so")" = libtessera.so.0 ] && [ -n "$(readlink "$library")" ]; }
check "libtessera.so -> .so.0 -> the file" is_link_of
soname() { readelf -d "$library" | grep -q 'SONAME.*\[libtessera\.so\.0\]'; }
check "SONAME 0" soname
no_paths() { ! readelf -d "$library" | grep -E 'R(UN)?PATH' | grep -F "$build"; }
check "no path of the build directory in it" no_paths
check "exported symbols" tools/check_exports.sh "$libdir"
for file in bin/tessera include/tessera.h include/tessera/output.h share/man/man1/tessera.1 share/man/man1/tessera-run.1 \
  share/man/man1/tessera-info.1 share/man/man3/tessera.3 share/man/man3/tessera-context.3 share/man/man3/tessera-statistics.3 share/bash-completion/completions/tessera \
  share/zsh/site-functions/_tessera share/fish/vendor_completions.d/tessera.fish share/doc/tessera/LICENSE \
  share/doc/tessera/README.md share/doc/tessera/CHANGELOG.md share/doc/tessera/docs/guide/README.md \
  share/doc/tessera/docs/guide/first-program.md share/doc/tessera/docs/pictures/cavity.png \
  share/doc/tessera/docs/performance.md share/tessera/tessera.f90 share/doc/tessera/examples/heat.f90 share/doc/tessera/examples/stencil.c; do
  check "$file is there" [ -s "$prefix/$file" ]
done
check "the command runs" "$prefix/bin/tessera" info

links_hold() {
  local page link
  for page in "$prefix"/share/doc/tessera/{README,docs/numpy,docs/guide/*,docs/design/README}.md; do
    for link in $(grep -oE '\]\([^)# ]+' "$page" | cut -c 3- | grep -v '^https*:'); do
      [ -e "$(dirname "$page")/$link" ] || { echo "$page: $link" && return 1; }
    done
  done
}
check "the pages' links hold" links_hold

# A macro in the middle of a line is shown as it stands.
no_markup() {
  local page
  for page in "$prefix"/share/man/man?/tessera*; do
    man -l "$page" >"$work/page" && [ -s "$work/page" ] || return 1
    ! grep -nE '(^|[^.[:alnum:]])\.[A-Z][a-z]( |$)' "$work/page" || return 1
  done
}
functions_have_pages() {
  man -M "$prefix/share/man" tsr_task >"$work/page" && grep -q 'tsr_function tsr_task(' "$work/page" &&
    man -M "$prefix/share/man" tessera-index >"$work/page" && grep -q '^ *tsr_task(' "$work/page"
}
if command -v man >/dev/null && command -v nroff >/dev/null; then
  check "the pages show no markup" no_markup
  check "a function's name finds its page" functions_have_pages
else
  skipped=$((skipped + 1))
fi

# A library with a sanitizer wants it in the program, too.
sanitize=$(sed -n 's/^TESSERA_SANITIZE:STRING=//p' "$build/CMakeCache.txt")
flags=${sanitize:+-fsanitize=$sanitize}
strict="-Wall -Wextra -Werror"
program=$here/program

one=""
runs() { # PROGRAM: alone, the same mean each time
  local mean
  LD_LIBRARY_PATH="$libdir" "$1" >"$work/out" || return 1
  cat "$work/out"
  mean=$(sed -n 's/^ranks 1 mean //p' "$work/out")
  [ -n "$mean" ] && { [ -z "$one" ] || [ "$mean" = "$one" ]; } && one=$mean
}
with_cmake() {
  cmake -S "$program" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags $strict" \
    -DCMAKE_CXX_FLAGS="$flags $strict" && cmake --build "$work/cmake"
}
check "CMake builds" with_cmake
check "CMake: C runs" runs "$work/cmake/heat"
check "CMake: C++ runs" runs "$work/cmake/heat_cpp"
alone() { # EXAMPLE.c: by itself in an empty folder
  local name
  name=$(basename "$1" .c)
  mkdir -p "$work/alone/$name" && cp "$1" "$work/alone/$name" && cd "$work/alone/$name" &&
    eval "cc -std=gnu11 $flags $strict $name.c $(pkg-config --cflags --libs tessera) -lm -o $name"
}
examples_copied() ( # somewhere else: all by CMake, each by hand
  export PKG_CONFIG_PATH="$libdir/pkgconfig" LD_LIBRARY_PATH="$libdir"
  cp -r "$prefix/share/doc/tessera/examples" "$work/copied" &&
    cmake -S "$work/copied" -B "$work/copied/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags $strict" \
      -DCMAKE_CXX_FLAGS="$flags $strict" &&
    cmake --build "$work/copied/build" -j 2 && [ -x "$work/copied/build/advection" ] || return 1
  for example in "$work"/copied/*.c; do alone "$example" || return 1; done
  cp "$work/alone/stencil/stencil" "$work/copied/one" && "$work/copied/build/cavity" -n 8 --steps 10 &&
    [ "$("$work/copied/one" -n 20 | grep -o 'check=.*')" = "$("$work/copied/build/stencil" -n 20 | grep -o 'check=.*')" ]
)
check "installed examples compile where they are copied to" examples_copied
heat_of() { # PROGRAM: the mean of its plate, which stencil has, too
  [ -x "$work/copied/one" ] && LD_LIBRARY_PATH="$libdir" "$1" 20 100 >"$work/out" || return 1
  cat "$work/out"
  [ "$(sed -n 's/^result check= *\([-+.0-9eE]*\).*/\1/p' "$work/out" | awk '{ printf "check=%.17g\n", $1 }')" = "$(LD_LIBRARY_PATH="$libdir" "$work/copied/one" -n 20 -w 0 | grep -o 'check=.*')" ]
}
heat_by() { # COMPILER...: the example, with the flags of pkg-config
  eval "$* $flags $strict '$work/copied/heat.cpp' $(PKG_CONFIG_PATH="$libdir/pkgconfig" pkg-config --cflags --libs tessera) \
    -o '$work/heat_by'" && heat_of "$work/heat_by"
}
check "heat.cpp by CMake" heat_of "$work/copied/build/heat_cpp"
check "heat.cpp by g++" heat_by g++ -std=c++17
clang=$(command -v clang++ clang++-14 | head -n 1)
if [ -n "$clang" ] && [ -z "$flags" ]; then # gcc's sanitizers are gcc's
  check "heat.cpp by clang++" heat_by "$clang" -std=c++17
else
  skipped=$((skipped + 1))
fi
heat_by_gfortran() (
  cd "$work" && export PKG_CONFIG_PATH="$libdir/pkgconfig" &&
    eval "gfortran -std=f2018 $strict $(pkg-config --variable=fortran tessera) copied/heat.f90 $(pkg-config --libs tessera) -o heat_f90"
  heat_of "$work/heat_f90"
)
if command -v gfortran >/dev/null && [ -z "$flags" ]; then
  check "heat.f90 by CMake" heat_of "$work/copied/build/heat_f90"
  check "heat.f90 by gfortran" heat_by_gfortran
else
  skipped=$((skipped + 1))
fi
older() { ! cmake -S "$work/older" -B "$work/older/build" -DCMAKE_PREFIX_PATH="$prefix"; }
mkdir "$work/older"
echo 'cmake_minimum_required(VERSION 3.16)
project(older LANGUAGES C)
find_package(Tessera 0.2 REQUIRED)' >"$work/older/CMakeLists.txt"
check "CMake refuses another minor version" older

export PKG_CONFIG_PATH="$libdir/pkgconfig"
pc() { # COMPILER SOURCE OUT: pkg-config quotes the blank in the path for the shell
  eval "$1 $flags $strict '$2' $(pkg-config --cflags --libs tessera) -o '$3'"
}
check "pkg-config: C builds" pc "cc -std=gnu11" "$program/heat.c" "$work/heat_pc"
check "pkg-config: C runs" runs "$work/heat_pc"
check "pkg-config: C++ builds" pc "c++ -std=c++17" "$program/heat.cpp" "$work/heat_pc_cpp"
check "pkg-config: C++ runs" runs "$work/heat_pc_cpp"
version() { [ "$(pkg-config --modversion tessera)" = "$("$prefix/bin/tessera" --version | sed 's/tessera //')" ]; }
check "pkg-config knows the version" version
asks_version() {
  echo '#include <stdio.h>
#include "tessera.h"
int main(void) { return puts(tsr_version()) < 0; }' >"$work/version.c"
  pc "cc -std=gnu11" "$work/version.c" "$work/version" &&
    [ "$(LD_LIBRARY_PATH="$libdir" "$work/version")" = "$(pkg-config --modversion tessera)" ]
}
check "tsr_version()" asks_version

# shellcheck disable=SC2086
check "cc builds" cc -std=gnu11 $flags $strict "$program/heat.c" -I "$prefix/include" -L "$libdir" -ltessera \
  -Wl,-rpath,"$libdir" -o "$work/heat_cc"
check "cc: C runs" runs "$work/heat_cc"
# shellcheck disable=SC2086
check "c++ builds" c++ -std=c++17 $flags $strict "$program/heat.cpp" -I "$prefix/include" -L "$libdir" -ltessera \
  -Wl,-rpath,"$libdir" -o "$work/heat_cxx"
check "c++: runs" runs "$work/heat_cxx"
needs() { readelf -d "$work/heat_cc" | grep NEEDED | grep -q 'libtessera\.so\.0\]' && ! readelf -d "$work/heat_cc" | grep -iq 'libmpi'; }
check "a program needs libtessera.so.0, not MPI" needs

if "$prefix/bin/tessera" info | grep -q '^MPI *no'; then
  check "the package says: no MPI" grep -q 'Tessera_WITH_MPI OFF' "$libdir/cmake/Tessera/TesseraConfig.cmake"
else
  on_two() {
    "$prefix/bin/tessera" run -n 2 "$work/heat_cc" >"$work/out" || return 1
    cat "$work/out"
    [ "$(cat "$work/out")" = "ranks 2 mean $one" ]
  }
  check "on two ranks" on_two
fi
uninstalls() {
  cmake --install "$build" --prefix "$work/again" && cmake --build "$build" --target uninstall &&
    [ -z "$(find "$work/again" ! -type d)" ] && [ ! -e "$work/again/include/tessera" ]
}
check "uninstall leaves no file" uninstalls

# The rest is the same for every build: TEST_CONFIGURES=0 leaves it to another one.
if [ "${TEST_CONFIGURES:-1}" = 0 ]; then
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ]
  exit
fi

# What CMake says of a configuration. Every word of a line of it counts as separated by one blank.
configure() { # OPTIONS...: the status is CMake's
  rm -rf "$work/configured"
  cmake -S . -B "$work/configured" -G Ninja "$@" >"$work/out" 2>&1
  local status=$?
  tr -s ' \n' '  ' <"$work/out" >"$work/words"
  cat "$work/out"
  return $status
}
says() { grep -qF -- "$1" "$work/words"; }
refused() { # TEXT OPTIONS...
  local text=$1
  shift
  ! configure "$@" && says "$text"
}
bare() {
  PKG_CONFIG_LIBDIR="$work" configure -DTESSERA_MPI=OFF && says "Left out for want of hwloc (libhwloc-dev): " &&
    says "Left out for want of Criterion (libcriterion-dev), MPFR (libmpfr-dev): no tests" &&
    ninja -C "$work/configured" -t targets all >"$work/targets" && grep -q '^libtessera\.so: ' "$work/targets" &&
    grep -q '^examples/stencil: ' "$work/targets" && ! grep -q 'test_array' "$work/targets"
}
check "without optional packages" bare
near() { [ $((10 * ($1 - $2))) -le "$2" ] && [ $((10 * ($2 - $1))) -le "$2" ]; } # 10 %: files come and go
as_readme_says() { # the library and the command are one target; the numbers of steps are those of a full build
  local said target steps of
  said=$(tr '\n' ' ' <README.md | sed -n 's/.*alone are `ninja -C build \([a-z_]*\)`, \([0-9]*\) of some \([0-9]*\) steps.*/\1 \2 \3/p')
  read -r target steps of <<<"$said"
  configure && [ -n "$of" ] && ninja -C "$work/configured" -t commands "$target" >"$work/steps" &&
    grep -q -- ' -o libtessera\.so' "$work/steps" && grep -q -- ' -o tessera ' "$work/steps" || return 1
  grep -q 'test_array' <(ninja -C "$work/configured" -t targets all) || return 0
  near "$(wc -l <"$work/steps")" "$steps" && near "$(ninja -C "$work/configured" -t commands | wc -l)" "$of"
}
check "the library and the command alone, as README says" as_readme_says
PKG_CONFIG_LIBDIR="$work" check "tests that cannot be built are refused where they are wanted" \
  refused "the tests need Criterion (libcriterion-dev), MPFR (libmpfr-dev)" -DTESSERA_TESTS=ON
without_criterion() {
  PKG_CONFIG_LIBDIR="$work" configure -DTESSERA_TESTS=ON -DTESSERA_CRITERION=OWN -DTESSERA_MPI=OFF &&
    says "Left out for want of MPFR (libmpfr-dev): the accuracy of functions is not tested" &&
    ninja -C "$work/configured" -t targets all >"$work/targets" && grep -q '^tests/test_array: ' "$work/targets"
}
check "the tests without Criterion and MPFR" without_criterion
check "an unknown choice of what runs the tests" refused "TESSERA_CRITERION=on: it takes AUTO, SYSTEM or OWN" \
  -DTESSERA_CRITERION=on
check "an unknown choice" refused "TESSERA_TESTS=yes: it takes AUTO, ON or OFF" -DTESSERA_TESTS=yes
check "whole optimisation of a static library" refused "TESSERA_LTO=ON needs gcc and a shared library" \
  -DTESSERA_LTO=ON -DBUILD_SHARED_LIBS=OFF
whole() { # is the library linked as a whole in this build?
  configure "$@" && ninja -C "$work/configured" -t commands libtessera.so | tail -n 2 | grep -q -- ' -flto'
}
parts() { configure "$@" && ! ninja -C "$work/configured" -t commands | grep -q -- ' -flto'; }
check "a build for debugging is not optimised as a whole" parts -DCMAKE_BUILD_TYPE=Debug
check "nor is one where it is off" parts -DTESSERA_LTO=OFF
if cc --version 2>/dev/null | grep -q 'Free Software'; then
  check "gcc's other builds are" whole -DCMAKE_C_COMPILER=cc
fi
check "an unknown sanitizer" refused "TESSERA_SANITIZE=adress: it takes address, thread or undefined" \
  -DTESSERA_SANITIZE=adress
check "a list of sanitizers" refused "joined by ','" "-DTESSERA_SANITIZE=address;undefined"
check "two sanitizers that exclude each other" refused "address and thread exclude each other" \
  -DTESSERA_SANITIZE=thread,address
cat >"$work/old-cc" <<'EOF'
#!/bin/sh
exec cc -D__builtin_shuffle=no_such_function -D__builtin_shufflevector=no_such_function "$@"
EOF
chmod +x "$work/old-cc"
check "a compiler without vectors" refused "Tessera needs gcc 11, clang 14, or a newer one of these" \
  -DCMAKE_C_COMPILER="$work/old-cc"
in_source() ( # in a shell of its own, which changes the directory
  mkdir "$work/source" && cp -r CMakeLists.txt cmake "$work/source" && cd "$work/source" || exit 1
  ! cmake . >"$work/out" 2>&1 && tr -s ' \n' '  ' <"$work/out" >"$work/words" &&
    says "a directory of its own: \`cmake -S . -B build\`"
)
check "a build among the sources" in_source
cpp11() {
  ! c++ -std=c++11 -fsyntax-only -x c++ -I include - <<<'#include "tessera.h"' 2>"$work/out" &&
    head -n 2 "$work/out" | grep -q 'Tessera needs C++17'
}
check "C++11 is told what is needed" cpp11

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
