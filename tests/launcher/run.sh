#!/usr/bin/env bash
# The `tessera` command: every status code is explained, the settings and the machine are shown, programs start on some
# ranks, wrong use is refused; the man pages and the completion know what the command knows.
# Usage: run.sh BUILD_DIRECTORY; ends with "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/../.."
source tools/environment.sh
build=$(cd "$1" && pwd)
tessera=$build/tessera
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
check() { # NAME COMMAND...
  local name=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name"; fi
}
explains() { "$tessera" explain "$1" | grep -q "^$1: ."; }
for code in $(grep -o 'TSR0[0-9]*' include/tessera/base.h | sort -u); do
  check "explain $code" explains "$code"
done
refuses() { ! "$tessera" "$@" >/dev/null 2>"$work/err"; }
check "an unknown code" refuses explain TSR9999
check "an unknown command" refuses frobnicate
check "no command" refuses
shows() { "$tessera" info "${@:2}" | grep -q "$1"; }
check "info shows cores" shows '^cores *[1-9]'
check "info shows MPI" shows '^MPI'
check "settings are listed" shows 'TESSERA_THREADS' --config
shows_value() { TESSERA_WINDOW_OPS=17 "$tessera" info --config | grep 'TESSERA_WINDOW_OPS' | grep -q 17; }
check "a setting's value is shown" shows_value
bad_setting() { TESSERA_WINDOW_OPS=many "$tessera" info --config 2>&1 >/dev/null | grep -q 'TESSERA_WINDOW_OPS'; }
check "a bad value is named" bad_setting

# Info.
for line in 'device *cpu: on' 'device *arrays live on cpu' 'device *cuda: o[nf]' 'link *nccl: o[nf]' \
  'link *peer: on' 'link *ipc: o[nf]' 'link *messages .* go by peer (TESSERA_LINK)' 'blas *of devices cuda: o[nf]' 'blas *products .* exact loops (TESSERA_MATMUL)' \
  'hwloc *' 'libpng *' 'kernels *' 'build *0\.'; do
  check "info shows $line" shows "^$line"
done
shows_cuda() { LD_LIBRARY_PATH=$1 FAKE_CUDA_DEVICES=$2 "$tessera" info | grep -q "^device *cuda: $3"; }
if [ -e "$build/tests/fakes/libcuda.so.1" ]; then
  check "info counts CUDA's devices" shows_cuda "$build/tests/fakes" 3 "on, 3 of NVIDIA's devices$"
  check "info says why there is none" shows_cuda "$build/tests/fakes" 0 'off, there is no device: cuInit gives CUDA_ERROR_NO_DEVICE'
  shows_link() { LD_LIBRARY_PATH=$1 FAKE_CUDA_DEVICES=${3-1} "$tessera" info | grep -qx "link *nccl: $2"; }
  mkdir "$work/old"
  echo 'void ncclGroupStart(void); void ncclGroupStart(void) {}' | ${CC:-cc} -x c -shared -fPIC -o "$work/old/libnccl.so.2" -
  check "info shows NCCL" shows_link "$build/tests/fakes" "on, NVIDIA's NCCL"
  check "info says that NCCL has no device" shows_link "$build/tests/fakes" 'off, there is no device: cuInit gives .*' 0
  check "info says that NCCL is too old" shows_link "$work/old" 'off, libnccl.so.2 is too old: it lacks .*, and version 2.7 or later is needed'
  if ! ldconfig -p | grep -q 'libnccl\.so\.2'; then
    check "info says that there is no NCCL" shows_link "" 'off, libnccl.so.2 is not on this machine, or not where the loader finds it'
  fi
