/* Arrays in files: NumPy's .npy, and time series for ParaView. Every rank writes and reads its own
 * tile; no array is gathered. The ranks share a file system. */
#ifndef TESSERA_FILES_H
#define TESSERA_FILES_H

#include "tessera/base.h"
#include "tessera/lifetime.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A time series being written. */
typedef struct tsr_xdmf tsr_xdmf;

/** One number for each axis: TSR_POINT(y, x). */
typedef struct tsr_point {
  int n;
  double x[TSR_MAX_NDIM];
} tsr_point;
#ifndef __cplusplus
#define TSR_POINT(...) ((tsr_point){.n = TSR__NDIM(TSR__COUNT(__VA_ARGS__)), .x = {__VA_ARGS__}})
#endif

#ifndef __cplusplus
/** Write x as a .npy file, the bytes that numpy.save writes of a row-major array:
 * tsr_save_npy(x, path).
 *
 *  Collective; waits for x. x: any shape and dtype, any view, or a C scalar. path [in] borrowed,
 *  the same on all ranks. The file appears whole: it is written beside `path`, put on the disk, and
 *  renamed; after an error what was there before still is. A symbolic link is followed. Returns
 *  TSR_ERR_IO on every rank, with the system's reason, if a rank cannot write; TSR_ERR_ARGUMENT (a
 *  path that is NULL or empty), TSR_ERR_HANDLE, errors of computing x. Opens a statement scope.
 *  Cost: each rank writes its tile, row by row where it is narrower than the array; a view that
 *  repeats elements is copied first. Source: numpy.save. */
TSR_API tsr_status tsr_save_npy(tsr_array x, const char *path);

/** The array in a .npy file: tsr_load_npy(path).
 *
 *  Collective; waits. path [in] borrowed; every rank opens its own. Versions 1.0 to 3.0 of the
 *  format, either byte order, row- or column-major (then the result is a transposed view of what is
 *  stored), at most 8 axes. Bytes of a bool other than 0 are true. Bytes behind the data are
 *  ignored. Returns an array owned by the current scope; null on TSR_ERR_IO (not there, malformed
 *  or short: the text has the byte and the reason), TSR_ERR_DTYPE (records, text, dates …),
 *  TSR_ERR_MEMORY, TSR_ERR_ARGUMENT (NULL). Cost: each rank reads its tile. Source: numpy.load. */
TSR_API tsr_array tsr_load_npy(const char *path);

/** Begin a time series that ParaView opens: tsr_xdmf_open("heat.xdmf").
 *
 *  Collective. path [in] borrowed, the same on all ranks; an index of that name is replaced.
 *  Returns a series to be closed before tsr_finalize; NULL on TSR_ERR_IO, TSR_ERR_ARGUMENT (NULL,
 *  empty, or an open series writes the same files, whatever links lead to them). */
TSR_API tsr_xdmf *tsr_xdmf_open(const char *path);
/** Say where the fields of the steps that follow lie: tsr_xdmf_grid(series, TSR_POINT(y0, x0),
 * TSR_POINT(dy, dx)).
 *
 *  Collective. Of each axis, as the fields have them, the place of its first point and the distance
 *  between two: 0 and 1 without this call. From then on fields of another number of axes are
 *  TSR_ERR_SHAPE. Returns TSR_ERR_ARGUMENT (not 1 to 3 axes, or not as many in both, a number that
 *  is not finite, a distance that is not positive), TSR_ERR_HANDLE (silently for a NULL series). */
TSR_API tsr_status tsr_xdmf_grid(tsr_xdmf *series, tsr_point origin, tsr_point spacing);
/** Write a field of a step: tsr_xdmf_write(series, time, "u", u).
 *
 *  Collective; waits for x. Fields of equal `time`, written one after the other, are one step;
 *  times ascend. x: 1 to 3 axes, none empty, the last along ParaView's x; fields of a step have one
 *  shape; bool, integers but uint64 (ParaView reads those as two halves), float32 and float64.
 *  name: letters, digits, '_', '-', '.'. The data goes to <stem>_<name>_<step>.raw, the stem being
 *  the path without .xdmf, dense and row-major, each rank its own tile; the index is a whole
 *  document after each call. Returns TSR_ERR_ARGUMENT (name, time, or another open series writes
 *  that file), TSR_ERR_SHAPE, TSR_ERR_DTYPE, TSR_ERR_IO (then the step lacks this field),
 *  TSR_ERR_HANDLE (silently for a NULL series). Opens a statement scope. Source: xdmf.org, XDMF 3,
 *  Format="Binary". */
TSR_API tsr_status tsr_xdmf_write(tsr_xdmf *series, double time, const char *name, tsr_array x);
/** End *series and write NULL; NULL is ignored. Collective. TSR_ERR_IO. */
TSR_API tsr_status tsr_xdmf_close(tsr_xdmf **series);

#endif

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
namespace tessera {

template <class... T> tsr_point point_of(T... x)
{
  static_assert(sizeof...(T) <= TSR_MAX_NDIM, "TSR_POINT: too many axes");
  return tsr_point{static_cast<int>(sizeof...(T)), {static_cast<double>(x)...}};
}

} /* namespace tessera */
#define TSR_POINT(...) (::tessera::point_of(__VA_ARGS__))
#endif

#include "tessera/generated/files.h"

#endif
