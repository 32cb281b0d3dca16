#!/usr/bin/env bash
# What the random programs do not draw is listed, with its reason: tests/coverage/run.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
exec python3 "$here/random_programs.py"
