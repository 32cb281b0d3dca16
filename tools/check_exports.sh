#!/usr/bin/env bash
# The shared library exports tsr_ names only, none of them internal (tsr__). Prints the others.
#
#   tools/check_exports.sh [BUILD]      BUILD: default build
set -u
others=$(nm -D --defined-only "${1:-build}/libtessera.so" | awk '{ print $NF }' | grep -vE '^tsr_[a-z]')
[ -z "$others" ] && echo "exports: tsr_ only" && exit 0
echo "$others"
exit 1
