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

/** An option of tsr_picture and tsr_save_png. */
typedef struct tsr_drawing {
  int kind;         /* TSR_DRAWING_… */
  double number;    /* of a number, the colours, a scale */
  const char *text; /* of a title; borrowed for the call */
} tsr_drawing;
enum {
  TSR_DRAWING_NONE = 0,
  TSR_DRAWING_NUMBER = 1, /* the first is vmin, the second vmax, the third tsr_colours */
  TSR_DRAWING_COLOURS = 2,
  TSR_DRAWING_SCALE = 3,
  TSR_DRAWING_COLORBAR = 4,
  TSR_DRAWING_TITLE = 5
};

/* What the macros of options and calls make of their arguments. */
static inline tsr_drawing tsr_drawing_make(int kind, double number, const char *text)
{
  tsr_drawing option;
  option.kind = kind;
  option.number = number;
  option.text = text;
  return option;
}
static inline tsr_drawing tsr_drawing_of_number(double number)
{
  return tsr_drawing_make(TSR_DRAWING_NUMBER, number, NULL);
}
static inline tsr_drawing tsr_drawing_of_option(tsr_drawing option)
{
  return option;
}

#define TSR_VIRIDIS (tsr_drawing_make(TSR_DRAWING_COLOURS, TSR_COLOURS_VIRIDIS, NULL))
#define TSR_GREY (tsr_drawing_make(TSR_DRAWING_COLOURS, TSR_COLOURS_GREY, NULL))
#define TSR_DIVERGING (tsr_drawing_make(TSR_DRAWING_COLOURS, TSR_COLOURS_DIVERGING, NULL))
/** Each element is drawn as k * k points; a whole number. */
#define TSR_SCALE(k) (tsr_drawing_make(TSR_DRAWING_SCALE, (k), NULL))
/** A bar of the colours to the right, with numbers. */
#define TSR_COLORBAR (tsr_drawing_make(TSR_DRAWING_COLORBAR, 0, NULL))
/** A line of text above: ASCII. */
#define TSR_TITLE(text) (tsr_drawing_make(TSR_DRAWING_TITLE, 0, (text)))
#define TSR_NO_DRAWING (tsr_drawing_make(TSR_DRAWING_NONE, 0, NULL))

#ifndef __cplusplus
/* One argument as an option, evaluated once. */
#define TSR__DRAWING_OF(x) TSR__DRAWING_AS(TSR__PASTE(tsr_v_, __COUNTER__), x)
#define TSR__DRAWING_AS(v, x) TSR__DRAWING_AS_(v, x)
#define TSR__DRAWING_AS_(v, x)                                                                     \
  __extension__({                                                                                  \
    __auto_type v = (x);                                                                           \
    _Generic(v, tsr_drawing : tsr_drawing_of_option, default : tsr_drawing_of_number)(v);          \
  })
#endif

#ifndef __cplusplus
/** Print x on rank 0's stdout as NumPy's print does: tsr_print(x).
 *
 *  Collective; waits for x. x: any shape and dtype, or a C scalar. Over 1,000 elements only three
 *  at each end of an axis are shown, and only those are read. Floats: the shortest digits that tell
 *  them apart, at most 8 after the point, all of one width. Returns TSR_ERR_HANDLE (silently for
 *  the null handle) and errors of computing x. Opens a statement scope. Source: numpy.array_str
 *  with its default options. */
TSR_API tsr_status tsr_print(tsr_array x);

