#!/usr/bin/env bash
# Are the C and C++ files formatted by the project's .clang-format, and are Python's lines at most 120 columns wide? Prints
# the difference; changes nothing.
#
#   tools/check_format.sh [BASE]     only files that differ from the commit BASE, and those not yet in git;
#                                    default: where this branch left origin/main, else all files
set -u
cd "$(dirname "$0")/.."
source tools/environment.sh
format=$(command -v clang-format-14) || { echo "clang-format-14 is not installed"; exit 1; }

if git ls-files -z --cached --others --exclude-standard -- '*.py' | LC_ALL=C.UTF-8 xargs -0 grep -nE '^.{121,}'; then
  echo "format: lines of Python are at most 120 columns wide"
  exit 1
fi

base=${1:-$(git merge-base HEAD origin/main 2>/dev/null || true)}
if [ -n "$base" ] && [ "$(git rev-parse "$base")" != "$(git rev-parse HEAD)" ]; then
  files=$(git diff --name-only --diff-filter=d "$base" -- '*.c' '*.h' '*.cpp' '*.hpp')
  files="$files $(git ls-files --others --exclude-standard -- '*.c' '*.h' '*.cpp' '*.hpp')"
else
  files=$(git ls-files --cached --others --exclude-standard -- '*.c' '*.h' '*.cpp' '*.hpp')
fi

# shellcheck disable=SC2086  # the list holds words
files=$(ls -d $files /dev/null 2>/dev/null | grep -v '^/dev/null$')
if echo "$files" | xargs -r -n 16 -P "$(n_jobs)" "$format" --dry-run -Werror >/dev/null 2>&1; then
  echo "format: as .clang-format has it"
  exit 0
fi
for file in $files; do
  "$format" "$file" | diff -u --label "$file" --label "$file (formatted)" "$file" -
done
exit 1