fi
shows_devices() { TESSERA_DEVICE=check TESSERA_DEVICES=0,2,3 TESSERA_PLACES=2 "$tessera" info | grep -qx 'device *arrays live on check (TESSERA_DEVICE), 3 of each node (TESSERA_DEVICES=0,2,3), 2 of them per rank (TESSERA_PLACES)'; }
check "info shows devices" shows_devices
bad_devices() { TESSERA_DEVICES=0,x "$tessera" info 2>&1 >/dev/null | grep -A1 'TESSERA_DEVICES is "0,x": byte 2 is not' | grep -q '^help: it takes a count'; }
check "a bad list of devices is refused" bad_devices
for_tests() { "$tessera" info --all | grep -c "^device *\(check\|null\): on, " | grep -qx 2; }
not_for_all() { ! "$tessera" info | grep -qE '^device *(check|null)'; }
check "info --all shows the devices for tests" for_tests
check "info does not" not_for_all
jit_off() { TESSERA_JIT=off "$tessera" info | grep -qx 'kernels *interpreted: TESSERA_JIT=off'; }
check "info says that kernels are interpreted" jit_off
mkdir "$work/kept" "$work/open" && chmod 755 "$work/kept" && chmod 777 "$work/open"
kept_in() { TESSERA_CACHE=$2 "$tessera" info | grep -qx "kernels *compiled by /.*, $1"; }
check "info shows where kernels are kept" kept_in "kept in $work/kept" "$work/kept"
check "info says why they are not" kept_in "not kept in $work/open: others may write it (chmod go-w mends it)" "$work/open"
check "info says that they cannot be" kept_in 'not kept in /dev/null/none: it cannot be made' /dev/null/none
check "info makes no directory" eval "kept_in 'kept in $work/new' '$work/new' && [ ! -e '$work/new' ]"
check "info names the compiler" shows '^build .*, by .*\(gcc\|[Cc]lang\).* [0-9]'
check "info refuses what it does not know" eval "refuses info --al && grep -q \"does not take '--al'\" '$work/err'"
if command -v script >/dev/null; then
  in_terminal() { script -qec "stty cols 60; '$tessera' info --config" /dev/null </dev/null | tr -d '\r' >"$work/out" && grep -q '^  TESSERA_THREADS=0$' "$work/out" && ! grep -q '^      .\{55\}' "$work/out"; }
  check "info --config fits a terminal" in_terminal
else
  echo "SKIP a terminal: no script(1)"; skipped=$((skipped + 1))
fi
changed() { TESSERA_WINDOW_OPS=17 "$tessera" info --config | grep '^[*]' | cut -d= -f1 | grep -qx '. TESSERA_WINDOW_OPS'; }
check "info --config marks what is changed" changed
for code in 203 0203 tsr203 TSR0203; do
  check "explain $code" eval "'$tessera' explain $code | grep -q '^TSR0203: '"
done
for code in 2o3 '' TSR 203x -203; do
  check "explain '$code' is unknown" refuses explain "$code"
done
explains_plan() { # ranks, a line that is printed, settings
  env "${@:3}" "$tessera" explain --plan -n "$1" "$build/examples/stencil" -n 40 -i 2 >"$work/out" && grep -qE -- "$2" "$work/out"
}
if [ -x "$build/examples/stencil" ]; then
  on_check=(TESSERA_DEVICE=check TESSERA_PLACEMENT=all)
  check "explain --plan names windows" explains_plan 1 '^window 1, rank 0:$' "${on_check[@]}"
  check "explain --plan says side, route, reason and line" \
    explains_plan 1 '^  group 0 device, C in its queue: all that can runs there; .*stencil\.c:[0-9]+ `tsr_zeros`$' "${on_check[@]}"
  check "explain --plan without a choice" explains_plan 1 '^no plan had a choice: ' TESSERA_DEVICE=cpu
