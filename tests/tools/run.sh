#!/usr/bin/env bash
# The tools that judge the source find what is wrong: tests/tools/run.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
exec python3 -B "$here/check_layers.py"
