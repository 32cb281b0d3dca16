/* Files that get their final name when they are whole. Until then they are beside it as
 * `.tessera-HOST-N.tmp`, locked by the process that writes them. The system releases the lock of a
 * dead process, and the next process that makes a file there removes the abandoned file. Names of
 * other hosts are left alone, since not every file system shows their locks here. */
#include "array/files/file.h"
#include "runtime/base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { MOST_AT_ONCE = 100, MOST_LINKS = 40 };

const char *tsr__no_file_text(const struct stat *what)
{
  return S_ISDIR(what->st_mode) ? "it is a directory" : "it is not a regular file";
}

/* Refuses a device or a pipe, which the rename would replace by a file, and a file that may not be
 * written. */
static bool is_writable_target(const char *path, tsr_outcome *o)
{
  struct stat st;
  if (stat(path, &st)) return true;
  if (!S_ISREG(st.st_mode))
    tsr__outcome_fail(o, "%s", tsr__no_file_text(&st));
  else if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS))
    tsr__outcome_fail(o, "%s", strerror(errno));
  else
    return true;
  return false;
}

/* Returns the file to which `path` leads, allocated by malloc, also through links to files that do
 * not exist yet. Returns NULL with errno. */
static char *follow_links(const char *path)
{
  char *real = realpath(path, NULL);
  char *at = real ? real : tsr__strdup(path);
  for (int i = 0; !real && i < MOST_LINKS; i++) {
    char to[PATH_MAX];
    const ssize_t n = readlink(at, to, sizeof to - 1);
    if (n < 0) return at;
    to[n] = 0;
    const char *slash = strrchr(at, '/');
    tsr_text next = {0};
    if (to[0] != '/' && slash) tsr__text_add(&next, "%.*s", (int)(slash - at) + 1, at);
    tsr__text_add(&next, "%s", to);
    free(at);
    at = next.s;
  }
  if (real) return real;
  free(at);
  errno = ELOOP;
  return NULL;
}

/* Makes the start of the temporary names for `final`: `.tessera-HOST-`. */
static void begin_name(const char *final, tsr_text *name)
{
  const char *slash = strrchr(final, '/');
  struct utsname system;
  if (uname(&system) < 0) system.nodename[0] = 0;
  for (char *p = system.nodename; *p; p++)
    if (*p == '/') *p = '_';
  if (slash) tsr__text_add(name, "%.*s", (int)(slash - final) + 1, final);
  tsr__text_add(name, ".tessera-%.100s-", system.nodename);
}

/* Returns whether the name still leads to the open file. */
static bool leads_to(const char *name, int fd)
{
  struct stat a, b;
  return lstat(name, &a) == 0 && fstat(fd, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Creates and locks a file. Returns false with errno EEXIST if the name is taken. On a file system
 * without locks the file counts as locked, and no other process removes it. */
static bool create_locked(const char *name, int *fd)
{
  *fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (*fd < 0) return false;
  const bool is_locked = flock(*fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  if (is_locked && leads_to(name, *fd)) return true;
  close(*fd); /* another process locked it as abandoned and removes it */
  *fd = -1;
  errno = EEXIST;
  return false;
}

/* Removes the file if its writer is dead. */
static void remove_abandoned(const char *name)
{
  struct stat st;
  const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  int fd = open(name, O_RDWR | flags);
  if (fd < 0 && errno == EACCES) fd = open(name, O_RDONLY | flags);
  if (fd < 0) return;
  if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
      flock(fd, LOCK_EX | LOCK_NB) == 0 && leads_to(name, fd))
    unlink(name);
  close(fd);
}

/* Returns whether the rest of a name that begins as begin_name's is a number and `.tmp`. */
static bool ends_name(const char *end)
{
  const size_t n_digits = strspn(end, "0123456789");
  return n_digits > 0 && strcmp(end + n_digits, ".tmp") == 0;
}

/* Removes all abandoned files in the directory. Their numbers may have gaps. */
static void remove_all_abandoned(const char *begin)
{
  const char *slash = strrchr(begin, '/'), *first = slash ? slash + 1 : begin;
  const size_t n_first = strlen(first);
  tsr_text name = {0};
  tsr__text_add(&name, "%.*s", (int)(first - begin), begin);
  DIR *d = opendir(slash ? name.s : ".");
  for (struct dirent *e; d && (e = readdir(d));) {
    if (strncmp(e->d_name, first, n_first) != 0 || !ends_name(e->d_name + n_first)) continue;
    name.n = (size_t)(first - begin);
    tsr__text_add(&name, "%s", e->d_name);
    remove_abandoned(name.s);
  }
  if (d) closedir(d);
  tsr__text_free(&name);
}

/* Creates a file with the first free name. Sets t->name, or errno. */
static void make_temporary(tsr_temporary *t, int *fd)
{
  tsr_text name = {0};
  begin_name(t->final, &name);
  remove_all_abandoned(name.s);
  const size_t n = name.n;
  for (int i = 0; i < MOST_AT_ONCE && !t->name; i++) {
    name.n = n;
    tsr__text_add(&name, "%d.tmp", i);
    if (create_locked(name.s, fd))
      t->name = name.s;
    else if (errno != EEXIST)
      break;
  }
  if (!t->name) {
    const int error = errno;
    tsr__text_free(&name);
    errno = error;
  }
}

bool tsr__temporary_open(const char *path, int *fd, tsr_temporary *t, tsr_outcome *o)
{
  *t = (tsr_temporary){.lock = -1};
  *fd = -1;
  if (!path || !path[0]) {
    tsr__outcome_fail(o, path ? "the path is empty" : "the path is NULL");
    o->status = TSR_ERR_ARGUMENT;
    return false;
  }
  if (!is_writable_target(path, o)) return false;
  t->final = follow_links(path); /* a link stays, and the file that it names is replaced */
  if (t->final) make_temporary(t, fd);
  if (t->name) {
    struct stat old;
    if (!stat(t->final, &old)) (void)fchmod(*fd, old.st_mode & 07777); /* keeps the permissions */
    t->lock = fcntl(*fd, F_DUPFD_CLOEXEC, 0);
    return true;
  }
  tsr__outcome_fail(o, "%s", strerror(errno));
  free(t->final);
  t->final = NULL;
  return false;
}

/* Writes the directory to the disk, and with it the new name. */
static void sync_directory(const char *path)
{
  char *dir = tsr__strdup(path);
  char *slash = strrchr(dir, '/');
  if (slash) slash[slash == dir] = 0;
  int fd = open(slash ? dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    (void)fsync(fd);
    close(fd);
  }
  free(dir);
}

void tsr__temporary_end(tsr_temporary *t, bool durable, tsr_outcome *o)
{
  if (t->name && o->status >= 0 && rename(t->name, t->final))
    tsr__outcome_fail(o, "%s", strerror(errno));
  if (t->name && o->status < 0)
    (void)unlink(t->name);
  else if (t->name && durable)
    sync_directory(t->final);
  if (t->lock >= 0) {
    (void)flock(t->lock, LOCK_UN); /* another descriptor may keep the file open */
    close(t->lock);
  }
  free(t->name);
  free(t->final);
  *t = (tsr_temporary){.lock = -1};
}
