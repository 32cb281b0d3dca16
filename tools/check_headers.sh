#!/usr/bin/env bash
# Every header compiles alone as C11; the public ones as C++17, too. Prints what the compiler says of those that do not.
#
#   tools/check_headers.sh [BUILD]      BUILD: where generated headers are (default: build)
set -u
cd "$(dirname "$0")/.."
source tools/environment.sh
build=${1:-build}
flags="-Wall -Wextra -Werror -fsyntax-only -D_GNU_SOURCE -I. -Iinclude -I$build/generated"
flags="$flags $(pkg-config --cflags hwloc libpng 2>/dev/null || true)"
flags="$flags $(mpicc --showme:compile 2>/dev/null || true)"
cuda=$(sed -n 's/^TESSERA_CUDA_INCLUDE:PATH=//p' "$build/CMakeCache.txt" 2>/dev/null) # a path, or …-NOTFOUND
[ -d "$cuda" ] && flags="$flags -isystem $cuda"
flags="$flags -isystem $(python3 -c 'import sysconfig; print(sysconfig.get_paths()["include"])')"

jobs=$(n_jobs) wrong=$(mktemp) n=0 running=0
trap 'rm -f "$wrong"' EXIT
compile() { # compiler and flags, header
  # shellcheck disable=SC2086
  echo "#include \"$2\"" | $1 $flags - || echo "$2 does not compile alone with $1" | tee -a "$wrong"
}
alone() { # the same, as many at a time as there are cores
  if [ "$running" = "$jobs" ]; then
    wait -n
    running=$((running - 1))
  fi
  compile "$1" "$2" &
  n=$((n + 1)) running=$((running + 1))
}

for header in $(find runtime partition kernel program scheduler array launcher python include examples bench tests \
  -path tests/support -prune -o -name '*.h' -print | sort); do
  [ -d "$cuda" ] || ! grep -qE '^#include <(cuda|nvrtc)\.h>|"[a-z/]*cuda_(driver|fake)\.h"' "$header" || continue
  alone "gcc -std=gnu11 -x c" "$header"
  case "$header" in include/*) alone "g++ -std=gnu++17 -x c++" "$header" ;; esac
done
for header in $(find include -name '*.hpp' | sort); do alone "g++ -std=gnu++17 -x c++" "$header"; done
wait
[ ! -s "$wrong" ] && echo "headers: $n compile alone"
