/* The table of settings. */
#include "runtime/base/config_row.h"
#include "runtime/device/device.h"
#include "runtime/machine/costs.h"

#include <stddef.h>

static bool reads_devices(const char *text, size_t *at, const char **why)
{
  tsr_device_list list;
  return tsr__device_list_read(text, &list, at, why);
}

static bool reads_costs(const char *text, size_t *at, const char **why)
{
  tsr_costs costs = {.launch_ns = 0};
  return tsr__costs_read(text, &costs, at, why);
}

static bool reads_traits(const char *text, size_t *at, const char **why)
{
  tsr_kernel_traits traits;
  return tsr__traits_read(text, &traits, at, why);
}

#define FIELD(f) .offset = offsetof(tsr_config, f), .bytes = sizeof(((tsr_config *)0)->f)
#define LOCAL .agreed = false
#define AGREED .agreed = true
#define RANGE(a, b) .low = (a), .high = (b)
#define MANY TSR_CONFIG_MANY
#define EVERYDAY TSR_CONFIG_EVERYDAY
#define TUNING TSR_CONFIG_TUNING
#define TESTING TSR_CONFIG_TESTING
#define ROW_INT TSR_CONFIG_INT
#define ROW_SIZE TSR_CONFIG_SIZE
#define ROW_BOOL TSR_CONFIG_BOOL
#define ROW_CHOICE TSR_CONFIG_CHOICE
#define ROW_READ TSR_CONFIG_READ
#define ROW_TEXT TSR_CONFIG_TEXT

