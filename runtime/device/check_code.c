/* Machine code of the device `check`. An image is the bytes of a shared object. They are written to
 * a file in memory, which is loaded through its descriptor; the loader takes two files of one name
 * for the same library, so the descriptor stays open as long as the object is loaded. */
#include "runtime/device/check_code.h"
#include "runtime/base/alloc.h"
#include "runtime/base/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct object {
  struct object *next;
  const void *image;
  void *handle;
  int fd;
} object;

struct tsr_check_code {
  pthread_mutex_t lock;
  object *first;
};

tsr_check_code *tsr__check_code_create(void)
{
  tsr_check_code *c = tsr__calloc(1, sizeof *c);
  pthread_mutex_init(&c->lock, NULL);
  return c;
}

void tsr__check_code_destroy(tsr_check_code *c)
{
  if (c == NULL) return;
  for (object *o = c->first, *next; o != NULL; o = next) {
    next = o->next;
    dlclose(o->handle);
    close(o->fd);
    free(o);
  }
  pthread_mutex_destroy(&c->lock);
  free(c);
}

/* Writes the image to a file in memory. Returns its descriptor, or -1. */
static int write_image(const void *image, size_t bytes)
{
  const int fd = memfd_create("tessera-image", MFD_CLOEXEC);
  size_t done = 0;
  while (fd >= 0 && done < bytes) {
    const ssize_t n = write(fd, (const char *)image + done, bytes - done);
    if (n <= 0) {
      close(fd);
      return -1;
    }
    done += (size_t)n;
  }
  return fd;
}

/* Called under the lock. */
static object *load_image(tsr_check_code *c, const void *image, size_t bytes, char *message,
                          size_t size)
{
  for (object *o = c->first; o != NULL; o = o->next)
    if (o->image == image) return o;
  char path[64];
  const int fd = write_image(image, bytes);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  void *handle = fd >= 0 ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (handle == NULL) {
    snprintf(message, size, "the image is no code: %s",
             fd >= 0 ? dlerror() : "there is no memory for it");
    if (fd >= 0) close(fd);
    return NULL;
  }
  object *o = tsr__malloc(sizeof *o);
  *o = (object){.next = c->first, .image = image, .handle = handle, .fd = fd};
  c->first = o;
  return o;
}

tsr_block_code tsr__check_code_load(tsr_check_code *c, const void *image, size_t bytes,
                                    const char *name, char *message, size_t size)
{
  tsr_block_code code = NULL;
  pthread_mutex_lock(&c->lock);
  const object *o = load_image(c, image, bytes, message, size);
  if (o != NULL && !tsr__library_find(o->handle, name, &code))
    snprintf(message, size, "the image has no kernel `%s`", name);
  pthread_mutex_unlock(&c->lock);
  return code;
}
