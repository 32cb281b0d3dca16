/* Arrays for people: as text in NumPy's layout, as a picture. */
#ifndef TESSERA_OUTPUT_H
#define TESSERA_OUTPUT_H

#include "tessera/base.h"
#include "tessera/lifetime.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The colours of a picture, from the least value to the greatest. */
typedef enum tsr_colours {
  TSR_COLOURS_VIRIDIS = 0,  /* dark blue, green, yellow: even steps for the eye, also in print */
  TSR_COLOURS_GREY = 1,     /* black to white */
  TSR_COLOURS_DIVERGING = 2 /* blue, grey in the middle, red: for values around 0 */
} tsr_colours;
#define TSR_VIRIDIS TSR_COLOURS_VIRIDIS
#define TSR_GREY TSR_COLOURS_GREY
#define TSR_DIVERGING TSR_COLOURS_DIVERGING

/* vmin, vmax: NaN where not given. */

#ifndef __cplusplus
/** Print x on rank 0's stdout as NumPy's print does: tsr_print(x).
 *
 *  Collective; waits for x. x: any shape and dtype, or a C scalar. Over 1,000 elements only three
 *  at each end of an axis are shown, and only those are read. Floats: the shortest digits that tell
 *  them apart, at most 8 after the point, all of one width. Returns TSR_ERR_HANDLE (silently for
 *  the null handle) and errors of computing x. Opens a statement scope. Source: numpy.array_str
 *  with its default options. */
TSR_API tsr_status tsr_print(tsr_array x);

/** Write x as a PNG picture: tsr_save_png(x, path), tsr_save_png(x, path, vmin, vmax),
 * tsr_save_png(x, path, vmin, vmax, TSR_DIVERGING).
 *
 *  Collective; waits for x; rank 0 writes. x: two axes, neither empty, any real dtype; row 0 is the
 *  top. An axis over 2,048 is thinned by a stride first, so that a picture of a large array reads
 *  little. Colours (TSR_VIRIDIS, TSR_GREY, TSR_DIVERGING) go from vmin to vmax; values beyond take
 *  the last colour. NAN for one of them, the default: the least or greatest finite pixel; with
 *  TSR_DIVERGING both are the greatest magnitude, so that 0 is grey. NaN is drawn white, in
 *  TSR_GREY red. The file appears whole or not at all. Returns TSR_ERR_SHAPE, TSR_ERR_ARGUMENT (a
 *  path that is NULL, unknown colours, an infinite vmin or vmax), TSR_ERR_HANDLE; TSR_ERR_IO on
 *  every rank if the file cannot be written or the library was built without libpng. Opens a
 *  statement scope. */
TSR_API tsr_status tsr_save_png(tsr_array x, const char *path, double vmin, double vmax,
                                tsr_colours colours);

#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/output.h"

#endif
