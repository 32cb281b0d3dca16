#!/usr/bin/env bash
# What is generated says what it is generated from, the pages name what is there, and the guide's blocks run:
#
#   tests/docs/run.sh BUILD
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) || exit 1
source "$root/tools/environment.sh"
passed=0 failed=0 skipped=0
check() { # SCRIPT ARGUMENTS...
  local output
  output=$(python3 "$@")
  echo "$output"
  if [[ $output =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
    ((passed += BASH_REMATCH[1], failed += BASH_REMATCH[2], skipped += BASH_REMATCH[3]))
  else
    ((failed += 1))
  fi
}
check "$root/tools/api.py"
check "$root/tests/docs/design_pages.py"
check "$root/tools/numpy_signatures.py"
check "$root/tools/numpy_names.py"
check "$root/tests/docs/guide.py" "$build"
check "$root/tests/docs/html_pages.py" "$build"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
