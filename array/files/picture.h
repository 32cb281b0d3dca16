/* PNG files, where the library was built with libpng (png_png.c; png_nopng.c otherwise). */
#ifndef TSR_PICTURE_H
#define TSR_PICTURE_H

#include "tessera/output.h"

/** The longest side of a picture in pixels. */
#define TSR_PICTURE_SIDE 2048

/** Write width*height pixels of 3 bytes (red, green, blue), top row first. TSR_ERR_IO with the
 * reason in `why`. */
tsr_status tsr__png_write(const char *path, int width, int height, const uint8_t *rgb, char *why,
                          size_t why_size);

/** A colour: t from 0 to 1, clamped; NaN is white, among greys red. */
void tsr__colour(tsr_colours colours, double t, uint8_t rgb[3]);

#endif
