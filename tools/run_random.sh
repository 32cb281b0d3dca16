#!/usr/bin/env bash
# Random array programs against the references, with a fresh seed that is printed.
#
#   tools/run_random.sh BUILD          TEST_PROGRAMS=200 TEST_SEED=…     (from 2560 programs on, all configurations come)
set -eu
seed=${TEST_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
programs=${TEST_PROGRAMS:-200}
echo "seed $seed for $programs random programs; replay: TEST_SEED=$seed TEST_PROGRAMS=$programs ./test.sh"
exec "$1/tests/test_random" --programs "$programs" --seed "$seed"
