/* PNG files through libpng's simplified interface. */
#include "array/files/picture.h"

#include <png.h>
#include <stdio.h>
#include <string.h>

tsr_status tsr__png_write(const char *path, int width, int height, const uint8_t *rgb, char *why,
                          size_t why_size)
{
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = (png_uint_32)width;
  image.height = (png_uint_32)height;
  image.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, path, 0, rgb, 0, NULL)) return TSR_OK;
  snprintf(why, why_size, "%s", image.message); /* the text of errno if the file caused the error */
  png_image_free(&image);
  return TSR_ERR_IO;
}
