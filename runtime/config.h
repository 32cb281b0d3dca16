/* Settings: one table (config.c) of {name, type, default, help}; read once from TESSERA_* variables, then agreed: every
 * rank takes rank 0's values of the settings marked `agreed`. No getenv elsewhere. */
#ifndef TSR_CONFIG_H
#define TSR_CONFIG_H

#include "tessera/base.h"

/** Values of all settings, one field per row of the table. Written once at init; read-only afterwards. */
typedef struct tsr_config {
  int64_t threads;         /* TESSERA_THREADS: computing threads per rank; 0 = this rank's share of the cores */
  int64_t window_ops;      /* TESSERA_WINDOW_OPS: ops that wait before an assignment or a scope's end flushes; agreed */
  int64_t window_cap;      /* TESSERA_WINDOW_CAP: ops at which any call flushes; agreed */
  int64_t replicate_max;   /* TESSERA_REPLICATE_MAX: largest array (elements) that every rank keeps whole; agreed */
  int64_t tile_min;        /* TESSERA_TILE_MIN: fewest elements of a tile; agreed */
  int64_t chunk_bytes;     /* TESSERA_CHUNK_BYTES: bytes that one task touches; local */
  int64_t inline_elems;    /* TESSERA_INLINE_ELEMS: plans up to this work run on the calling thread; local */
  int64_t memory_bytes;    /* TESSERA_MEMORY: limit per rank in bytes (suffix K, M, G); 0 = share of the node; agreed (minimum) */
  int64_t halo_max;        /* TESSERA_HALO_MAX: widest ghost margin kept in a tile's own buffer; agreed */
  int64_t warn_arrays;     /* TESSERA_WARN_ARRAYS: arrays alive from one call site that earn one warning */
  int64_t seed;            /* TESSERA_SEED: order of tasks and deliveries (0: natural) in tests; local */
  int64_t debug;           /* TESSERA_DEBUG: 0 silent, 1 notes, 2 passes, 3 tasks */
  bool fusion;             /* TESSERA_FUSION: fuse ops into one pass; agreed */
  bool rename;             /* TESSERA_RENAME: give a new version a fresh buffer where that lets it fuse; agreed */
  bool inorder;            /* TESSERA_INORDER: flush after every op, one task at a time; agreed */
  bool guard;              /* TESSERA_GUARD: compare the ranks' op streams at blocking reads; agreed */
  bool bind;               /* TESSERA_BIND: bind workers to cores */
  bool replan;             /* TESSERA_REPLAN: plan every window twice and compare (tests); local */
  char transport[16];      /* TESSERA_TRANSPORT: auto, self, mpi */
  char dump[256];          /* TESSERA_DUMP: directory for text of windows, groups and plans; empty = off; local */
} tsr_config;

/** Defaults, then the environment. An unknown TESSERA_* name warns on stderr with the nearest name (TSR0501); a value
 *  that does not parse is an error: *message (size bytes) gets its text and TSR_ERR_CONFIG returns. */
tsr_status tsr__config_read(tsr_config *config, char *message, size_t size);
/** Set one by its variable's name or its short name ("TESSERA_THREADS" or "threads"). Text of the error as above. */
tsr_status tsr__config_set(tsr_config *config, const char *name, const char *value, char *message, size_t size);
/** The table as text for `tessera info --config`: one line each with value, default and help. malloc'd. */
char *tsr__config_text(const tsr_config *config);
/** The bytes that all ranks must share (agreed rows, defaults for the others), for broadcast. */
void tsr__config_adopt(tsr_config *mine, const tsr_config *rank0);

#endif
