/* Inside kernel/: what a run becomes before compiled code takes it, the renderer, the compiler and
 * the cache on disk. */
#ifndef TSR_JIT_INT_H
#define TSR_JIT_INT_H

#include "kernel/compile/jit.h"
#include "kernel/cpu/kernel_int.h"
#include "runtime/base/text.h"

#include <pthread.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Nests. */

/** Kernels of more streams than this are interpreted. */
#define TSR_NEST_STREAMS 96

/** How a stream moves along the inner axis, as compiled code must know it. */
typedef enum tsr_class {
  TSR_CLASS_UNIT,         /* by one element */
  TSR_CLASS_ZERO,         /* not at all */
  TSR_CLASS_ANY,          /* by a stride given at run time; of IOTA: numbers in memory */
  TSR_CLASS_STREAM_STORE, /* as UNIT; a store that goes around the caches */
  TSR_CLASS_AHEAD         /* as UNIT; comes from memory, and is asked for ahead */
} tsr_class;

/** The loop nest of one run: axes of length 1 dropped, adjacent ones merged where every stream is
 * contiguous, the best one inside. Streams: the accesses, then one per axis that IOTA reads (a
 * number that moves by 1 along its axis, kept as a pointer). */
typedef struct tsr_nest {
  int32_t n_streams, n_axes;
  int64_t n[TSR_MAX_NDIM]; /* points, inner axis first; n_axes >= 1 */
  char *base[TSR_NEST_STREAMS];
  int64_t stride[TSR_MAX_NDIM][TSR_NEST_STREAMS]; /* bytes */
  uint8_t classes[TSR_NEST_STREAMS];              /* tsr_class */
  bool any_strided;                               /* a stream of TSR_CLASS_ANY */
  /* Short inner axes taken together (nest_panel.c): */
  int32_t n_panel_axes;             /* how many, 0: none; and some rows of the one behind */
  int64_t panel_points, panel_rows; /* of those axes together; rows of a panel */
  uint8_t copied[TSR_NEST_STREAMS]; /* tsr_copied */
} tsr_nest;

/** How a panel has a stream. */
typedef enum tsr_copied {
  TSR_COPIED_NOT, /* in its own memory */
  TSR_COPIED,     /* in scratch memory, for each panel */
  TSR_COPIED_ONCE /* the same for all panels along their last axis */
} tsr_copied;
/** Most points of a panel. */
#define TSR_PANEL_MOST 512

/** False if the box is empty or the kernel has too many streams. lanes: points that compiled code
 * takes at once; the inner axis has so many, or there is a panel. */
bool tsr__nest_make(const tsr_kernel *k, const tsr_kernel_bind *bind, int lanes, tsr_nest *nest);
/** Does the kernel store the access's buffer? */
bool tsr__nest_stores(const tsr_kernel *k, int access);
/** Take inner axes together and classify the streams, if that costs less than best_cost (in the
 * measure of nest.c); else false, and nothing is changed. */
bool tsr__panel_make(const tsr_kernel *k, int lanes, int64_t best_cost, tsr_nest *nest);

/* Rendering. */

/** Instruction set that code is rendered and compiled for. */
typedef struct tsr_target {
  const char *name;
  int vector_bytes;
  bool x86_vex;      /* x86 with AVX2: its instructions may be named */
  const char *flags; /* for the compiler, separated by blanks */
  const tsr_loops *loops;
} tsr_target;
/** What this processor can run, best first; NULL after the last. */
const tsr_target *tsr__target_get(int i);

/** Compiled code: `n_rows` rows of n points each. base, row (bytes to the next row) and step (bytes
 * to the next point) per stream. n is at least the kernel's lanes. */
typedef void (*tsr_row_code)(int64_t n_rows, int64_t n, char *const *base, const int64_t *row,
                             const int64_t *step, const tsr_scalar *scalars, const tsr_loop *call);
/** Run the nest by code made for its classes. scratch: as for tsr__kernel_run. */
void tsr__nest_run(const tsr_nest *nest, const tsr_kernel *k, tsr_row_code code, int lanes,
                   const tsr_scalar *scalars, const tsr_loop *call, void *scratch);
