/* The few types that every part of Tessera speaks: status codes, dtypes, call-site records,
 * handles. */
#ifndef TESSERA_BASE_H
#define TESSERA_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(TSR_BUILDING_LIBRARY)
#define TSR_API __attribute__((visibility("default")))
#else
#define TSR_API
#endif

/** The most axes an array can have. */
#define TSR_MAX_NDIM 8

/** Result of a fallible call: 0, or one of the negative codes. `tessera explain TSRnnnn` shows
 * each. */
typedef int tsr_status;
enum {
  TSR_OK = 0,
  TSR_ERR_ARGUMENT = -101,  /* TSR0101 an argument outside what the call accepts */
  TSR_ERR_HANDLE = -102,    /* TSR0102 a released, never made or foreign handle */
  TSR_ERR_SCOPE = -103,     /* TSR0103 scopes opened and closed out of order */
  TSR_ERR_DTYPE = -201,     /* TSR0201 a dtype that the operation does not take */
  TSR_ERR_CAST = -202,      /* TSR0202 an assignment that would lose kind (float into int) */
  TSR_ERR_BROADCAST = -203, /* TSR0203 shapes that do not broadcast */
  TSR_ERR_SHAPE = -204,     /* TSR0204 a shape or a number of axes that does not fit */
  TSR_ERR_AXIS = -205,      /* TSR0205 an axis out of range or named twice */
  TSR_ERR_INDEX = -206,     /* TSR0206 an index out of range */
  TSR_ERR_READONLY = -207,  /* TSR0207 a write to a view that repeats, or a copy for one */
  TSR_ERR_SYNTAX = -301,    /* TSR0301 text (slice or expression) that does not parse */
  TSR_ERR_NAME = -302,      /* TSR0302 an unknown or unused name in a text expression */
  TSR_ERR_SIZE = -401,      /* TSR0401 a size that overflows or that no machine has */
  TSR_ERR_MEMORY = -402,    /* TSR0402 out of memory, or over the agreed limit */
  TSR_ERR_CONFIG = -501,    /* TSR0501 an unknown setting or a value that it does not take */
  TSR_ERR_IO = -502,        /* TSR0502 a file that cannot be read or written */
  TSR_ERR_DEVICE = -503,    /* TSR0503 a device failed, and runs nothing any more */
  TSR_ERR_MPI = -601,       /* TSR0601 the MPI library reported an error, or is another one */
  TSR_ERR_DIVERGED = -602,  /* TSR0602 the ranks did not make the same calls */
  TSR_ERR_PEER = -603,      /* TSR0603 another rank failed; its error is in the text */
  TSR_ERR_TASK = -701,      /* TSR0701 the C function of a user's task reported a failure */
  TSR_ERR_INTERNAL = -901   /* TSR0901 a defect of Tessera */
};

/** Element types. Values are stable: they appear in messages between ranks and in files. */
typedef enum tsr_dtype {
  TSR_DTYPE_BOOL = 0,
  TSR_DTYPE_INT32 = 1,
  TSR_DTYPE_INT64 = 2,
  TSR_DTYPE_FLOAT32 = 3,
  TSR_DTYPE_FLOAT64 = 4,
  TSR_DTYPE_INT8 = 5,
  TSR_DTYPE_INT16 = 6,
  TSR_DTYPE_UINT8 = 7,
  TSR_DTYPE_UINT16 = 8,
  TSR_DTYPE_UINT32 = 9,
  TSR_DTYPE_UINT64 = 10,
  TSR_DTYPE_FLOAT16 = 11,    /* stored in 16 bits, computed in float32 */
  TSR_DTYPE_COMPLEX64 = 12,  /* two float32: real, imaginary */
  TSR_DTYPE_COMPLEX128 = 13, /* two float64 */
  TSR_N_DTYPES = 14
} tsr_dtype;
#define TSR_BOOL TSR_DTYPE_BOOL
#define TSR_INT32 TSR_DTYPE_INT32
#define TSR_INT64 TSR_DTYPE_INT64
#define TSR_FLOAT32 TSR_DTYPE_FLOAT32
#define TSR_FLOAT64 TSR_DTYPE_FLOAT64
#define TSR_INT8 TSR_DTYPE_INT8
#define TSR_INT16 TSR_DTYPE_INT16
#define TSR_UINT8 TSR_DTYPE_UINT8
#define TSR_UINT16 TSR_DTYPE_UINT16
#define TSR_UINT32 TSR_DTYPE_UINT32
#define TSR_UINT64 TSR_DTYPE_UINT64
#define TSR_FLOAT16 TSR_DTYPE_FLOAT16
#define TSR_COMPLEX64 TSR_DTYPE_COMPLEX64
#define TSR_COMPLEX128 TSR_DTYPE_COMPLEX128

/** How much a cast may lose, as numpy.can_cast's `casting`. */
typedef enum tsr_casting {
  TSR_CASTING_NO,        /* the same dtype */
  TSR_CASTING_EQUIV,     /* the same, too: there is one byte order */
  TSR_CASTING_SAFE,      /* every value is kept (64-bit integers as float64 count as that) */
  TSR_CASTING_SAME_KIND, /* safe, or not down in bool, unsigned, integer, float, complex */
  TSR_CASTING_UNSAFE     /* anything */
} tsr_casting;

/** One static record per call site. Errors, profiles and dumps quote it; nothing decides by it. All
 * strings are static. `args` is the source text of the call's arguments. */
typedef struct tsr_location {
  const char *file;
  const char *function;
  int line;
  const char *op;   /* the public name, "tsr_add" */
  const char *args; /* "" where unknown */
} tsr_location;

/** An array: the number of its handle in the low 32 bits, the generation in the high 32. Number 0
 * is no array: a null handle. Its high bits say where it comes from: 0 from no call (a variable
 * that was never given a value), others from tsr_null(), from a call that failed, or from
 * tsr_release. */
typedef struct tsr_array {
  uint64_t id;
} tsr_array;

/** One rank's world; the calling thread has a current one. */
typedef struct tsr_context tsr_context;

/** What the ranks of one process share: cores, workers, memory, MPI. */
typedef struct tsr_machine tsr_machine;

#ifdef __cplusplus
}
#endif
#endif
