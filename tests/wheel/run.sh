#!/usr/bin/env bash
# A wheel of the Python module: it is built, installed into a folder, and used away from the tree: tests/wheel/run.sh BUILD
#
# Needs scikit-build-core; downloads nothing. The wheel has a build of its own: where BUILD has a sanitizer, it is left
# out. The last line is `N passed, N failed, N skipped`.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
source "$root/tools/environment.sh"
python=""
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c 'import scikit_build_core, pip' 2>/dev/null; then
    python=$candidate
    break
  fi
done
why=""
if [ -z "$python" ]; then
  why="no Python with pip and scikit-build-core"
  [ -z "${TEST_NEEDS_ALL:-}" ] || { echo "FAIL wheel: $why"; echo "0 passed, 1 failed, 0 skipped"; exit 1; }
fi
if grep -q '^TESSERA_SANITIZE:STRING=.' "$1/CMakeCache.txt"; then why="the build has a sanitizer"; fi
if [ -n "$why" ]; then
  echo "SKIP wheel: $why"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() { # NAME COMMAND...
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
offline=(--no-build-isolation --no-deps --no-index --disable-pip-version-check)
# As a release, of which gcc may say nothing at -O3.
check "the wheel is built" "$python" -m pip wheel "${offline[@]}" "--config-settings=build-dir=$work/build" \
  --config-settings=cmake.build-type=Release --config-settings=cmake.define.TESSERA_WERROR=ON \
  --config-settings=cmake.define.TESSERA_QUICK_LOOPS=ON -w "$work/wheel" "$root"
check "there is one" [ "$(find "$work/wheel" -name 'tessera_arrays-*.whl' 2>/dev/null | wc -l)" = 1 ]
check "it is installed" "$python" -m pip install "${offline[@]}" --target "$work/place" --find-links "$work/wheel" tessera-arrays
holds() { for file in __init__.py _core.pyi py.typed; do [ -e "$work/place/tessera/$file" ] || return 1; done; }
check "it has the files, the types among them" holds
used() {
  cd "$work" || return 1
  PYTHONPATH="$work/place" "$python" -c '
import tessera as np
assert np.__file__.startswith("'"$work"'/place"), np.__file__
x = np.arange(6).reshape(2, 3)
assert x.sum().item() == 15 and str(x * 2)
print(x)'
}
check "it is used away from the tree" used
explains() { "$work/place/bin/tessera" explain 203 | grep -q '^TSR0203: '; }
check "it has the command" explains
starts() { cd "$work" && echo 'import tessera as np; print(np.arange(3).sum())' >"$work/prog.py" && PYTHONPATH="$work/place" "$work/place/bin/tessera" run prog.py | grep -qx 3; }
check "the command starts a Python program" starts
# Without NumPy, as far as this Python can be told to leave it out.
bare() {
  cd "$work" || return 1
  "$python" -S -c '
import sys
sys.path.insert(0, "'"$work"'/place")
import tessera as np
try:
    import numpy
except ImportError:
    x = np.arange(4.0).reshape(2, 2)
    assert (str(x), repr(x)) == ("[[0. 1.]\n [2. 3.]]", "array([[0., 1.],\n       [2., 3.]])"), (str(x), repr(x))
'
}
check "without NumPy" env -u PYTHONPATH bash -c "$(declare -f bare); work='$work' python='$python'; bare"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