void tsr__panel_run(const tsr_nest *nest, const tsr_kernel *k, tsr_row_code code, int lanes,
                    const tsr_scalar *scalars, const tsr_loop *call, void *scratch);

/** Points that one vector holds: those of the widest dtype fill it. */
int tsr__render_lanes(const tsr_kernel *k, const tsr_target *target);
/** What compiled code must start with: types and macros for all kernels of the target. */
void tsr__render_prelude(const tsr_target *target, tsr_text *out);
/** Append the functions of kernel/ops_*.h that `code`, which is to come behind, calls. Returns how
 * many calls there are. */
int tsr__render_functions(const tsr_target *target, const char *code, tsr_text *out);
/** Append one function `name` of type tsr_row_code. False, with nothing appended, if the kernel has
 * no compiled form (it loads a buffer after a store to it). */
bool tsr__render_c(const tsr_kernel *k, const uint8_t *classes, const tsr_target *target,
                   const char *name, tsr_text *out);
/** The loops that the function calls, in the order of its `call`: at most n_instrs. Returns how
 * many. */
int tsr__render_calls(const tsr_kernel *k, const tsr_target *target, tsr_loop *call);

/** The vector form of an operation of compute dtype `dtype`, over x, y, z; T is the vector type, M
 * the mask type, S the sign bit's number, H the largest integer of its size, K(f) a function that
 * tsr__render_functions knows. NULL if it has none and is called. */
const char *tsr__vector_form(tsr_opcode op, tsr_dtype dtype, int lanes, const tsr_target *target);
/** The cast as an expression over x, a vector of `from`; neither is bool. $ stands for lanes. */
const char *tsr__vector_cast(tsr_dtype from, tsr_dtype to);

/* Digests. */

#define TSR_DIGEST_HEX 64

/** SHA-256 under way. */
typedef struct tsr_digest {
  uint32_t state[8], round[64];
  uint64_t n_bytes;
  uint8_t block[64];
} tsr_digest;
void tsr__digest_begin(tsr_digest *d);
void tsr__digest_add(tsr_digest *d, const void *bytes, size_t n);
void tsr__digest_end(tsr_digest *d, char hex[TSR_DIGEST_HEX + 1]);

/* The compiler. */

typedef enum tsr_compile_result {
  TSR_COMPILE_OK,
  TSR_COMPILE_FAILED, /* it said no, or could not be started */
  TSR_COMPILE_HUNG,   /* ended at the limit */
  TSR_COMPILE_STOPPED /* *stop became true */
} tsr_compile_result;

/** Flags for every target, separated by blanks. */
extern const char tsr__compile_flags[];
/** A run of the compiler. Its processes are a group of their own, which ends, and removes its
 * directory, when this process does: when the other end of the lifeline is closed. */
typedef struct tsr_compiler {
  pid_t pid; /* the group's; -1: none could be started */
  int lifeline;
} tsr_compiler;
/** Start the compiler at `path` over dir/k.c to give dir/k.so, with a minimal environment; its
 * output goes to dir/log, its temporary files to dir. limit_s: processor time of each of its
 * processes. */
tsr_compiler tsr__compile_start(const char *path, const tsr_target *target, const char *dir,
                                int64_t limit_s);
/** Wait for it, at most ten times limit_s from now. stop: looked at every 2 ms. */
tsr_compile_result tsr__compile_wait(tsr_compiler run, int64_t limit_s, const bool *stop);

/* Code. */

/** A shared object of this process. */
typedef struct tsr_object {
  void *handle; /* dlopen's */
  int fd;       /* what it was loaded through; -1: no longer open */
} tsr_object;
/** Is there what objects are loaded through, /proc? */
bool tsr__objects_can_load(void);
/** Is the open file a shared object, as long as its own tables say, and without lost parts? */
bool tsr__object_is_whole(int fd);
/** Load the open file, which object->fd keeps. False, with the file open, if it cannot be. */
bool tsr__object_load(int fd, tsr_object *code);
/** Take it away and close its file. */
void tsr__object_unload(tsr_object *code);

typedef struct tsr_objects {
  tsr_object *v; /* each object once */
  size_t n, capacity;
} tsr_objects;
/** Take over the object, until tsr__objects_unload. */
void tsr__objects_keep(tsr_objects *codes, tsr_object code);
void tsr__objects_unload(tsr_objects *codes);

