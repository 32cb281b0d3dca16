/* Writes PNG files if the library was built with libpng (png_png.c, otherwise png_nopng.c). */
#ifndef TSR_PICTURE_H
#define TSR_PICTURE_H

#include "tessera/output.h"

/** The longest side of a picture in pixels. */
#define TSR_PICTURE_SIDE 2048

/** Writes width*height pixels of 3 bytes (red, green, blue), top row first. Returns TSR_ERR_IO with
 * the reason in `why`. */
tsr_status tsr__png_write(const char *path, int width, int height, const uint8_t *rgb, char *why,
                          size_t why_size);

/** Computes the colour of t, which is clamped to [0, 1]. NaN is white, or red in the grey map. */
void tsr__colour(tsr_colours colours, double t, uint8_t rgb[3]);

#endif
