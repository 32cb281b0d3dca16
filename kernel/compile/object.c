/* Loads shared objects as code of this process. A file is loaded through the descriptor through
 * which it was checked, since its path may have come to lead to another file. The loader takes two
 * files of one name for the same library, and descriptors' numbers are reused. So every load has a
 * name of its own, and the descriptor stays open as long as the code is loaded. */
#include "kernel/compile/object.h"
#include "runtime/base/clock.h"
#include "runtime/base/error.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
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

/* A file system loses data by whole sectors. A kernel may be shorter than a sector. */
enum { SECTOR_BYTES = 512, CODE_BYTES = 32, READ_BYTES = 64 * 1024 };

/* Returns whether the section has a whole sector, or CODE_BYTES of code, of zeros only. No kernel
 * has, nor has a table of symbols or constants. */
static bool has_lost_part(int fd, const Elf64_Shdr *section)
{
  static const char zeros[SECTOR_BYTES];
  char bytes[READ_BYTES];
  const uint64_t part = section->sh_flags & SHF_EXECINSTR ? CODE_BYTES : SECTOR_BYTES;
  const uint64_t end = section->sh_offset + section->sh_size;
  uint64_t at = (section->sh_offset + part - 1) / part * part;
  while (at + part <= end) {
    const uint64_t left = (end - at) / part * part, n = left < READ_BYTES ? left : READ_BYTES;
    if (!read_at(fd, bytes, n, at)) return true;
    for (uint64_t i = 0; i < n; i += part)
      if (!memcmp(bytes + i, zeros, part)) return true;
    at += n;
  }
  return false;
}

/* Checks the table of sections, which a linker writes last and the loader trusts. */
static bool has_sections(int fd, const Elf64_Ehdr *h, uint64_t n_bytes)
{
  bool has_dynamic = false;
  if (h->e_shnum < 2 || h->e_shentsize != sizeof(Elf64_Shdr)) return false;
  for (uint64_t i = 1; i < h->e_shnum; i++) {
    Elf64_Shdr section;
    if (!read_at(fd, &section, sizeof section, h->e_shoff + i * sizeof section) ||
        section.sh_type == SHT_NULL || section.sh_addralign == 0)
      return false;
    if (section.sh_type == SHT_NOBITS) continue;
    Elf64_Dyn first;
    if (!lies_within(section.sh_offset, section.sh_size, n_bytes)) return false;
    if (section.sh_type != SHT_DYNAMIC) {
      if (has_lost_part(fd, &section)) return false;
      continue;
    }
    has_dynamic = read_at(fd, &first, sizeof first, section.sh_offset) && first.d_tag != DT_NULL;
  }
  return has_dynamic;
}

/* The loader maps what the tables say; an access beyond the file's end would be a bus error. Lost
 * bytes are zeros, and zeros are no code. */
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
  return has_sections(fd, &h, n_bytes);
}

static const char directory[] = "/proc/self/fd/";

bool tsr__objects_can_load(void)
{
  return access(directory, X_OK) == 0;
}

/* Writes /proc/self/fd/N with the time encoded in the path: "./" for a bit that is set, "/" for one
 * that is not. Loads at the same time differ in N. */
static void name_of(int fd, char name[256])
{
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
  if (object->is_image)
    free(object->handle);
  else
    dlclose(object->handle);
  if (object->fd >= 0) close(object->fd);
  *object = (tsr_object){.fd = -1};
}

/* Returns how many descriptors loaded objects may keep open, so that the program can still open its
 * files. */
static size_t most_descriptors(void)
{
  struct rlimit limit;
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (size_t)(limit.rlim_cur / 4) : 0;
}

void tsr__objects_keep(tsr_objects *all, tsr_object object)
{
  TSR_ASSERT(object.handle && all->n <= all->capacity);
  for (int32_t i = 0; i < all->n; i++)
    /* The object is loaded already, since its file has several names. */
    if (all->v[i].handle == object.handle) {
      tsr__object_unload(&object);
      return;
    }
  all->v = tsr__arena_grow(&all->memory, all->v, all->n, &all->capacity, sizeof *all->v);
  if (object.fd >= 0 && (size_t)all->n >= most_descriptors()) {
    close(object.fd);
    object.fd = -1;
  }
  all->v[all->n++] = object;
}

void tsr__objects_unload(tsr_objects *all)
{
  for (int32_t i = 0; i < all->n; i++) tsr__object_unload(&all->v[i]);
  tsr__arena_destroy(&all->memory);
  *all = (tsr_objects){.n = 0};
}
