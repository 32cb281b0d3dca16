#!/usr/bin/env bash
# The parsers against texts that libFuzzer makes up from tests/fuzz/corpus, under AddressSanitizer and
# UndefinedBehaviorSanitizer: FUZZ_RUNS texts (default 200,000) from a fresh seed, printed; FUZZ_SEED replays one.
#
#   tests/fuzz/run.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
source "$root/tools/environment.sh"
build=$(cd "$1" && pwd)
skip() {
  echo "SKIP fuzz: $1"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
}
clang=$(command -v clang || command -v clang-14) || skip "no clang"
grep -qE '^TESSERA_SANITIZE:[A-Z]+=.' "$build/CMakeCache.txt" && skip "the build without sanitizers runs it, with its own"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return 0 * (int)(d[0] + n); }' >"$work/probe.c"
"$clang" -fsanitize=fuzzer,address "$work/probe.c" -o "$work/probe" 2>/dev/null || skip "clang has no libFuzzer"

# The parsers are built to be watched; the rest is the library as it is.
watched="text/lex text/parser text/parse text/words text/call text/unknown text/given text/kernel
  text/kernel_statements text/kernel_blocks text/script
  views/slice_text user/function"
libraries=$(ldd "$build/libtessera.so" | awk '$3 ~ /^\// && $1 !~ /^libc\./ { print $3 }')
find "$build"/CMakeFiles/tsr_*.dir -name '*.o' -print0 | xargs -0 ar qcs "$work/libtessera.a" || exit 1
sources="$here/texts.c"
for name in $watched; do sources="$sources $root/array/$name.c"; done
# shellcheck disable=SC2086
"$clang" -g -O1 -std=gnu11 -D_GNU_SOURCE -I"$root" -I"$root/include" -I"$build/generated" \
  -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined $sources "$work/libtessera.a" $libraries \
  -o "$work/fuzz" || { echo "0 passed, 1 failed, 0 skipped"; exit 1; }
seed=${FUZZ_SEED:-$((RANDOM * 32768 + RANDOM + 1))}
echo "fuzz: seed $seed"
mkdir "$work/corpus"
cp "$here"/corpus/* "$work/corpus"
if ASAN_OPTIONS=detect_leaks=1 "$work/fuzz" -seed="$seed" -runs="${FUZZ_RUNS:-200000}" -max_len=200 -timeout=60 \
  -artifact_prefix="$work/" -print_final_stats=1 "$work/corpus" >"$work/log" 2>&1; then
  grep -E 'stat::number_of_executed_units|stat::new_units_added|cov:' "$work/log" | tail -3
  echo "1 passed, 0 failed, 0 skipped"
else
  tail -40 "$work/log"
  for input in "$work"/crash-* "$work"/leak-* "$work"/timeout-*; do [ -f "$input" ] && od -c "$input"; done
  echo "FAIL fuzz: seed $seed"
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
fi
