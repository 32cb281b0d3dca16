#!/usr/bin/env bash
# What is generated says what it is generated from, and the pages name what is there: tests/docs/run.sh BUILD
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
passed=0 failed=0 skipped=0
for script in "$root/tools/api.py" "$root/tests/docs/design_pages.py" "$root/tools/numpy_signatures.py" \
  "$root/tools/numpy_names.py"; do
  output=$(python3 "$script")
  echo "$output"
  if [[ $output =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
    ((passed += BASH_REMATCH[1], failed += BASH_REMATCH[2], skipped += BASH_REMATCH[3]))
  else
    ((failed += 1))
  fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
