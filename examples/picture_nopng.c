/* No pictures in a build without libpng. */
#include "examples/common.h"

const char *example_write_png(const char *file, int width, int height, const unsigned char *rgb)
{
  (void)file, (void)width, (void)height, (void)rgb;
  return "built without libpng, so no picture (Debian: libpng-dev, then configure again)";
}
