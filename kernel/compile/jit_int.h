/* Shared by the computing threads' side of compiled kernels (jit.c) and the thread that compiles
 * them (jit_thread.c). */
#ifndef TSR_JIT_INT_H
#define TSR_JIT_INT_H

#include "kernel/compile/cache.h"
#include "kernel/compile/code.h"
#include "kernel/compile/compiler.h"
#include "kernel/compile/digest.h"
#include "kernel/compile/jit.h"
#include "kernel/compile/nvrtc.h"

#include <pthread.h>

typedef enum tsr_jit_state {
  TSR_JIT_IDLE,
  TSR_JIT_WANTED,
  TSR_JIT_READY,
  TSR_JIT_FAILED
} tsr_jit_state;

enum { TSR_ARCHITECTURE_BYTES = 16 };

/** A kernel and a form of it, for which one function is compiled. */
typedef struct tsr_jit_entry {
  uint64_t hash;
  tsr_kernel *kernel;         /* a copy that the entry owns */
  uint8_t *form;              /* [n_form] */
  int32_t n_form, lanes;      /* lanes: of the kind `c` */
  int32_t number;             /* among the entries of the table */
  tsr_loop *call;             /* of the kind `c`, else NULL */
  tsr_code code;              /* atomic; NULL until ready */
  int state;                  /* tsr_jit_state; atomic, written under the lock */
  int64_t work;               /* points times instructions that have run; atomic */
  struct tsr_jit_entry *next; /* the next entry in the queue */
  tsr_text source;            /* of the thread alone, while it works on the entry */
  tsr_function_uses uses;     /* functions that the source calls; of the thread alone */
  /* estimated work of the compiler: 1, and more for functions; of the thread alone */
  int32_t cost;
  char name[TSR_DIGEST_HEX + 3];
} tsr_jit_entry;

struct tsr_jit {
  tsr_config config;
  const tsr_code_kind *kind;
  const tsr_target *target;
  char architecture[TSR_ARCHITECTURE_BYTES]; /* of the devices that code is for */
  bool eager;                                /* who wants a kernel waits for the compiler */
  bool held; /* the thread takes the queue only when somebody waits for all of it */
  pid_t pid;
  const tsr_topology *topology; /* of its machine; may be NULL */
  tsr_jit_entry **table;        /* atomic pointers */
  int n_entries;
  pthread_mutex_t lock;
  pthread_cond_t wanted, done;
  pthread_t thread;
  bool started, busy;
  bool called; /* the thread shall take the queue, or find the compiler */
  bool stop;   /* atomic */
  bool broken; /* there is no compiler, or it hung: nothing is queued any more */
  tsr_jit_entry *queue, **queue_end;
  tsr_jit_stats stats;
  /* The fields below belong to the thread alone. */
  tsr_cache cache;
  char compiler[TSR_PATH_BYTES];             /* its path, or its name */
  struct tsr_nvrtc *nvrtc;                   /* owned; of the kind `cuda` */
  char nvrtc_target[TSR_NVRTC_TARGET_BYTES]; /* what its code is made for */
  tsr_text prelude;
  tsr_digest identity; /* digest of all that a kernel's name depends on, except its source */
  tsr_objects objects;
  bool warned, is_prepared;
};

/** How sources of kernels become code, and how that is loaded. The thread calls it. */
struct tsr_code_maker {
  const char *suffix; /* of files with code */
  /** Finds the compiler, and appends what it and its options are, for names in the cache. Returns
   * false, after saying so, if there is none. */
  bool (*find)(tsr_jit *jit, tsr_text *identity);
  /** Starts compiling dir/k.c to dir/k<suffix>. What the compiler says goes to dir/log. */
  tsr_compiler (*start)(tsr_jit *jit, const char *dir);
  tsr_compile_result (*wait)(tsr_jit *jit, tsr_compiler run);
  /** Returns whether the file that the compiler wrote is whole. */
  bool (*is_whole)(int fd);
  /** Loads a file, which it keeps or closes. Returns false, with the file still open, if it cannot
   * be loaded. */
  bool (*load)(int fd, tsr_object *object);
  /** Returns the code of the kernel, or NULL. */
  tsr_code (*find_code)(tsr_object object, const char *name);
};

/** Loads a file as an image, whatever is in it. Returns the image as code if it has the name. */
bool tsr__image_load(int fd, tsr_object *object);
tsr_code tsr__image_find(tsr_object object, const char *name);

/** Says it on stderr where TESSERA_DEBUG is at least 1. */
void tsr__jit_note(const tsr_jit *jit, const char *text, const char *what);

/** The thread's main function. */
void *tsr__jit_thread(void *jit);

/** Makes a tsr_jit as tsr__jit_create does, for the given kind and target. Code for devices is for
 * sm_90. */
tsr_jit *tsr__jit_create_for(const tsr_config *config, const tsr_code_kind *kind,
                             const tsr_target *target);

#endif
