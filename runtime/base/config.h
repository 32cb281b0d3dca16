/* Settings: one table (config.c, machine/settings.c) of {name, type, default, help}. They are read
 * once from TESSERA_* variables and then agreed: every rank takes rank 0's values of the settings
 * marked `agreed`. The environment is read in config.c only. */
#ifndef TSR_CONFIG_H
#define TSR_CONFIG_H

#include "tessera/base.h"

/** Values of all settings, one field per row of the table. The variable is TESSERA_ and the field's
 * name in capitals (TESSERA_MEMORY for memory_bytes). They are written once at init and read-only
 * afterwards. [A] marks an agreed setting: every rank takes rank 0's value. */
typedef struct tsr_config {
  int64_t threads;       /* computing threads per rank; 0: this rank's share of the cores */
  int64_t window_ops;    /* [A] ops that wait before an assignment or a scope's end flushes */
  int64_t window_cap;    /* [A] ops at which the end of any statement flushes */
  int64_t replicate_max; /* [A] largest array (elements) that every rank keeps whole */
  int64_t tile_min;      /* [A] fewest elements of a tile */
  int64_t chunk_bytes;   /* bytes that one task touches */
  int64_t inline_elems;  /* plans up to this work run on the calling thread */
  int64_t memory_bytes;  /* limit per rank; 0: share of the node. In a world: the least of all */
  int64_t halo_max;      /* [A] widest halo in a tile's own buffer */
  int64_t halo_steps;    /* [A] exchanges that one takes the place of; 0: by cost, 1: none */
  int64_t halo_cache;    /* [A] bytes; 0: rank 0's second-level cache. In a world: at least 1 */
  int64_t stall_s;       /* wait for another rank after which stderr is told; 0: never */
  int64_t warn_arrays;   /* arrays alive from one call site that earn one warning */
  int64_t warn_values;   /* WARN_TEMPORARIES: the same of values that nobody assigns to or holds */
  int64_t seed;          /* order of tasks and deliveries in tests; 0: natural */
  int64_t debug;         /* 0: silent, 1: notes, 2: passes, 3: tasks */
  bool fusion;           /* [A] fuse ops into one pass */
  int64_t group_ops;     /* [A] most ops of an expression that are one pass */
  int64_t fold_max;      /* [A] most elements per result of a reduction that is a fold */
  int64_t time_steps;    /* [A] steps of a chain that is tiled over time; 0: by cost, 1: none */
  bool recompute;        /* [A] compute cheap temporaries again for each displaced reader */
  int64_t align_rows;    /* [A] bytes of the shortest row that begins at a cache line */
  bool rename;           /* [A] give a new version a fresh buffer where that lets it fuse */
  int64_t rename_max;    /* [A] bytes of second buffers per rank, in a world per place; 0: any */
  bool inorder;          /* [A] flush after every op, one task at a time */
  bool guard;            /* [A] compare the ranks' op streams at blocking reads */
  bool bind;             /* keep workers to this rank's share of the cores */
  bool memo;             /* remember plans and replay them */
  char lists[8];         /* auto, all, off: plans that go by a list of tasks per thread */
  bool replan;           /* [A] plan every window twice, run each plan in two memories, compare */
  char transport[16];    /* auto, self, mpi, shm */
  char link[8];          /* host, peer, ipc, nccl */
  char device[8];        /* [A] what arrays live on: cpu, check, null */
  char devices[128];     /* [A] which of them a node's ranks share (device.h); empty: all */
  int64_t places;        /* [A] places per rank; 0: its devices. In a world: at least 1 */
  char placement[8];     /* [A] what runs on a device: auto, cost, all */
  char costs[160];       /* [A] costs that take the place of measured ones (costs.h) */
  char refuse[64];       /* [A] kernels that `check` does not run (traits.h) */
  char check_code[8];    /* what `check` runs kernels as: c, cuda */
  bool graphs;           /* a device's launches that come again are graphs */
  bool nvtx;             /* what the host does are ranges for NVIDIA's profilers */
  char jit[8];           /* compiled kernels: off, lazy, eager */
  char compiler[256];    /* C compiler for kernels: a name to be found in PATH, or a path */
  char cache[480];       /* directory for compiled kernels; empty: the user's (tsr__cache_dir) */
  int64_t jit_after;     /* points times instructions of a kernel's runs until it is compiled */
  int64_t jit_limit_s;   /* seconds of processor time for a run of the compiler */
  int64_t cache_bytes;   /* most that compiled kernels take on disk */
  char matmul[8];        /* [A] how products of floats are computed: exact, blas */
  char blas[256];        /* the library that MATMUL=blas opens, as dlopen takes it */
  bool plain;            /* no colours: NO_COLOR is set (https://no-color.org) */
  char dump[256];        /* directory for text of windows, groups and plans; empty: off */
  /* [A] ranks that share a core; 0: as many as on rank 0's node. In a world: at least 1 */
  int64_t ranks_per_core;
  /* [A] limit per device; 0: as memory_bytes. In a world: of this rank's part of the device */
  int64_t device_memory_bytes;
  char spill_dir[256]; /* [A] directory for arrays that no memory has space for; empty: none */
} tsr_config;

/** Take the defaults, then the environment. An unknown TESSERA_* name warns on stderr with the
 * nearest name (on rank 0 alone, where a launcher says which rank that is). A value that does not
 * parse returns TSR_ERR_CONFIG: its text goes to message (size bytes) and *config is as before. */
tsr_status tsr__config_read(tsr_config *config, char *message, size_t size);
/** Set one setting by its variable's name or its short name ("TESSERA_THREADS" or "threads"). The
 * errors are those of tsr__config_read; an unknown name is one, too. */
tsr_status tsr__config_set(tsr_config *config, const char *name, const char *value, char *message,
                           size_t size);
/** The table as text for `tessera info --config`, in groups: value, default, help and what the
 * setting takes, in lines of at most `columns` bytes; 0: each in one line. A setting that is not at
 * its default begins with a '*'. malloc'd. */
char *tsr__config_text(const tsr_config *config, int columns);
/** The directory of compiled kernels: config.cache, else tessera/ in XDG_CACHE_HOME or ~/.cache;
 * empty where none of these is known. Returns buf. */
const char *tsr__cache_dir(const tsr_config *config, char *buf, size_t size);
/** Make the directory, of mode 0700, and those above it. Returns true if it exists then. */
bool tsr__cache_dir_make(const char *dir);
/** Why the directory is not used, or NULL if it is: it is the user's, who may write it and nobody
 * else, or a symbolic link of the user's to such a one, or it does not exist and can be made.
 * Changes nothing. */
const char *tsr__cache_dir_defect(const char *dir);
/** The path of a program: `name` itself if it has a '/', else the first executable file in PATH.
 * False if there is none. */
bool tsr__program_find(const char *name, char *buf, size_t size);
/** The environment of programs that this one starts: PATH, LD_LIBRARY_PATH, TMPDIR, and LC_ALL=C.
 * The array and its own texts are one block to be freed. */
char *const *tsr__child_environment(void);
/** The variables that are set and begin with TESSERA_, as the environment holds them ("NAME=value",
 * borrowed): the first `capacity` of them into names. Returns how many there are. */
int tsr__config_variables(const char **names, int capacity);
/** One variable of the environment, or NULL. What launchers tell their processes (launcher_env.c)
 * is read through this function, so that config.c is the only file that asks the system. */
const char *tsr__environment(const char *name);
/** Take the agreed rows of rank0, whose bytes may come from a broadcast; the other rows stay. */
void tsr__config_adopt(tsr_config *mine, const tsr_config *rank0);

#endif
