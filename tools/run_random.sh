#!/usr/bin/env bash
# Random array programs against the references: with a fresh seed, which is printed, and the first ones of the corpus,
# which a fixed seed draws.
#
#   tools/run_random.sh BUILD     TEST_PROGRAMS=200 TEST_SEED=… TEST_CORPUS=0   (of 2560, all configurations come)
set -eu
seed=${TEST_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
programs=${TEST_PROGRAMS:-200} corpus=${TEST_CORPUS:-0}
echo "seed $seed for $programs random programs, and $corpus of the corpus; replay:" \
  "TEST_SEED=$seed TEST_PROGRAMS=$programs TEST_CORPUS=$corpus ./test.sh"
exec "$1/tests/test_random" --programs "$programs" --seed "$seed" --corpus "$corpus"
