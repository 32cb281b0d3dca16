/* Arrays as pictures, and pictures in files. PNG files are read and written if the library was
 * built with libpng (png_png.c, otherwise png_nopng.c). */
#ifndef TSR_PICTURE_H
#define TSR_PICTURE_H

#include "array/files/canvas.h"
#include "tessera/output.h"

/** The longest side in points of an array that is coloured, and of one that holds colours. */
#define TSR_PICTURE_SIDE 2048
#define TSR_POINTS_SIDE 16384
/** How wide a small array is drawn at least. */
#define TSR_PICTURE_LEAST 512

/** Writes the canvas to a file. Returns TSR_ERR_IO with the reason in `why`. */
tsr_status tsr__png_write(const char *path, const tsr_canvas *canvas, char *why, size_t why_size);
/** Reads a file into *canvas, which is to be freed: 4 channels if it has one of opacity, else 3.
 * Returns TSR_ERR_IO, or TSR_ERR_MEMORY, with the reason in `why`. */
tsr_status tsr__png_read(const char *path, tsr_canvas *canvas, char *why, size_t why_size);

/** Computes the colour of t, which is clamped to [0, 1]. NaN is white, or red in the grey map. */
void tsr__colour(tsr_colours colours, double t, uint8_t rgb[3]);

/** Chooses the step between the numbers of a scale from `least` to `most` of about n steps: 1, 2 or
 * 5 times a power of ten; 0 where there is none. */
double tsr__scale_step(double least, double most, int n);

#endif
