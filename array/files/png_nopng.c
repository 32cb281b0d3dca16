/* Stub for a library that was built without libpng. */
#include "array/files/picture.h"

#include <stdio.h>

tsr_status tsr__png_write(const char *path, int width, int height, const uint8_t *rgb, char *why,
                          size_t why_size)
{
  (void)path, (void)width, (void)height, (void)rgb;
  snprintf(why, why_size,
           "the library was built without libpng (Debian: libpng-dev, then configure again)");
  return TSR_ERR_IO;
}