/* The cache on disk. */

enum { TSR_PATH_BYTES = 640 };

/** Shared objects named by the digest of what they were made from, each followed by the digest of
 * its own bytes. One file may have several names, one per kernel in it. */
typedef struct tsr_cache {
  char dir[TSR_PATH_BYTES - 160]; /* empty: no cache */
  int64_t limit_bytes;
  bool warned; /* once about what was found there */
  uint64_t n_refused;
  struct stat last; /* of the file that was found good last */
} tsr_cache;

/** Make the directory (mode 0700) or check that only this user can write it; one that others can
 * leaves the cache off, with a warning of the job's first process. dir may be empty. */
void tsr__cache_open(tsr_cache *c, const char *dir, int64_t limit_bytes);
/** Load the entry `name`; false if there is none. An entry that is another user's, writable by
 * others, cut short or changed is removed, with one warning. */
bool tsr__cache_load(tsr_cache *c, const char *name, tsr_object *code);
/** Append the digest of its bytes to the open shared object. */
bool tsr__cache_seal(int fd);
/** Give the sealed file at dir/k.so the entry name `name`. */
bool tsr__cache_store(const tsr_cache *c, const char *dir, const char *name);
/** Remove the entries used longest ago until those left fit, and directories that dead processes
 * left. */
void tsr__cache_trim(const tsr_cache *c);
/** Wait, at most limit_s, for the lock that lets one process of the machine compile at a time. A
 * file descriptor for unlock, or -1 (then others may compile the same). */
int tsr__cache_lock(const tsr_cache *c, int64_t limit_s, const bool *stop);
void tsr__cache_unlock(int lock);
/** A new directory of mode 0700 to work in: inside the cache's if that can be written and has room,
 * else the system's for temporary files (from there nothing is stored; those that dead processes of
 * this user left there are removed). False if there is none. */
bool tsr__work_make(const tsr_cache *c, char dir[TSR_PATH_BYTES]);
void tsr__work_remove(const char *dir);

/* What is wanted and what is ready. */

typedef enum tsr_jit_state {
  TSR_JIT_IDLE,
  TSR_JIT_WANTED,
  TSR_JIT_READY,
  TSR_JIT_FAILED
} tsr_jit_state;

/** One kernel and the classes of its streams: what one function is made for. */
typedef struct tsr_jit_entry {
  uint64_t hash;
  tsr_kernel *kernel; /* a copy */
  int32_t n_streams, lanes;
  uint8_t *classes;
  tsr_loop *call;
  tsr_row_code code;          /* atomic; NULL until ready */
  int state;                  /* tsr_jit_state; atomic, written under the lock */
  int64_t work;               /* points times instructions run so far; atomic */
  struct tsr_jit_entry *next; /* in the queue */
  tsr_text source;            /* the thread's, while it works on it */
  int32_t cost;               /* to the compiler: 1, and more for functions; the thread's */
  char name[TSR_DIGEST_HEX + 3];
} tsr_jit_entry;

struct tsr_jit {
  tsr_config config;
  const tsr_target *target;
  bool eager;
  pid_t pid;
  const tsr_topology *topology; /* of its machine; may be NULL */
  tsr_jit_entry **table;        /* atomic pointers */
  int n_entries;
  pthread_mutex_t lock;
  pthread_cond_t wanted, done;
  pthread_t thread;
  bool started, busy;
  bool called; /* the thread is to take what is in the queue */
  bool stop;   /* atomic */
  bool broken; /* there is no compiler, or it hung: nothing is wanted any more */
  tsr_jit_entry *queue, **queue_end;
  tsr_jit_stats stats;
  /* the thread's own */
  tsr_cache cache;
  char compiler[TSR_PATH_BYTES];
  tsr_text prelude;
  tsr_digest identity; /* of all but the function */
  tsr_objects objects;
  bool warned;
};

/** The thread's main function. */
void *tsr__jit_thread(void *jit);

/** As tsr__jit_create, for a target of choice. */
tsr_jit *tsr__jit_create_for(const tsr_config *config, const tsr_target *target);

#endif
