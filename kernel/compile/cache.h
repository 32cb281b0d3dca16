/* The cache of compiled kernels on disk, and the work directories of the compiler. */
#ifndef TSR_CACHE_H
#define TSR_CACHE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "kernel/compile/object.h"

enum { TSR_PATH_BYTES = 640 };

/** A directory of compiled code: shared objects, and images for devices. Each is named by the
 * digest of what it was made from and ends in the digest of its own bytes. A file may have several
 * names, one per kernel in it. */
typedef struct tsr_cache {
  char dir[TSR_PATH_BYTES - 160]; /* empty: no cache */
  int64_t limit_bytes;
  const char *suffix; /* of the entries' names: ".so", unless it is changed after opening */
  bool (*load)(int fd, tsr_object *code); /* tsr__object_load, likewise */
  bool warned;                            /* a warning about the contents was printed */
  uint64_t n_refused;
  struct stat last; /* the last file that was found good */
} tsr_cache;

/** Makes the directory (mode 0700), or checks that only this user can write it. If others can, the
 * cache is off and the first process of the job prints a warning. dir may be empty. */
void tsr__cache_open(tsr_cache *c, const char *dir, int64_t limit_bytes);
/** Loads the entry `name`; returns false if there is none. An entry that belongs to another user,
 * is writable by others, is cut short or was changed is removed, with one warning. */
bool tsr__cache_load(tsr_cache *c, const char *name, tsr_object *code);
/** Appends the digest of its bytes to the open file. */
bool tsr__cache_seal(int fd);
/** Gives the sealed file dir/k<suffix> the entry name `name`. */
bool tsr__cache_store(const tsr_cache *c, const char *dir, const char *name);
/** Removes the entries used longest ago until the others fit the limit, and the directories of dead
 * processes. */
void tsr__cache_trim(const tsr_cache *c);
/** Waits, at most limit_s, for a lock that keeps other processes of the machine from compiling the
 * same kernels: one of sixteen, by the name of the first of them, so that the processes of one
 * program take turns and others seldom wait. Returns a file descriptor for tsr__cache_unlock, or
 * -1: then others may compile the same kernels. */
int tsr__cache_lock(const tsr_cache *c, const char *name, int64_t limit_s, const bool *stop);
void tsr__cache_unlock(int lock);
/** Makes a new work directory of mode 0700: in the cache's directory if that is writable and has
 * space, else in the system's directory for temporary files. Nothing is stored from there, and the
 * directories of dead processes of this user are removed there. Returns false if none can be
 * made. */
bool tsr__work_make(const tsr_cache *c, char dir[TSR_PATH_BYTES]);
void tsr__work_remove(const char *dir);

#endif
