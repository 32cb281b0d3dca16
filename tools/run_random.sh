#!/usr/bin/env bash
# Random array programs against the references: with a fresh seed, which is printed, and the first ones of the corpus,
# which a fixed seed draws. Their rules are those of NumPy 2; an older one is no judge of them.
#
#   tools/run_random.sh BUILD     TEST_PROGRAMS=200 TEST_SEED=… TEST_CORPUS=0   (1024 see all configurations)
set -euo pipefail
source "$(dirname "$0")/environment.sh"
seed=${TEST_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
programs=${TEST_PROGRAMS:-200} corpus=${TEST_CORPUS:-0}
if [ -n "$(python_with_numpy 2)" ]; then
  judge="" skipped=0
elif [ "${TEST_NEEDS_ALL:-0}" = 1 ]; then
  echo "NumPy 2 must judge, and is not here (python3 -m pip install numpy)"
  exit 1
else
  judge=--no-numpy skipped=1
  echo "SKIP NumPy as the judge of random programs: NumPy 2 is not here (python3 -m pip install numpy)"
fi
echo "seed $seed for $programs random programs, and $corpus of the corpus; replay:" \
  "TEST_SEED=$seed TEST_PROGRAMS=$programs TEST_CORPUS=$corpus ./test.sh"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
# shellcheck disable=SC2086  # no judge is no word
"$1/tests/test_random" --programs "$programs" --seed "$seed" --corpus "$corpus" $judge | tee "$log" || status=$?
echo "$(tail -n 1 "$log"), $skipped skipped"
exit "$status"
