#!/usr/bin/env bash
# Every header compiles alone as C11; the public ones as C++17, too. Prints what the compiler says of those that do not.
#
#   tools/check_headers.sh [BUILD]      BUILD: where generated headers are (default: build)
set -u
cd "$(dirname "$0")/.."
build=${1:-build}
flags="-Wall -Wextra -Werror -fsyntax-only -D_GNU_SOURCE -I. -Iinclude -I$build/generated"
flags="$flags $(pkg-config --cflags hwloc libpng 2>/dev/null || true)"
flags="$flags $(mpicc --showme:compile 2>/dev/null || true)"
cuda=$(sed -n 's/^TESSERA_CUDA_INCLUDE:PATH=//p' "$build/CMakeCache.txt" 2>/dev/null) # a path, or …-NOTFOUND
[ -d "$cuda" ] && flags="$flags -isystem $cuda"
flags="$flags -isystem $(python3 -c 'import sysconfig; print(sysconfig.get_paths()["include"])')"

status=0 n=0
alone() { # compiler and flags, header
  # shellcheck disable=SC2086
  if ! echo "#include \"$2\"" | $1 $flags -; then
    echo "$2 does not compile alone with $1"
    status=1
  fi
  n=$((n + 1))
}

for header in $(find runtime partition kernel program scheduler array launcher python include examples bench tests \
  -path tests/support -prune -o -name '*.h' -print | sort); do
  [ -d "$cuda" ] || ! grep -qE '^#include <(cuda|nvrtc)\.h>|"[a-z/]*cuda_(driver|fake)\.h"' "$header" || continue
  alone "gcc -std=gnu11 -x c" "$header"
  case "$header" in include/*) alone "g++ -std=gnu++17 -x c++" "$header" ;; esac
done
for header in $(find include -name '*.hpp' | sort); do alone "g++ -std=gnu++17 -x c++" "$header"; done
[ $status = 0 ] && echo "headers: $n compile alone"
exit $status
