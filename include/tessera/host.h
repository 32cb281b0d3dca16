/* Elements that the program has: taken into arrays, and given back, on one rank or on all.
 *
 * The options of these calls stand last, in any order: TSR_ON(rank), TSR_STRIDES(…),
 * TSR_COLUMN_MAJOR, TSR_LENT(release, arg). An option that a call does not take, one that is given
 * twice, and strides beside TSR_COLUMN_MAJOR are TSR_ERR_ARGUMENT, and the text names those that it
 * takes. */
#ifndef TESSERA_HOST_H
#define TESSERA_HOST_H

#include "tessera/base.h"
#include "tessera/dlpack.h"
#include "tessera/lifetime.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An option of a call of this header. */
typedef struct tsr_host_option {
  int kind;              /* TSR_HOST_… */
  int rank;              /* of TSR_ON */
  tsr_dims stride_bytes; /* of TSR_STRIDES */
  void (*release)(void *arg);
  void *arg; /* of TSR_LENT */
} tsr_host_option;
enum {
  TSR_HOST_NONE = 0,
  TSR_HOST_ON = 1,
  TSR_HOST_STRIDES = 2,
  TSR_HOST_COLUMN_MAJOR = 3,
  TSR_HOST_LENT = 4
};

/* What the macros of options make of their arguments. */
static inline tsr_host_option tsr_host_option_make(int kind, int rank, tsr_dims strides,
                                                   void (*release)(void *arg), void *arg)
{
  tsr_host_option option;
  option.kind = kind;
  option.rank = rank;
  option.stride_bytes = strides;
  option.release = release;
  option.arg = arg;
  return option;
}

/** The rank whose buffer it is; other ranks may give NULL. The same number on every rank. */
#define TSR_ON(rank) (tsr_host_option_make(TSR_HOST_ON, (rank), TSR_SHAPE(), NULL, NULL))
/** Bytes from one element to the next along each axis, one number for each, of any sign:
 * TSR_STRIDES(120 * sizeof(double), sizeof(double)). The buffer's address is that of the element
 * with all indices 0. Each rank may have its own. */
#define TSR_STRIDES(...)                                                                           \
  (tsr_host_option_make(TSR_HOST_STRIDES, 0, TSR_SHAPE(__VA_ARGS__), NULL, NULL))
/** Dense, the first index runs fastest, as in Fortran, MATLAB and BLAS; NumPy's order="F". */
#define TSR_COLUMN_MAJOR (tsr_host_option_make(TSR_HOST_COLUMN_MAJOR, 0, TSR_SHAPE(), NULL, NULL))
/** The memory is the library's, also to write to, until it calls release(arg), once, on this rank
 * and in this rank's thread, also where the call fails. release makes no call of this library. */
#define TSR_LENT(release, arg)                                                                     \
  (tsr_host_option_make(TSR_HOST_LENT, 0, TSR_SHAPE(), (release), (arg)))
#define TSR_NO_HOST_OPTION (tsr_host_option_make(TSR_HOST_NONE, 0, TSR_SHAPE(), NULL, NULL))

/** A box of an array in the program's memory, for tsr_from_tiles. */
typedef struct tsr_host_tile {
  int64_t lo[TSR_MAX_NDIM];           /* first index of each axis, counted in the whole array */
  int64_t n[TSR_MAX_NDIM];            /* lengths; a tile with a 0 among them is ignored */
  int64_t stride_bytes[TSR_MAX_NDIM]; /* of any sign; all 0: dense row-major */
  const void *data;                   /* borrowed: the element at `lo` */
} tsr_host_tile;

/** What is known of an array at this moment (tsr_facts_of). */
typedef struct tsr_facts {
  tsr_dims shape;
  tsr_dtype dtype;
  int64_t n_bytes;    /* of all its elements */
  bool is_view;       /* its elements are some of another array's, or lie in another order */
  bool is_stored;     /* it has memory; false: deferred, computed when it is needed, or empty */
  bool is_lost;       /* its value was lost to an earlier failure */
  int64_t n_waiting;  /* recorded operations that will write it */
  bool is_replicated; /* every rank has all of it */
  tsr_dims n_tiles;   /* into which the array that holds the elements is cut, along each axis */
  tsr_location made;  /* the call that made it */
  /* What follows concerns this rank. */
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM]; /* its part, as in tsr_local; lengths 0: it has none */
  int64_t n_bytes_here;
  int64_t n_bytes_on_host; /* of these: in the host's memory, or in files, beside a device */
  char device[16];         /* kind of the devices that have the part: "cpu" is the host's memory */
  int64_t reserved[4];     /* 0: later versions tell more here, and the size stays */
} tsr_facts;

#ifndef __cplusplus
/** Rank 0's dense row-major `data` as an array: tsr_from_host(data, dtype, shape),
 * tsr_from_host(data, dtype, shape, TSR_ON(2), TSR_COLUMN_MAJOR).
 *
 *  Collective; other ranks' `data` is not read. Options: TSR_ON, TSR_STRIDES (a stride of 0 repeats
 *  an element), TSR_COLUMN_MAJOR. The data is copied before the call returns. TSR_ERR_ARGUMENT:
 *  NULL on the rank whose data it is, no such rank, an option; as tsr_empty otherwise. */
