/* The cache of compiled kernels on disk, and directories to work in. */
#ifndef TSR_CACHE_H
#define TSR_CACHE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "kernel/compile/object.h"

enum { TSR_PATH_BYTES = 640 };

/** Shared objects named by the digest of what they were made from, each followed by the digest of
 * its own bytes. One file may have several names, one per kernel in it. */
typedef struct tsr_cache {
  char dir[TSR_PATH_BYTES - 160]; /* empty: no cache */
  int64_t limit_bytes;
  bool warned; /* a warning about what was found there was printed */
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

#endif
