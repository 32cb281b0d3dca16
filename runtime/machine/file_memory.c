/* Blocks of memory in files. They are mapped and shared, so that the system writes them out when it
 * needs the space and reads them again when they are used. */
#include "runtime/machine/file_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096 };

static size_t mapped_bytes(size_t bytes)
{
  return (bytes / PAGE_BYTES + 1) * PAGE_BYTES;
}

/* Opens a file without a name; where the file system has none, one that loses its name at once. */
static int open_file(const char *directory)
{
  int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  char path[4096];
  const int n = snprintf(path, sizeof path, "%s/tessera-XXXXXX", directory);
  if (n < 0 || (size_t)n >= sizeof path) return -1;
  fd = mkostemp(path, O_CLOEXEC);
  if (fd >= 0) unlink(path);
  return fd;
}

/* Takes the file's space on disk. A file over the process's limit on file sizes is refused, too,
 * where the system would end the process by a signal, which is taken here. */
static int reserve_disk(int fd, size_t bytes)
{
  sigset_t too_large, before;
  sigemptyset(&too_large);
  sigaddset(&too_large, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &too_large, &before);
  int status = EINTR;
  while (status == EINTR) status = posix_fallocate(fd, 0, (off_t)bytes);
  if (status == EFBIG && !sigismember(&before, SIGXFSZ))
    sigtimedwait(&too_large, NULL, &(struct timespec){0});
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return status;
}

void *tsr__file_memory_alloc(const char *directory, size_t bytes)
{
  const int fd = open_file(directory);
  if (fd < 0) return NULL;
  const size_t mapped = mapped_bytes(bytes);
  void *p = MAP_FAILED;
  /* Writing to a mapping whose space does not exist ends the process, so the space is taken
   * first. */
  const int status = bytes < SIZE_MAX / 2 ? reserve_disk(fd, mapped) : ENOSPC;
  if (status == 0) p = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (status != 0) errno = status;
  return p == MAP_FAILED ? NULL : p;
}

void tsr__file_memory_free(void *p, size_t bytes)
{
  if (p != NULL) munmap(p, mapped_bytes(bytes));
}
