/* The cache on disk. Its contents become code of this process, so they are checked: the directory
 * and each file must belong to this user and not be writable by others, and a file ends in the
 * SHA-256 of the bytes before it, which the loader of shared objects ignores. Files appear whole,
 * by rename. The lock only saves work. */
#include "kernel/compile/cache.h"
#include "kernel/compile/digest.h"
#include "runtime/base/launcher_env.h"
#include "runtime/base/arena.h"
#include "runtime/base/clock.h"
#include "runtime/base/config.h"
#include "runtime/base/error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "runtime/transport/transport.h"

#define SEAL "\ntessera sha256 "
#define WORK "work-"
#define TEMPORARY "/tmp"
enum {
  N_SEAL = sizeof SEAL - 1,
  SEAL_BYTES = N_SEAL + TSR_DIGEST_HEX + 1,
  MAX_ENTRY_BYTES = 64 << 20,
  WORK_BYTES = 16 << 20, /* free bytes that a directory needs for a compiler's run */
  WORK_OLD_S = 3600,
  MOST_DEPTH = 8
};

static void warn(tsr_cache *c, const char *path, const char *what)
{
  if (!c->warned)
    fprintf(stderr, "tessera: warning: the kernel cache does not use %s: %s\n", path, what);
  c->warned = true;
}

void tsr__cache_open(tsr_cache *c, const char *dir, int64_t limit_bytes)
{
  *c = (tsr_cache){.limit_bytes = limit_bytes, .suffix = ".so", .load = tsr__object_load};
  if (!dir[0] || strlen(dir) >= sizeof c->dir) return;
  /* The directory cannot be made if the user's home is not writable, which is no error. */
  if (!tsr__cache_dir_make(dir)) return;
  const char *defect = tsr__cache_dir_defect(dir);
  if (!defect)
    snprintf(c->dir, sizeof c->dir, "%s", dir);
  else if (tsr__launcher_is_first()) /* the other processes have the same setting and defect */
    warn(c, dir, defect);
}

static void entry_path(const tsr_cache *c, const char *name, char path[TSR_PATH_BYTES])
{
  TSR_ASSERT(c->dir[0] && strlen(name) == TSR_DIGEST_HEX);
  snprintf(path, TSR_PATH_BYTES, "%s/%s%s", c->dir, name, c->suffix);
}

/* Returns all bytes of a file of at most MAX_ENTRY_BYTES, allocated by malloc, or NULL if they
 * cannot be read. */
static char *read_all(int fd, size_t n)
{
  char *bytes = n <= MAX_ENTRY_BYTES ? malloc(n + 1) : NULL;
  for (size_t at = 0; bytes && at < n;) {
    const ssize_t got = pread(fd, bytes + at, n - at, (off_t)at);
    if (got <= 0) {
      free(bytes);
      return NULL;
    }
    at += (size_t)got;
  }
  return bytes;
}

static void digest_of(const char *bytes, size_t n, char hex[TSR_DIGEST_HEX + 1])
{
  tsr_digest d;
  tsr__digest_begin(&d);
  tsr__digest_add(&d, bytes, n);
  tsr__digest_end(&d, hex);
}

/* Returns why the open file is not trusted, or NULL. A file with several names is checked once if
 * they are loaded in a row. */
static const char *find_defect(tsr_cache *c, int fd)
{
  struct stat st;
  if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) return "it is not a file";
  if (st.st_uid != geteuid()) return "it belongs to another user";
  if (st.st_mode & 022) return "others may write it";
  if (st.st_size <= SEAL_BYTES) return "it is cut short";
  if (st.st_dev == c->last.st_dev && st.st_ino == c->last.st_ino && st.st_size == c->last.st_size &&
      st.st_ctim.tv_sec == c->last.st_ctim.tv_sec && st.st_ctim.tv_nsec == c->last.st_ctim.tv_nsec)
    return NULL;
  const size_t n = (size_t)st.st_size - SEAL_BYTES;
  char *bytes = read_all(fd, (size_t)st.st_size);
  if (!bytes) return "it cannot be read";
  char hex[TSR_DIGEST_HEX + 1];
  digest_of(bytes, n, hex);
  const bool same =
      !memcmp(bytes + n, SEAL, N_SEAL) && !memcmp(bytes + n + N_SEAL, hex, TSR_DIGEST_HEX);
  free(bytes);
  if (same) c->last = st;
  return same ? NULL : "it was changed or cut short";
}