/** Write x as a PNG picture: tsr_save_png(x, "u.png"), tsr_save_png(x, "u.png", vmin, vmax),
 * tsr_save_png(x, "u.png", TSR_DIVERGING, TSR_COLORBAR, TSR_TITLE("vorticity"), TSR_SCALE(4)).
 *
 *  Collective; waits for x; rank 0 writes. x: numbers, or colours.
 *  - Numbers: two axes, neither empty, any real dtype; row 0 is the top. An axis over 2,048 is
 *    thinned by a stride first, so that a picture of a large array reads little. Each element is
 *    drawn as k * k points, with TSR_SCALE(k); without it the picture of a small array is at least
 *    512 points wide, or some 2,048 high. Colours (TSR_VIRIDIS, TSR_GREY, TSR_DIVERGING) go from
 *    vmin to vmax; values beyond take the last colour. NAN for one of them, the default: the least
 *    or greatest finite pixel; with TSR_DIVERGING both are the greatest magnitude, so that 0 is
 *    grey. NaN is drawn white, in TSR_GREY red.
 *  - Colours: uint8 of shape (h, w, 3), red, green and blue, or (h, w, 4), where the last is how
 *    opaque a point is; one point an element, without TSR_SCALE(k). They have no range, colours or
 *    bar: TSR_ERR_ARGUMENT.
 *  Options stand in any order; three numbers are vmin, vmax and tsr_colours. The file appears whole
 *  or not at all. Returns TSR_ERR_SHAPE, TSR_ERR_ARGUMENT (a path or title that is NULL, a path that
 *  ends in `.jpg` or another kind's letters, unknown colours, an infinite vmin or vmax, a scale that
 *  is no whole number or makes over 16,384 points a side), TSR_ERR_HANDLE; TSR_ERR_IO on every rank if the file cannot be written or the library was
 *  built without libpng. Opens a statement scope. */
TSR_API tsr_status tsr_save_png(tsr_array x, const char *path, tsr_drawing option);

/** What tsr_save_png writes, as an array: tsr_picture(x), tsr_picture(x, TSR_COLORBAR, …): uint8 of
 * shape (h, w, 3), or (h, w, 4) if x is that.
 *
 *  Collective; waits for x. Arguments and errors as of tsr_save_png; it can be written into, put
 *  beside others by tsr_panels, and saved by tsr_save_png. Without the libpng library, too. */
TSR_API tsr_array tsr_picture(tsr_array x, tsr_drawing option);

/** Several pictures as one: tsr_panels(TSR_ARRAYS(a, b, c)) side by side, tsr_panels(arrays,
 * columns) in rows of so many.
 *
 *  Collective. Each is a picture, uint8 of shape (h, w, 3 or 4), or an array of two axes, which is
 *  drawn by tsr_picture first; rows and columns are as high and wide as their largest, 12 points
 *  apart, on white; how opaque a picture is is left out. Returns uint8 of shape (h, w, 3); null on
 *  TSR_ERR_ARGUMENT (no pictures, columns < 0), TSR_ERR_SHAPE, TSR_ERR_HANDLE. */
TSR_API tsr_array tsr_panels(tsr_arrays pictures, int columns);

/** The picture in a PNG file: tsr_load_png("u.png"): uint8 of shape (h, w, 3), or (h, w, 4) if the
 * file says how opaque its points are.
 *
 *  Collective; waits; rank 0 reads. path [in] borrowed, the same on all ranks. Grey, 16-bit and
 *  indexed files are converted. Null on TSR_ERR_IO (not there, malformed, over 16,384 points a
 *  side, a library without libpng), TSR_ERR_MEMORY (no room for the points), TSR_ERR_ARGUMENT
 *  (NULL). */
TSR_API tsr_array tsr_load_png(const char *path);

/** A line on stderr that shows how far a loop is: percent, steps a second, time left:
 * tsr_progress(i + 1, n).
 *
 *  Not collective: rank 0 draws it, only if its stderr is a terminal (under mpirun it is a pipe),
 *  at most ten times a second, and ends it when done reaches total. tsr_printf and tsr_print clear
 *  an open line of a terminal first; other prints follow it. A lesser `done` than that of the call before, or another
 *  total, begins anew. Calls only record what a loop does, so between two reads the line runs
 *  ahead. done > total counts as total; total < 1 draws nothing. Cost: below a microsecond. */
TSR_API void tsr_progress(int64_t done, int64_t total);

#endif

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
namespace tessera {

/* An option, or a number. */
inline tsr_drawing drawing_of(tsr_drawing option)
{
  return option;
}
inline tsr_drawing drawing_of(double number)
{
  return tsr_drawing_of_number(number);
}

} /* namespace tessera */
#endif

#include "tessera/generated/output.h"

#endif
