#!/usr/bin/env bash
# Files and printing against NumPy: .npy both ways, malformed files, tsr_print byte for byte, pictures, XDMF; on 1 to 4
# ranks. check.py makes the cases and judges.
#
#   tests/files/run.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../../tools/environment.sh"
build=$(cd "$1" && pwd)
python=$(python_with_numpy)
if [ -z "$python" ]; then
  echo "SKIP files: no Python with NumPy"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
ranks="1"
if grep -q '^TESSERA_MPI:STRING=OFF' "$build/CMakeCache.txt"; then :; elif command -v mpirun >/dev/null; then ranks="1 2 3 4"; fi
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) # what is put on a disk hundreds of times waits for it
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086
"$python" "$here/check.py" "$build/tests/files_program" "$work" $ranks