/* Removes an entry so that it can be made again. A directory that is not empty, which only the user
 * can have put there, is renamed. */
static void remove_entry(const char *path)
{
  char aside[TSR_PATH_BYTES + 16];
  if (unlink(path) == 0 || rmdir(path) == 0) return;
  snprintf(aside, sizeof aside, "%s.refused", path);
  rename(path, aside);
}

bool tsr__cache_load(tsr_cache *c, const char *name, tsr_object *code)
{
  if (!c->dir[0]) return false;
  char path[TSR_PATH_BYTES];
  entry_path(c, name, path);
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0 && (errno == ENOENT || errno == EMFILE || errno == ENFILE)) return false;
  const char *defect = fd < 0 ? "it cannot be opened" : find_defect(c, fd);
  if (!defect) {
    futimens(fd, NULL); /* the entry now counts as used last */
    fstat(fd, &c->last);
    if (c->load(fd, code)) return true;
    defect = "it cannot be loaded";
  }
  if (fd >= 0) close(fd);
  warn(c, path, defect);
  c->n_refused++;
  remove_entry(path);
  return false;
}

bool tsr__cache_seal(int fd)
{
  struct stat st;
  bool ok = fstat(fd, &st) == 0 && st.st_size > 0 && fchmod(fd, 0600) == 0;
  char *bytes = ok ? read_all(fd, (size_t)st.st_size) : NULL;
  ok = bytes != NULL;
  if (ok) {
    char hex[TSR_DIGEST_HEX + 1], seal[SEAL_BYTES + 1];
    digest_of(bytes, (size_t)st.st_size, hex);
    snprintf(seal, sizeof seal, "%s%s\n", SEAL, hex);
    ok = pwrite(fd, seal, SEAL_BYTES, st.st_size) == SEAL_BYTES;
  }
  free(bytes);
  return ok;
}

bool tsr__cache_store(const tsr_cache *c, const char *dir, const char *name)
{
  if (!c->dir[0]) return false;
  char from[TSR_PATH_BYTES + 16], link_path[TSR_PATH_BYTES + 8], path[TSR_PATH_BYTES];
  snprintf(from, sizeof from, "%s/k%s", dir, c->suffix);
  snprintf(link_path, sizeof link_path, "%s/name", dir);
  entry_path(c, name, path);
  if (link(from, link_path) < 0) return false;
  const bool ok = rename(link_path, path) == 0;
  unlink(link_path); /* renaming one name of a file onto another keeps both */
  return ok;
}

typedef struct found {
  char name[TSR_DIGEST_HEX + 8];
  int64_t used_ns, bytes;
} found;

static int by_use(const void *a, const void *b)
{
  const int64_t x = ((const found *)a)->used_ns, y = ((const found *)b)->used_ns;
  return (x > y) - (x < y);
}

/* Removes the work directory of a dead process of this user. `name` begins as the names of such
 * directories do. */
static void remove_old_work(const char *dir, const char *name)
{
  char path[TSR_PATH_BYTES];
  struct stat st;
  snprintf(path, sizeof path, "%.480s/%.80s", dir, name);
  if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
      time(NULL) - st.st_mtime > WORK_OLD_S)
    tsr__work_remove(path);
}