TSR_API tsr_array tsr_from_host(const void *data, tsr_dtype dtype, tsr_dims shape,
                                tsr_host_option option);

/** What an MPI program has already, as one array: tsr_from_tiles(n, tiles, dtype, shape).
 *
 *  Collective. n: this rank's tiles, any number of boxes anywhere in the array, different on each
 *  rank; tiles [in] borrowed. All ranks' boxes together hold every element once; else
 *  TSR_ERR_SHAPE, which names the first element that is in none, or two boxes that overlap, and
 *  their ranks. The elements are copied before the call returns, since arrays lie aligned and with
 *  room for halos: what the program's memory holds later is its own affair, unless it is lent.
 *  Nothing is sent where every rank has one box of a grid, none much larger than its share, and
 *  there is one place a rank: the array is then cut as the program's is. Otherwise it is cut as a
 *  fresh array, and what lies elsewhere is sent. TSR_LENT(release, arg): memory that lies as a tile
 *  would is this rank's part of the array, without a copy: the rank's only tile that is not empty,
 *  which the array's cut has, on a rank of one place in the host's memory; dense row-major, from a
 *  multiple of 64 bytes on, of one axis, or with rows of less than 768 bytes (ALIGN_ROWS). The
 *  array may be written there. release is called when the array no longer needs that memory: it is
 *  released, or its values are elsewhere, with a halo, or in a file. Any other memory is copied,
 *  and release is called before the call returns. Other errors as of tsr_empty; TSR_ERR_ARGUMENT: a
 *  tile that does not lie in the array, or has no data. Cost: a message of all boxes between all
 *  ranks; waits. */
TSR_API tsr_array tsr_from_tiles(int n, const tsr_host_tile *tiles, tsr_dtype dtype, tsr_dims shape,
                                 tsr_host_option option);

/** A tensor of DLPack in the host's memory, as an array: tsr_from_dlpack(tensor).
 *
 *  Collective; on several ranks each gives a tensor of the same shape and dtype, and rank 0's
 *  elements count. The elements are copied, and the tensor's deleter has been called when the call
 *  returns, also where it fails. Null on TSR_ERR_ARGUMENT (NULL, another major version, memory of a
 *  device), TSR_ERR_DTYPE, and as tsr_from_host. Source: DLPack 1.0. */
TSR_API tsr_array tsr_from_dlpack(tsr_dlpack *tensor);

/** All elements of x: tsr_to_host(x, buffer) to every rank, tsr_to_host(x, buffer, TSR_ON(0)) to
 * one, tsr_to_host(x, buffer, TSR_STRIDES(8, 800)), tsr_to_host(x, buffer, TSR_COLUMN_MAJOR).
 *
 *  Collective; waits. buffer [out] borrowed: tsr_size(x) elements of x's dtype, dense row-major
 *  unless an option says otherwise; what lies between its elements stays as it is. With
 *  TSR_ON(rank) only that rank needs one, others may give NULL, and no other rank gets the
 *  elements: each rank sends what it has. TSR_ERR_ARGUMENT: NULL, no such rank, an option, strides
 *  by which elements would lie on each other. Other errors as of tsr_item_f64; the buffer is then
 *  undefined. */
TSR_API tsr_status tsr_to_host(tsr_array x, void *buffer, tsr_host_option option);

/** x for other packages, as a tensor of DLPack in the host's memory: tsr_to_dlpack(x, &tensor).
 *
 *  Of one rank: on several no rank has all elements, which is TSR_ERR_ARGUMENT and names tsr_local
 *  and tsr_to_host. Waits. out [out] a tensor of dense row-major elements, a copy that is the
 *  taker's to write (TSR_DLPACK_IS_COPIED) and to end: (*out)->deleter(*out), in any thread; NULL
 *  on errors, those of tsr_to_host. Source: DLPack 1.0. */
TSR_API tsr_status tsr_to_dlpack(tsr_array x, tsr_dlpack **out);

/** What is known of x at this moment, as numbers. Not collective; computes nothing, ends no window.
 * Zeros for the null handle and on TSR_ERR_HANDLE. */
TSR_API tsr_facts tsr_facts_of(tsr_array x);
/** The same as up to five lines of text: shape, dtype, bytes and the line that made it; what it is
 * a view of; stored or deferred, how it is cut and on which ranks; which scope owns it; and what
 * this rank has, on which device. Only the last line differs between ranks.
 *
 *  Not collective; computes nothing, ends no window. text [out] at most `size` bytes with the
 *  terminator. TSR_ERR_HANDLE, TSR_ERR_ARGUMENT (text NULL). */
TSR_API tsr_status tsr_describe(tsr_array x, char *text, size_t size);
#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/host.h"

#endif
