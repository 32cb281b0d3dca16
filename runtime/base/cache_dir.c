/* The directory for what outlives a process: compiled kernels and measured costs. The process
 * trusts what is in it, so nobody but the user may be able to write it. */
#include "runtime/base/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 640 };

const char *tsr__cache_dir(const tsr_config *config, char *buf, size_t size)
{
  const char *xdg = tsr__environment("XDG_CACHE_HOME"), *home = tsr__environment("HOME");
  int n = 0;
  if (config->cache[0])
    n = snprintf(buf, size, "%s", config->cache);
  else if (xdg && xdg[0] == '/')
    n = snprintf(buf, size, "%s/tessera", xdg);
  else if (home && home[0] == '/')
    n = snprintf(buf, size, "%s/.cache/tessera", home);
  if (n <= 0 || (size_t)n >= size) buf[0] = 0;
  return buf;
}

bool tsr__cache_dir_make(const char *dir)
{
  char path[PATH_BYTES];
  const int n = snprintf(path, sizeof path, "%s", dir);
  if (n <= 0 || (size_t)n >= sizeof path) return false;
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (mkdir(path, 0700) < 0 && errno != EEXIST) return false;
    *slash = '/';
  }
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Could the directory be made? The nearest directory above it that exists must be writable. */
static bool could_be_made(const char *dir)
{
  char path[PATH_BYTES];
  struct stat st;
  const int n = snprintf(path, sizeof path, "%s", dir);
  if (n <= 0 || (size_t)n >= sizeof path) return false;
  do {
    char *slash = strrchr(path, '/');
    if (!slash) return access(".", W_OK | X_OK) == 0;
    slash[slash == path] = 0;
    if (stat(path, &st) == 0) return S_ISDIR(st.st_mode) && access(path, W_OK | X_OK) == 0;
  } while (path[1]);
  return false;
}

const char *tsr__cache_dir_defect(const char *dir)
{
  struct stat st;
  if (lstat(dir, &st) < 0) return could_be_made(dir) ? NULL : "it cannot be made";
  if (S_ISLNK(st.st_mode)) { /* of this user: nobody else decides where it leads */
    if (st.st_uid != geteuid()) return "it is a symbolic link of another user's";
    if (stat(dir, &st) < 0) return "it is a symbolic link that leads nowhere";
  }
  if (!S_ISDIR(st.st_mode)) return "it is not a directory";
  if (st.st_uid != geteuid()) return "it belongs to another user";
  if ((st.st_mode & 022) != 0) return "others may write it (chmod go-w mends it)";
  /* On a file system that nobody can write it may still hold what was stored. */
  const bool may_use =
      faccessat(AT_FDCWD, dir, R_OK | W_OK | X_OK, AT_EACCESS) == 0 || errno != EACCES;
  return may_use ? NULL : "its owner may not read, write and search it (chmod u+rwx mends it)";
}