void tsr__cache_trim(const tsr_cache *c)
{
  DIR *d = c->dir[0] ? opendir(c->dir) : NULL;
  if (!d) return;
  tsr_arena scratch = {.used = 0};
  found *v = NULL;
  int32_t n = 0, capacity = 0;
  int64_t bytes = 0;
  for (struct dirent *e; (e = readdir(d));) {
    struct stat st;
    if (!strncmp(e->d_name, WORK, sizeof WORK - 1)) remove_old_work(c->dir, e->d_name);
    const size_t length = strlen(e->d_name);
    const char *suffix = strrchr(e->d_name, '.');
    if (length >= sizeof v->name || !suffix || (strcmp(suffix, ".so") && strcmp(suffix, ".cubin")))
      continue;
    if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0) continue;
    v = tsr__arena_grow(&scratch, v, n, &capacity, sizeof *v);
    /* The names of one file share its bytes. */
    v[n] = (found){.used_ns = st.st_mtim.tv_sec * INT64_C(1000000000) + st.st_mtim.tv_nsec,
                   .bytes = st.st_size / (st.st_nlink ? (int64_t)st.st_nlink : 1)};
    memcpy(v[n].name, e->d_name, length + 1);
    bytes += v[n++].bytes;
  }
  if (bytes > c->limit_bytes) {
    qsort(v, (size_t)n, sizeof *v, by_use);
    for (int32_t i = 0; i < n && bytes > c->limit_bytes / 4 * 3; i++) {
      unlinkat(dirfd(d), v[i].name, 0);
      bytes -= v[i].bytes;
    }
  }
  tsr__arena_destroy(&scratch);
  closedir(d);
}

int tsr__cache_lock(const tsr_cache *c, const char *name, int64_t limit_s, const bool *stop)
{
  if (!c->dir[0]) return -1;
  char path[TSR_PATH_BYTES];
  snprintf(path, sizeof path, "%s/lock_%c", c->dir, name[0]);
  const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return -1;
  const uint64_t end = tsr__now_ns() + (uint64_t)limit_s * 1000000000u;
  while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
    if ((errno != EWOULDBLOCK && errno != EINTR) || tsr__now_ns() > end ||
        __atomic_load_n(stop, __ATOMIC_RELAXED)) {
      close(fd);
      return -1;
    }
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  }
  return fd;
}

void tsr__cache_unlock(int lock)
{
  if (lock >= 0) close(lock);
}

static bool has_space(const char *dir)
{
  struct statvfs fs;
  return statvfs(dir, &fs) == 0 && !(fs.f_flag & ST_RDONLY) &&
         (uint64_t)fs.f_bavail * fs.f_frsize >= WORK_BYTES;
}

/* Removes the work directories of dead processes from the system's directory for temporary files,
 * where processes without a writable cache make theirs. */
static void remove_old_temporary_work(void)
{
  DIR *d = opendir(TEMPORARY);
  if (!d) return;
  for (struct dirent *e; (e = readdir(d));)
    if (!strncmp(e->d_name, "tessera-" WORK, sizeof "tessera-" WORK - 1))
      remove_old_work(TEMPORARY, e->d_name);
  closedir(d);
}

bool tsr__work_make(const tsr_cache *c, char dir[TSR_PATH_BYTES])
{
  if (c->dir[0] && has_space(c->dir)) {
    snprintf(dir, TSR_PATH_BYTES, "%s/" WORK "XXXXXX", c->dir);
    if (mkdtemp(dir)) return true;
  }
  remove_old_temporary_work();
  snprintf(dir, TSR_PATH_BYTES, TEMPORARY "/tessera-" WORK "XXXXXX");
  return mkdtemp(dir) != NULL;
}

/* Removes the contents of the directory, in which a compiler may leave directories. Closes fd. */
static void empty_directory(int fd, int depth)
{
  DIR *d = fd >= 0 && depth < MOST_DEPTH ? fdopendir(fd) : NULL;
  if (!d) {
    if (fd >= 0) close(fd);
    return;
  }
  for (struct dirent *e; (e = readdir(d));) {
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
    if (unlinkat(dirfd(d), e->d_name, 0) == 0) continue;
    empty_directory(openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
                    depth + 1);
    unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
  }
  closedir(d);
}

void tsr__work_remove(const char *dir)
{
  empty_directory(open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), 0);
  rmdir(dir);
}