/* clang-format off */
const tsr_config_row tsr__config_rows[] = {
  {"THREADS", EVERYDAY, ROW_INT, LOCAL, FIELD(threads), "0", RANGE(0, 4096), NULL,
   "computing threads per rank; 0: this rank's share of the cores"},
  {"WINDOW_OPS", TUNING, ROW_SIZE, AGREED, FIELD(window_ops), "64", RANGE(1, MANY), NULL,
   "operations that wait before an assignment or the end of a scope runs them; eight times as many where they are "
   "steps over a large array"},
  {"WINDOW_CAP", TUNING, ROW_SIZE, AGREED, FIELD(window_cap), "1K", RANGE(1, MANY), NULL,
   "operations that wait before any statement's end runs them, or any call where an eighth more do; beside deferred "
   "ones up to as many"},
  {"REPLICATE_MAX", TUNING, ROW_SIZE, AGREED, FIELD(replicate_max), "16K", RANGE(0, MANY), NULL,
   "elements of the largest array that every rank keeps whole"},
  {"TILE_MIN", TUNING, ROW_SIZE, AGREED, FIELD(tile_min), "16K", RANGE(1, MANY), NULL,
   "fewest elements of a tile"},
  {"RANKS_PER_CORE", TUNING, ROW_INT, AGREED, FIELD(ranks_per_core), "0", RANGE(0, 4096), NULL,
   "ranks that share a core: REPLICATE_MAX is divided by it, and small arrays are cut over one rank "
   "per core; 0: as on rank 0's node"},
  {"CHUNK_BYTES", TUNING, ROW_SIZE, LOCAL, FIELD(chunk_bytes), "512K", RANGE(1, MANY), NULL,
   "bytes that one task touches"},
  {"INLINE_ELEMS", TUNING, ROW_SIZE, LOCAL, FIELD(inline_elems), "256K", RANGE(0, MANY), NULL,
   "elements times operations of the largest pass up to which a plan runs on the calling thread"},
  {"MEMORY", EVERYDAY, ROW_SIZE, LOCAL, FIELD(memory_bytes), "0", RANGE(0, MANY), NULL,
   "bytes of array memory per rank, the least of all ranks' counts; ranks that share a device share "
   "them, unless DEVICE_MEMORY is set; buffers of messages up to 1 MB, and those that it has no room for, come on "
   "top; 0: 80 % of a share of what is available on the node when the program starts"},
  {"DEVICE_MEMORY", EVERYDAY, ROW_SIZE, AGREED, FIELD(device_memory_bytes), "0", RANGE(0, MANY), NULL,
   "bytes of array memory on each device, of all ranks that share it, but of the host; what does not fit "
   "lies in the host's memory and is brought over piece by piece; 0: as MEMORY, or of cuda, if that is 0, 90 % of the "
   "device's memory"},
  {"STALL_S", EVERYDAY, ROW_INT, LOCAL, FIELD(stall_s), "10", RANGE(0, 86400), NULL,
   "seconds that a rank waits for another before it says so on stderr, and then every minute; 0: never"},
  {"SPILL_DIR", EVERYDAY, ROW_TEXT, AGREED, FIELD(spill_dir), "", RANGE(0, 0), NULL,
   "directory for files with the arrays that memory has no room for; empty: that is an error"},
  {"HALO_MAX", TUNING, ROW_INT, AGREED, FIELD(halo_max), "64", RANGE(0, 4096), NULL,
   "widest halo in a tile's own buffer, in elements"},
  {"HALO_STEPS", TUNING, ROW_INT, AGREED, FIELD(halo_steps), "0", RANGE(0, 1000), NULL,
   "passes that share one exchange of ghosts, which ranks then compute beside their tiles; 0: up to 16, where the "
   "ghosts take at most 5 % of a tile, 1: none does, more: up to so many, whatever they take"},
  {"HALO_CACHE", TUNING, ROW_SIZE, AGREED, FIELD(halo_cache), "0", RANGE(0, MANY), NULL,
   "bytes of a core's cache: passes over arrays much larger share exchanges where it has room for several of them at a "
   "time (HALO_STEPS=0); 0: rank 0's second-level cache"},
  {"WARN_ARRAYS", EVERYDAY, ROW_SIZE, LOCAL, FIELD(warn_arrays), "10000", RANGE(1, MANY), NULL,
   "arrays alive from one line of the program that earn a warning"},
  {"WARN_TEMPORARIES", EVERYDAY, ROW_SIZE, LOCAL, FIELD(warn_values), "100", RANGE(1, MANY), NULL,
   "computed values alive from one line, in no scope but the program's own, that are not held or assigned to and earn "
   "a warning"},
  {"SEED", TESTING, ROW_INT, LOCAL, FIELD(seed), "0", RANGE(0, MANY), NULL,
   "order of tasks and deliveries in tests; 0: natural"},
  {"DEBUG", EVERYDAY, ROW_INT, LOCAL, FIELD(debug), "0", RANGE(0, 3), NULL,
   "notes on stderr; 0: none, 1: notes, 2: passes, 3: tasks"},
  {"FUSION", TUNING, ROW_BOOL, AGREED, FIELD(fusion), "1", RANGE(0, 1), NULL,
   "run chains of operations as one pass over memory"},
  {"GROUP_OPS", TUNING, ROW_SIZE, AGREED, FIELD(group_ops), "1K", RANGE(1, 8192), NULL,
   "most operations of a long expression that are one pass; those of short expressions are at most 64"},
  {"FOLD_MAX", TUNING, ROW_INT, AGREED, FIELD(fold_max), "64", RANGE(0, 64), NULL,
   "most elements per result of a reduction that is computed point by point, without partial results; "
   "15 of them may lie in one row of memory"},
  {"TIME_STEPS", TUNING, ROW_INT, AGREED, FIELD(time_steps), "0", RANGE(0, 128), NULL,
   "passes that run tile by tile, each tile in a cache; 0: as many as pay, 1: none, more: so many wherever they may"},
  {"RECOMPUTE", TUNING, ROW_BOOL, AGREED, FIELD(recompute), "1", RANGE(0, 1), NULL,
   "compute cheap temporaries that are read displaced again for each reader, where that saves a pass"},
  {"ALIGN_ROWS", TUNING, ROW_SIZE, AGREED, FIELD(align_rows), "768", RANGE(1, MANY), NULL,
   "bytes of the shortest row of an array with axes that begins at a cache line"},
  {"RENAME", TUNING, ROW_BOOL, AGREED, FIELD(rename), "1", RANGE(0, 1), NULL,
   "write a new value to a second buffer where that saves a pass"},
  {"RENAME_MAX", TUNING, ROW_SIZE, AGREED, FIELD(rename_max), "0", RANGE(0, MANY), NULL,
   "bytes of second buffers per rank; what needs more is written in place, in blocks; 0: what "
   "the memory limit leaves"},
  {"MEMO", TUNING, ROW_BOOL, LOCAL, FIELD(memo), "1", RANGE(0, 1), NULL,
   "remember plans and replay them"},
  {"LISTS", TUNING, ROW_CHOICE, LOCAL, FIELD(lists), "auto", RANGE(0, 0), "auto,all,off",
   "plans without messages go by a list of tasks per thread, in place of queues; auto: from their third "
   "run on, and while threads wait little; all: always (tests)"},
  {"INORDER", TESTING, ROW_BOOL, AGREED, FIELD(inorder), "0", RANGE(0, 1), NULL,
   "run each operation at once, one task at a time"},
  {"GUARD", TUNING, ROW_BOOL, AGREED, FIELD(guard), "1", RANGE(0, 1), NULL,
   "check at blocking reads that all ranks made the same calls"},
  {"BIND", TUNING, ROW_BOOL, LOCAL, FIELD(bind), "1", RANGE(0, 1), NULL,
   "keep worker threads, and ranks that share cores, to this rank's share of the cores"},
  {"REPLAN", TESTING, ROW_BOOL, AGREED, FIELD(replan), "0", RANGE(0, 1), NULL,
   "plan every window twice, run each plan in two memories, and compare (tests)"},
  {"DEVICE", EVERYDAY, ROW_CHOICE, AGREED, FIELD(device), "cpu", RANGE(0, 0),
   "cpu,check,null,cuda,auto",
   "what arrays live on; cuda: NVIDIA's devices, auto: these where every rank has one and NVRTC, else cpu; check: a "
   "pretend accelerator (tests), null: nothing is computed, only plans"},
  {"DEVICES", EVERYDAY, ROW_READ, AGREED, FIELD(devices), "", RANGE(0, 0),
   "a count (4) or numbers of devices (0,2,3; `2,` for one)",
   "how many devices of that kind a node's ranks share (4), or their numbers (0,2,3; 0,0 for two "
   "places on one); empty: all there are", reads_devices},
  {"PLACEMENT", TUNING, ROW_CHOICE, AGREED, FIELD(placement), "auto", RANGE(0, 0), "auto,cost,all",
   "what runs on a device; cost: what is faster there with its data, all: everything that it can; "
   "auto: by cost, but on check all"},
  {"COSTS", TUNING, ROW_READ, AGREED, FIELD(costs), "", RANGE(0, 0),
   "some of host_gbs, host_gips, device_gbs, device_gips, launch_us, link_us and link_gbs "
   "(launch_us=5,link_gbs=25)",
   "costs that placement goes by, instead of measured ones: GB/s and 10^9 instructions/s of host "
   "and device, launch of a kernel, latency and GB/s between the memories", reads_costs},
  {"REFUSE", TESTING, ROW_READ, AGREED, FIELD(refuse), "", RANGE(0, 0),
   "some of random, task, user, float16 and complex (task,float16)",
   "kernels that check does not run, so that the host does (tests)", reads_traits},
  {"CHECK_CODE", TESTING, ROW_CHOICE, AGREED, FIELD(check_code), "c", RANGE(0, 0), "c,cuda",
   "what check runs kernels as; cuda: as the text for CUDA devices, compiled as C, blocks and threads in an order "
   "drawn from SEED (tests)"},
  {"PLACES", EVERYDAY, ROW_INT, AGREED, FIELD(places), "0", RANGE(0, 16), NULL,
   "devices per rank, or parts of the host's memory, each with its own tile of every array; 0: the "
   "rank's share of the node's devices"},
  {"GRAPHS", TUNING, ROW_BOOL, LOCAL, FIELD(graphs), "1", RANGE(0, 1), NULL,
   "put the launches of a plan that runs again into a device's queue as graphs"},
  {"NVTX", TUNING, ROW_BOOL, LOCAL, FIELD(nvtx), "0", RANGE(0, 1), NULL,
   "show windows, groups and messages as ranges in NVIDIA's profilers, where NVTX's library is there"},
  {"JIT", TUNING, ROW_CHOICE, LOCAL, FIELD(jit), "lazy", RANGE(0, 0), "off,lazy,eager,held",
   "compile kernels; lazy: in the background, eager: wait for the compiler (tests), held: only when a test asks "
   "for all at once"},
  {"JIT_AFTER", TUNING, ROW_SIZE, LOCAL, FIELD(jit_after), "1M", RANGE(0, MANY), NULL,
   "points times instructions that a kernel runs before it is compiled"},
  {"JIT_LIMIT_S", TUNING, ROW_INT, LOCAL, FIELD(jit_limit_s), "60", RANGE(1, 3600), NULL,
   "seconds of processor time that a run of the compiler may take; after ten times as many it is "
   "ended in any case"},
  {"COMPILER", EVERYDAY, ROW_TEXT, LOCAL, FIELD(compiler), "cc", RANGE(0, 0), NULL,
   "C compiler for kernels, gcc or clang: a name to be found in PATH, or a path"},
  {"CACHE", EVERYDAY, ROW_TEXT, LOCAL, FIELD(cache), "", RANGE(0, 0), NULL,
   "directory for compiled kernels; empty: tessera in XDG_CACHE_HOME or ~/.cache"},
  {"CACHE_BYTES", EVERYDAY, ROW_SIZE, LOCAL, FIELD(cache_bytes), "256M", RANGE(0, MANY), NULL,
   "most that compiled kernels take on disk"},
  {"MATMUL", EVERYDAY, ROW_CHOICE, AGREED, FIELD(matmul), "exact", RANGE(0, 0), "exact,blas",
   "products of matrices of floats; exact: the same bits everywhere, blas: by OpenBLAS, and on GPUs by cuBLAS "
   "where it is, whose bits depend on the processor, the ranks and the tiles"},
  {"BLAS", EVERYDAY, ROW_TEXT, LOCAL, FIELD(blas), "libopenblas.so.0", RANGE(0, 0), NULL,
   "file of OpenBLAS for MATMUL=blas, a name that the loader finds or a path"},
  {"TRANSPORT", TUNING, ROW_CHOICE, LOCAL, FIELD(transport), "auto", RANGE(0, 0), "auto,self,mpi,shm",
   "how ranks exchange data; auto: by MPI where the program was started by it, and inside a node by shared memory "
   "where it can be had; mpi: by MPI alone; shm: as auto, but shared memory must be there"},
  {"LINK", TUNING, ROW_CHOICE, AGREED, FIELD(link), "peer", RANGE(0, 0), "host,peer,ipc,nccl",
   "how messages go from device to device; host: by way of the host's memory; peer: those of one rank copy from each "
   "other, what goes to other ranks goes by the host; ipc: as peer, and ranks of one node write into each other's "
   "memory; nccl: as peer, and to other ranks by NVIDIA's library NCCL (libnccl.so.2), which needs a GPU for each place; "
   "ipc and nccl go with TESSERA_DEVICE=cuda"},
  {"DUMP", TUNING, ROW_TEXT, LOCAL, FIELD(dump), "", RANGE(0, 0), NULL,
   "directory for windows, groups and plans as text; empty: none"},
  {.name = NULL},
};
/* clang-format on */
