/* Stub for a library that was built without libpng. */
#include "array/files/picture.h"

#include <stdio.h>

static tsr_status refuse_png(char *why, size_t why_size)
{
  snprintf(why, why_size,
           "the library was built without libpng (Debian: libpng-dev, then configure again)");
  return TSR_ERR_IO;
}

tsr_status tsr__png_write(const char *path, const tsr_canvas *canvas, char *why, size_t why_size)
{
  (void)path, (void)canvas;
  return refuse_png(why, why_size);
}

tsr_status tsr__png_read(const char *path, tsr_canvas *canvas, char *why, size_t why_size)
{
  (void)path, (void)canvas;
  return refuse_png(why, why_size);
}
