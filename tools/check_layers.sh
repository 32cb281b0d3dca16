#!/usr/bin/env bash
# No upward include: a file includes only its own layer's headers or those of a lower one; and no file but
# runtime/base/config.c reads the environment. Prints each offender.
set -u
cd "$(dirname "$0")/.."

# Lowest first. Of the public headers base.h and task.h lie below everything; the others are the array layer's.
layers="base runtime partition kernel program scheduler array launcher"
declare -A level
n=0
for layer in $layers; do level[$layer]=$((n++)); done

layer_of() { # path of a file or of an include
  case "$1" in
    include/tessera/base.h | tessera/base.h) echo base ;;
    include/tessera/task.h | tessera/task.h) echo base ;;
    include/* | tessera.h | tessera/*) echo array ;;
    examples/* | bench/*) echo launcher ;;
    *) echo "${1%%/*}" ;;
  esac
}

status=0
for file in $(find runtime partition kernel program scheduler array launcher include examples bench \
  -name '*.[ch]' -o -name '*.cpp' -o -name '*.def' -o -name '*.hpp' | sort); do
  own=$(layer_of "$file")
  while IFS=: read -r line include; do
    # A name without a folder is in the same folder.
    case "$include" in
      */* | tessera.h) ;;
      *) continue ;;
    esac
    other=$(layer_of "$include")
    if [ -z "${level[$other]:-}" ]; then
      [ -e "$include" ] || continue
      echo "$file:$line: includes $include, which is in no layer" && status=1
    elif [ "${level[$other]}" -gt "${level[$own]}" ]; then
      echo "$file:$line: $own includes $include of the higher layer $other" && status=1
    elif [[ $file == examples/* && $other != array && $other != base && $include != examples/* ]]; then
      echo "$file:$line: an example includes $include, which is not public" && status=1
    fi
  done < <(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$file" |
    sed -E 's/^([0-9]+):[^"]*"([^"]+)".*/\1:\2/')
done
if grep -rnE '\b(secure_)?getenv *\(|\benviron\b *(\[|;|\))' runtime partition kernel program scheduler array launcher \
  --include='*.[ch]' | grep -v '^runtime/base/config\.c:'; then
  echo "the environment is read in runtime/base/config.c only" && status=1
fi
[ $status = 0 ] && echo "layers: no upward include"
exit $status
