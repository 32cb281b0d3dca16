/* Code that devices load: the cache's files as they are, in the memory of this process. */
#include "kernel/compile/jit_int.h"
#include "runtime/base/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool tsr__image_load(int fd, tsr_object *object)
{
  struct stat st;
  if (fstat(fd, &st) < 0 || st.st_size <= 0) return false;
  tsr_cuda_image *image = tsr__malloc(sizeof *image + (size_t)st.st_size);
  image->bytes = (size_t)st.st_size;
  if (pread(fd, image->at, image->bytes, 0) != st.st_size) {
    free(image);
    return false;
  }
  close(fd);
  *object = (tsr_object){.handle = image, .fd = -1, .is_image = true};
  return true;
}

/* The name of a kernel is in the image's table of symbols. */
tsr_code tsr__image_find(tsr_object object, const char *name)
{
  const tsr_cuda_image *image = object.handle;
  tsr_code code = NULL;
  if (memmem(image->at, image->bytes, name, strlen(name))) memcpy(&code, &image, sizeof code);
  return code;
}
