/* Shared objects as code of this process. What was checked through a descriptor is loaded through
 * the same one: a path may by then lead to another file. The loader takes two files of one name for
 * the same library, and descriptors' numbers are used again; so every load has a name that no other
 * has, and the descriptor stays open as long as the code is there. */
#include "kernel/compile/jit_int.h"
#include "runtime/base/alloc.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/transport/transport.h"

static bool read_at(int fd, void *into, size_t n, uint64_t at)
{
  return pread(fd, into, n, (off_t)at) == (ssize_t)n;
}

static bool lies_within(uint64_t at, uint64_t n, uint64_t n_bytes)
{
  return at <= n_bytes && n <= n_bytes - at;
}

/* The loader maps what the tables say, and bytes behind the file's end are a bus error. */
bool tsr__object_is_whole(int fd)
{
  struct stat st;
  Elf64_Ehdr h;
  if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || !read_at(fd, &h, sizeof h, 0)) return false;
  const uint64_t n_bytes = (uint64_t)st.st_size;
  if (memcmp(h.e_ident, ELFMAG, SELFMAG) || h.e_ident[EI_CLASS] != ELFCLASS64 ||
      h.e_type != ET_DYN || h.e_phnum == 0 || h.e_phentsize != sizeof(Elf64_Phdr) ||
      !lies_within(h.e_shoff, (uint64_t)h.e_shnum * h.e_shentsize, n_bytes))
    return false;
  for (uint64_t i = 0; i < h.e_phnum; i++) {
    Elf64_Phdr segment;
    if (!read_at(fd, &segment, sizeof segment, h.e_phoff + i * sizeof segment) ||
        !lies_within(segment.p_offset, segment.p_filesz, n_bytes))
      return false;
  }
  return true;
}

/* /proc/self/fd/N, with the time in between: "./" for each bit that is set, "/" for one that is
 * not. Loads at the same time differ in N. */
static void name_of(int fd, char name[256])
{
  static const char directory[] = "/proc/self/fd/";
  char *end = name + sizeof directory - 1;
  memcpy(name, directory, sizeof directory);
  for (uint64_t ns = tsr__now_ns(); ns; ns >>= 1) {
    if (ns & 1) *end++ = '.';
    *end++ = '/';
  }
  snprintf(end, 16, "%d", fd);
}

bool tsr__object_load(int fd, tsr_object *object)
{
  char name[256];
  name_of(fd, name);
  *object = (tsr_object){.fd = fd, .handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)};
  return object->handle != NULL;
}

void tsr__object_unload(tsr_object *object)
{
  dlclose(object->handle);
  if (object->fd >= 0) close(object->fd);
  *object = (tsr_object){.fd = -1};
}

/* A program with many kernels must still be able to open its files. */
static size_t most_descriptors(void)
{
  struct rlimit limit;
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (size_t)(limit.rlim_cur / 4) : 0;
}

void tsr__objects_keep(tsr_objects *all, tsr_object object)
{
  for (size_t i = 0; i < all->n; i++)
    if (all->v[i].handle == object.handle) { /* a file of several names */
      tsr__object_unload(&object);
      return;
    }
  if (all->n == all->capacity) {
    all->capacity = all->capacity ? 2 * all->capacity : 16;
    all->v = tsr__realloc(all->v, all->capacity * sizeof *all->v);
  }
  if (all->n >= most_descriptors()) {
    close(object.fd);
    object.fd = -1;
  }
  all->v[all->n++] = object;
}

void tsr__objects_unload(tsr_objects *all)
{
  for (size_t i = 0; i < all->n; i++) tsr__object_unload(&all->v[i]);
  free(all->v);
  *all = (tsr_objects){0};
}