fi
check "explain --plan needs a program" refuses explain --plan
near() { refuses "$1" && grep -q "no command '$1'; did you mean \`tessera $2\`?" "$work/err"; }
check "rnu is near run" near rnu run
check "inof is near info" near inof info
check "explian is near explain" near explian explain
check "other words are near nothing" eval "refuses frobnicate && ! grep -q 'did you mean' '$work/err'"
check "run has a page of its own" eval "'$tessera' run --help | grep -q -- '--launcher NAME'"
no_compiler() { TESSERA_COMPILER=nocc "$tessera" info | grep -q 'kernels *interpreted: there is no `nocc`'; }
check "info says why kernels are interpreted" no_compiler
for command in "" run info explain; do
  # shellcheck disable=SC2086
  for option in --help -h; do
    check "$command $option" bash -c "'$tessera' $command $option 2>&1 >'$work/out' | cmp -s - /dev/null && grep -q '^usage: tessera' '$work/out'"
  done
done
check "--version" bash -c "'$tessera' --version | grep -qx 'tessera [0-9.]*'"

# Run.
with_mpi=0
if "$tessera" info | grep -q '^MPI *Open MPI'; then with_mpi=1; fi
cat >"$work/prog" <<'EOF'
#!/bin/sh
echo "threads=$TESSERA_THREADS rank=$OMPI_COMM_WORLD_RANK size=$OMPI_COMM_WORLD_SIZE args=$#:$1:$2"
exit 7
EOF
chmod +x "$work/prog"
prints() { # PATTERN ARGS...: `tessera run ARGS` prints a line that matches wholly
  local pattern=$1
  shift
  "$tessera" run "$@" 2>/dev/null | grep -qxE -- "$pattern"
}
says() { # STATUS PATTERN ARGS...: it ends with that status and says so on stderr
  local status=$1 pattern=$2 got
  shift 2
  "$tessera" run "$@" >"$work/out" 2>"$work/err" </dev/null
  got=$?
  [ $got = "$status" ] && grep -qE -- "$pattern" "$work/err" && [ ! -s "$work/out" ]
}
check "run: one rank is the program itself" prints "threads= rank= size= args=2:a b:-n" "$work/prog" "a b" -n
check "run: its status is the program's" bash -c "'$tessera' run '$work/prog' >'$work/out'; [ \$? = 7 ]"
check "run: --cpus" prints "threads=3 .*" --cpus 3 "$work/prog"
check "run: --cpus=" prints "threads=3 .*" --cpus=3 --launcher=none "$work/prog"
check "run: --dry-run" prints "TESSERA_THREADS=2 TESSERA_DEVICE=auto $work/prog 'it'\\\\''s' -n" --cpus 2 --dry-run -- "$work/prog" "it's" -n
check "run: --dry-run starts nothing" bash -c "! '$tessera' run --dry-run '$work/prog' | grep -q threads"
verbose() { "$tessera" run --verbose "$work/prog" 2>&1 >/dev/null | grep -qx "TESSERA_DEVICE=auto $work/prog"; }
check "run: --verbose" verbose
check "run: no program" says 2 'which program' -n 2
check "run: a program that is not there" says 127 "there is no program '/nonexistent/x'" /nonexistent/x
check "run: a program that is not in PATH" says 127 "no program 'no_such_program' in PATH .*\./PROG" no_such_program
check "run: a directory" says 126 "cannot start '$work': it is a directory" "$work"
echo >"$work/text"
check "run: a file that is no program" says 126 "cannot start '$work/text': it may not be executed" "$work/text"
echo 'import sys; print("by", *sys.argv[1:])' >"$work/prog.py"
in_work() { (cd "$work" && "$@"); }
python_prints() { prints "by a b" "$work/prog.py" a b && in_work prints "by -n" prog.py -n; }
check "run: a Python program" python_prints
check "run: a Python program's command" in_work prints ".*/python3 prog\.py 'a b'" --dry-run prog.py "a b"
check "run: a module of Python" in_work prints "by a -n" -m prog a -n
check "run: no module" says 2 "-m takes the name of a module" -n 2 -m
check "run: no Python" env PATH=/nonexistent "$BASH" -c "'$tessera' run '$work/prog.py' 2>&1 | $(command -v grep) -q 'needs python3, which is not in PATH'"
mkdir -p "$work/venv/bin"
cp "$tessera" "$work/venv/bin/tessera"
printf '#!/bin/sh\necho by the environment "$@"\n' >"$work/venv/bin/python3"
chmod +x "$work/venv/bin/python3"
environments() { "$work/venv/bin/tessera" run "$work/prog.py" a | grep -qx "by $1 .*a"; }
check "run: a python3 beside the command is no environment" bash -c "! '$work/venv/bin/tessera' run '$work/prog.py' a | grep -q environment"
touch "$work/venv/pyvenv.cfg"
check "run: the Python of the command's environment" environments "the environment"
chmod +x "$work/prog.py"
check "run: a Python program that does not say so" python_prints
check "run: a Python program in PATH" env PATH="$work:$PATH" "$BASH" -c "'$tessera' run prog.py a b | grep -qx 'by a b'"
printf '#!/bin/sh\necho by sh\n' >"$work/prog.py"
check "run: a program that says by what it runs" prints "by sh" "$work/prog.py"
rm "$work/prog.py"
check "run: a Python program that is not there" says 127 "there is no program '$work/prog.py'" "$work/prog.py"
for wrong in "-n 0" "-n x" "-n" "-n 2x" "-np 2" "--cpus 0" "--cpus 99999"; do
  # shellcheck disable=SC2086
  check "run $wrong" says 2 'takes a whole number' $wrong
