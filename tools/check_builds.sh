#!/usr/bin/env bash
# The oldest CMake and gcc that are promised build the library inside another project, static, without optional parts:
# its targets do not meet the parent's, nothing of it is installed unless asked; the static library, installed, is found
# by CMake and pkg-config.
#
#   tools/check_builds.sh [BUILD]      BUILD: a directory for it, made anew (default: build-oldest)
set -u
cd "$(dirname "$0")/.."
source tools/environment.sh
source_dir=$PWD build=${1:-build-oldest}
passed=0 failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
check() { # NAME COMMAND...
  local name=$1
  shift
  if "$@" >"$log" 2>&1 </dev/null; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $name"
    tail -n 40 "$log" | sed 's/^/    /'
  fi
}

rm -rf "$build"
mkdir -p "$build"
build=$(cd "$build" && pwd)
check "CMake 3.22 is installed" python3 -m pip install --quiet --target "$build/cmake" "cmake==3.22.*"
cmake() { PYTHONPATH="$build/cmake" "$build/cmake/bin/cmake" "$@"; }
is_oldest() { cmake --version | grep -q ' 3\.22\.' && gcc-11 --version; }
check "the versions are those" is_oldest

configure() { # MORE...
  cmake -S tests/packaging/parent -B "$build/parent" -G Ninja -DCMAKE_C_COMPILER=gcc-11 -DTESSERA_SOURCE="$source_dir" \
    -DTESSERA_WERROR=ON -DTESSERA_QUICK_LOOPS=ON "$@"
}
mean_of() { "$@" | sed -n 's/^ranks 1 mean //p'; }
has_mean() { [ -n "$mean" ] && [ "$(mean_of "$@")" = "$mean" ]; }
check "a parent configures" configure -DBUILD_SHARED_LIBS=OFF
check "a parent builds" ninja -C "$build/parent" -j "$(n_jobs)"
mean=$(mean_of "$build/parent/stencil")
check "its program runs" has_mean "$build/parent/cg"
is_static() { [ -e "$build/parent/_deps/tessera-build/libtessera.a" ] && ! readelf -d "$build/parent/cg" | grep -q tessera; }
check "the library is static" is_static
installs_itself_only() {
  cmake --install "$build/parent" --prefix "$build/alone" && [ "$(cd "$build/alone" && echo *)" = parent ]
}
check "nothing of Tessera is installed unasked" installs_itself_only

# The same, asked for: the static library as others find it. PKG_CONFIG_PATH holds no other Tessera.
prefix=$build/installed
check "with TESSERA_INSTALL=ON" configure -DTESSERA_INSTALL=ON
check "it builds" ninja -C "$build/parent" -j "$(n_jobs)"
check "it is installed" cmake --install "$build/parent" --prefix "$prefix"
archive=$(find "$prefix" -name libtessera.a)
libdir=${archive%/*}
with_cmake() {
  cmake -S tests/packaging/program -B "$build/program" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" &&
    ninja -C "$build/program" && has_mean "$build/program/heat"
}
check "CMake finds the static library" with_cmake
with_pkg_config() {
  # shellcheck disable=SC2046  # words
  gcc-11 -std=gnu11 tests/packaging/program/heat.c \
    $(PKG_CONFIG_PATH="$libdir/pkgconfig" pkg-config --cflags --libs tessera) -o "$build/heat" && has_mean "$build/heat"
}
check "pkg-config finds it" with_pkg_config

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
