#!/usr/bin/env bash
# The pages that are generated say what the headers say: tests/docs/run.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
exec python3 "$here/numpy_table.py"