done
check "run --launcher x" says 2 "takes auto, mpirun, srun or none, not 'x'" --launcher x "$work/prog"
check "run --bogus" says 2 "unknown option '--bogus'" --bogus "$work/prog"
check "run: none starts one rank" says 2 'none starts one rank, not 2' -n 2 --launcher none "$work/prog"
check "run: ranks inside ranks" env OMPI_COMM_WORLD_SIZE=2 bash -c \
  "'$tessera' run -n 2 '$work/prog' 2>&1 | grep -q 'mpirun of Open MPI has already started 2 ranks'"
if [ $with_mpi = 1 ]; then
  mkdir "$work/bin"
  ln -s "$work/prog" "$work/bin/srun"
  slurm() { # an srun that shows its arguments, where a Slurm job asks for it
    env SLURM_JOB_ID=1 PATH="$work/bin:$PATH" "$tessera" run -n 2 --cpus 3 --dry-run "$work/prog" |
      grep -qx "TESSERA_THREADS=3 TESSERA_DEVICE=auto $work/bin/srun -n 2 --cpus-per-task=3 $work/prog"
  }
  check "run: srun in a Slurm job" slurm
  check "run: no srun" bash -c "PATH=/nonexistent '$tessera' run -n 2 --launcher srun '$work/prog' 2>&1 | grep -q 'no srun in PATH'"
  two() {
    "$tessera" run -n 2 --cpus 1 "$work/prog" x >"$work/out" 2>/dev/null </dev/null
    [ "$(sort "$work/out")" = "threads=1 rank=0 size=2 args=1:x:
threads=1 rank=1 size=2 args=1:x:" ]
  }
  check "run: two ranks" two
  names() { env -u OMPI_MCA_mca_base_env_list TESSERA_MEMO=0 "$tessera" run -n 9999 --dry-run "$work/prog"; }
  check "run: settings go to other nodes" bash -c "$(declare -f names); tessera='$tessera' work='$work'; names | grep -q -- '-n 9999 --oversubscribe -x TESSERA_MEMO -x TESSERA_DEVICE '"
else
  check "run: ranks without MPI" says 2 '2 ranks need MPI, and this Tessera was built without it' -n 2 "$work/prog"
fi
if [ -x "$build/examples/stencil" ]; then
  check_of() { sed -nE 's/^result .* check=(.*)$/\1/p'; }
  one=$("$build/examples/stencil" -n 200 -i 10 | check_of)
  same() { [ -n "$one" ] && [ "$("$@" 2>/dev/null </dev/null | check_of)" = "$one" ]; }
  check "stencil by tessera run" same "$tessera" run "$build/examples/stencil" -n 200 -i 10
  if [ $with_mpi = 1 ]; then
    check "stencil by mpirun" same mpirun -n 4 "$build/examples/stencil" -n 200 -i 10
    # A system that refuses to share memory: files of no more than 32 KiB.
    refused() { # what TESSERA_TRANSPORT is, then the expected status and text
      OMPI_MCA_btl=self,tcp TESSERA_TRANSPORT=$1 mpirun --oversubscribe -n 2 bash -c \
        "trap '' XFSZ; ulimit -f 32; exec '$build/examples/stencil' -n 200 -i 10" >"$work/out" 2>"$work/err" </dev/null
      local status=$?
      [ $((status != 0)) = "$2" ] && [ "$(grep -c "cannot share .* bytes of memory: File too large$3" "$work/err")" = 1 ]
    }
    falls_back() { refused auto 0 "; they exchange messages by MPI" && [ "$(check_of <"$work/out")" = "$one" ]; }
    check "stencil where memory cannot be shared" falls_back
    check "a transport that cannot be had" refused shm 1 ""
    check "stencil by MPI's messages alone" same env TESSERA_TRANSPORT=mpi mpirun -n 4 "$build/examples/stencil" -n 200 -i 10
    # NVRTC that only rank 1 cannot use: no rank launches, and that rank says so once.
    if [ -e "$build/tests/fakes/libcuda.so.1" ]; then
      mkdir "$work/lacks"
      ln -s "$build/tests/fakes/libcuda.so.1" "$work/lacks/libcuda.so.1"
      ln -s "$build/tests/fakes/libcuda.so.1" "$work/lacks/libnvrtc.so"
      lacks_nvrtc() {
        TESSERA_DEVICE=cuda TESSERA_PLACEMENT=all TESSERA_PLACES=1 mpirun --oversubscribe -n 2 bash -c \
          "fakes='$build/tests/fakes'; [ \$OMPI_COMM_WORLD_RANK = 0 ] || fakes='$work/lacks'
           LD_LIBRARY_PATH=\$fakes exec '$build/examples/stencil' -n 200 -i 10" >"$work/out" 2>"$work/err" </dev/null
        [ "$(check_of <"$work/out")" = "$one" ] && [ "$(grep -c 'there is no compiler for device cuda' "$work/err")" = 1 ] &&
          grep -q 'there is no compiler for device cuda on rank 1; the host runs all kernels' "$work/err"
      }
      check "a rank without NVRTC is named" lacks_nvrtc
    fi
    check "stencil by tessera run on 4 ranks" same "$tessera" run -n 4 "$build/examples/stencil" -n 200 -i 10
  fi
  dumps() { # hits, misses and why, of a loop whose steps are one plan
    rm -rf "$work/dump"
    TESSERA_DUMP="$work/dump" TESSERA_MEMO=1 "$build/examples/stencil" -n 200 -i 400 >/dev/null || return 1
    grep -q '^miss: these operations are new; 0 hits, 1 misses' "$work"/dump/0001-0-memo.rank0.txt &&
      grep -qE '^in all: [1-9][0-9]* hits, [1-9][0-9]* misses, [1-9][0-9]* plans kept$' "$work"/dump/*[0-9]-memo.rank0.txt
  }
  check "a dump shows hits, misses and why" dumps
  # Started by an MPI that it was not built for: its processes see one rank each.
  foreign() {
    env "$1=2" PMIX_RANK= TESSERA_TRANSPORT=auto "$build/examples/stencil" -n 10 -i 1 >"$work/out" 2>"$work/err"
    [ $? != 0 ] && ! grep -q ^result "$work/out" && grep -qi "started 2 ranks, but .*MPI" "$work/err"
  }
  check "a program started by MPICH" foreign PMI_SIZE
  check "a program started by MVAPICH" foreign MV2_COMM_WORLD_SIZE
fi

# A rank that is stopped.
stopped() { # the other says so, and both go on when it does
  local i said=1
  cat >"$work/ranked" <<EOF2
#!/bin/sh
echo \$\$ >"$work/pid.\$OMPI_COMM_WORLD_RANK"
exec "$build/examples/stencil" "\$@"
EOF2
  chmod +x "$work/ranked"
  rm -f "$work"/pid.*
  TESSERA_STALL_S=1 "$tessera" run -n 2 --cpus 1 "$work/ranked" -n 100 -i 300000 >"$work/out" 2>"$work/err" &
  local job=$!
  for ((i = 0; i < 600; i++)); do [ -s "$work/pid.0" ] && [ -s "$work/pid.1" ] && break; sleep 0.1; done
  sleep 0.5
  kill -STOP "$(cat "$work/pid.1")"
  for ((i = 0; i < 300; i++)); do
    if grep -qE '^tessera: rank 0 has waited [0-9]+ s for (a message of rank 1|rank 1 to take a message)' "$work/err"; then said=0; break; fi
    sleep 0.1
  done
  kill -CONT "$(cat "$work/pid.1")"
  wait "$job" && [ "$said" = 0 ] && grep -q ^result "$work/out"
}
if [ "$with_mpi" = 1 ]; then check "a stopped rank is named" stopped; fi

# Pages and completion.
for page in tessera.1 tessera-run.1 tessera-info.1 tessera.3; do
  sane() { [ -s "$build/generated/man/$1" ] && ! grep -q '@[A-Z]*@' "$build/generated/man/$1"; }
  check "page $page is made" sane "$page"
  if command -v groff >/dev/null; then
    check "page $page is well formed" bash -c "[ -z \"\$(groff -mdoc -Tutf8 -ww -z '$build/generated/man/$page' 2>&1)\" ]"
  fi
done
pages_know() {
  local setting code
  for setting in $("$tessera" info --config | sed -n 's/^[* ] \(TESSERA_[A-Z_]*\)=.*/\1/p'); do
    grep -qx "\.It Ev $setting" "$build/generated/man/tessera-info.1" || return 1
  done
  for code in $("$tessera" explain | cut -d' ' -f1); do
    grep -qx "\.It $code" "$build/generated/man/tessera.3" || return 1
  done
}
check "the pages list all settings and codes" pages_know
completes() { # WANTED WORD...: bash offers WANTED for the last word
  local wanted=$1
  shift
  (
    PATH="$build:$PATH"
    source launcher/completion/tessera.bash
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _tessera
    [[ " ${COMPREPLY[*]} " == *" $wanted "* ]]
  )
}
check "bash completes commands" completes explain tessera ex
check "bash completes options" completes --launcher tessera run --la
check "bash completes launchers" completes srun tessera run --launcher s
check "bash completes codes" completes TSR0203 tessera explain TSR02
check "bash leaves a program's options alone" bash -c "! $(declare -f completes); build='$build'; ! completes --launcher tessera run ./prog --la"
for option in $({ "$tessera" --help; for command in run info explain; do "$tessera" $command --help; done; } | grep -oE -- '--[a-z-]+' | sort -u); do
  for shell in tessera.bash _tessera tessera.fish; do
    knows() { grep -qE -- "(--|-l )${1#--}\b" "launcher/completion/$2"; }
    check "$shell knows $option" knows "$option" "$shell"
  done
done
if command -v zsh >/dev/null; then check "zsh takes its completion" zsh -n launcher/completion/_tessera; fi
if command -v fish >/dev/null; then check "fish takes its completion" fish -n launcher/completion/tessera.fish; fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
