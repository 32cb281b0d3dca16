# Sourced by the scripts: what Open MPI and the sanitizers need to run here.

# Open MPI refuses root (containers, CI) and more ranks than cores unless told.
if [ "$(id -u)" = 0 ]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
# Tests choose their own threads; nothing else of the caller's settings reaches them.
for variable in $(compgen -v TESSERA_); do unset "$variable"; done
# Which compiler kernels are compiled by, where it is not `cc`.
if [ -n "${TEST_COMPILER:-}" ]; then export TESSERA_COMPILER=$TEST_COMPILER; fi

# A refused allocation returns NULL, as it does without the sanitizer.
export ASAN_OPTIONS="allocator_may_return_null=1"
# Criterion and NVRTC leak some memory of their own.
LSAN_OPTIONS="suppressions=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/lsan.supp:print_suppressions=0"
export LSAN_OPTIONS
# Open MPI unloads its plug-ins before leaks are looked for, so that none of theirs can be told by name: under mpirun
# leaks are not looked for. The ranks that are threads of one process show ours.
export OMPI_MCA_mca_base_env_list="ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0"
export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1"
# Tests of what ends a process fork one that has threads.
export TSAN_OPTIONS="allocator_may_return_null=1:die_after_fork=0:halt_on_error=0:second_deadlock_stack=1"
unset variable

# `make -j` on a machine with little memory per core swaps: one job per core, no more than per 1 GB.
n_jobs() {
  local cores gigabytes
  cores=$(nproc)
  gigabytes=$(awk '/MemTotal/ { print int($2 / 1048576) }' /proc/meminfo)
  [ "$gigabytes" -lt 1 ] && gigabytes=1
  echo $((cores < gigabytes ? cores : gigabytes))
}

# The Python here with the newest NumPy, of those with `least` or newer; nothing if there is none.
python_with_numpy() { # [least version's first number]
  local python version newest=-1 found=""
  for python in python3 /usr/bin/python3 python; do
    version=$("$python" -c 'import numpy; print(*("%03d" % int(n) for n in numpy.__version__.split(".")[:2]), sep="")' \
      2>/dev/null) || continue
    if [ "$version" -gt "$newest" ]; then newest=$version found=$python; fi
  done
  if [ "$newest" -ge "${1:-0}000" ]; then echo "$found"; fi
}
