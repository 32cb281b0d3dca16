/* PNG files through libpng's simplified interface. */
#include "array/files/file.h"
#include "array/files/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

tsr_status tsr__png_write(const char *path, const tsr_canvas *canvas, char *why, size_t why_size)
{
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = (png_uint_32)canvas->width;
  image.height = (png_uint_32)canvas->height;
  image.format = canvas->channels == 4 ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, path, 0, canvas->points, 0, NULL)) return TSR_OK;
  snprintf(why, why_size, "%s", image.message); /* the text of errno if the file caused the error */
  png_image_free(&image);
  return TSR_ERR_IO;
}

/* libpng says "Read Error" of a file that ends too early. */
static void say_damage(const png_image *image, char *why, size_t why_size)
{
  if (strcmp(image->message, "Read Error") == 0)
    snprintf(why, why_size, "it ends in the middle of the picture: the file was cut off");
  else if (strstr(image->message, "Not a PNG") != NULL)
    snprintf(why, why_size, "it is no PNG file");
  else
    snprintf(why, why_size, "it is a damaged PNG file (%s)", image->message);
}

static tsr_status read_from(FILE *file, tsr_canvas *canvas, char *why, size_t why_size)
{
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_stdio(&image, file)) {
    const bool is_opaque = !(image.format & PNG_FORMAT_FLAG_ALPHA);
    if (image.width > TSR_POINTS_SIDE || image.height > TSR_POINTS_SIDE) {
      snprintf(why, why_size, "it is %u x %u points, at most %d a side are read",
               (unsigned)image.width, (unsigned)image.height, TSR_POINTS_SIDE);
      png_image_free(&image);
      return TSR_ERR_IO;
    }
    image.format = is_opaque ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
    *canvas = (tsr_canvas){(int)image.width, (int)image.height, is_opaque ? 3 : 4, NULL};
    /* The header may promise more than the file holds, so that nothing is written here before a row
     * has been read. */
    canvas->points = malloc(PNG_IMAGE_SIZE(image));
    if (!canvas->points) {
      snprintf(why, why_size, "the system's memory has no room for its %u x %u points",
               (unsigned)image.width, (unsigned)image.height);
      png_image_free(&image);
      return TSR_ERR_MEMORY;
    }
    if (png_image_finish_read(&image, NULL, canvas->points, 0, NULL)) return TSR_OK;
    tsr__canvas_free(canvas);
  }
  say_damage(&image, why, why_size);
  png_image_free(&image);
  return TSR_ERR_IO;
}

tsr_status tsr__png_read(const char *path, tsr_canvas *canvas, char *why, size_t why_size)
{
  struct stat what;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe may lack a writer */
  FILE *file = NULL;
  tsr_status status = TSR_ERR_IO;
  if (fd < 0 || fstat(fd, &what) != 0)
    snprintf(why, why_size, "%s", strerror(errno));
  else if (!S_ISREG(what.st_mode))
    snprintf(why, why_size, "%s", tsr__no_file_text(&what));
  else if ((file = fdopen(fd, "rb")) == NULL)
    snprintf(why, why_size, "%s", strerror(errno));
  else
    status = read_from(file, canvas, why, why_size);
  if (file)
    fclose(file);
  else if (fd >= 0)
    close(fd);
  return status;
}
