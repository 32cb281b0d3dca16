/* Pictures through libpng's simplified interface. */
#include "examples/common.h"

#include <png.h>
#include <string.h>

const char *example_write_png(const char *file, int width, int height, const unsigned char *rgb)
{
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = (png_uint_32)width;
  image.height = (png_uint_32)height;
  image.format = PNG_FORMAT_RGB;
  return png_image_write_to_file(&image, file, 0, rgb, 0, NULL)
             ? NULL
             : "the picture could not be written";
}
