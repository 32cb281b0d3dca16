/* DLPack: a tensor in memory that several packages know, for handing elements over in a process.
 *
 * These are the structs of the DLPack specification, version 1.0 (https://dmlc.github.io/dlpack,
 * "C API"), under names of our own, so that DLPack's header may stand beside this one: a pointer to
 * a tsr_dlpack is one to a DLManagedTensorVersioned. Whoever takes such a tensor over checks
 * version.major, and calls `deleter` when it has no more use for the elements. */
#ifndef TESSERA_DLPACK_H
#define TESSERA_DLPACK_H

#include "tessera/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the specification that tensors of Tessera follow. */
#define TSR_DLPACK_MAJOR 1
#define TSR_DLPACK_MINOR 0

/** Values of tsr_dlpack_device.type (DLDeviceType) that Tessera writes and reads. */
enum { TSR_DLPACK_CPU = 1 };
/** Values of tsr_dlpack_dtype.code (DLDataTypeCode). */
enum {
  TSR_DLPACK_INT = 0,
  TSR_DLPACK_UINT = 1,
  TSR_DLPACK_FLOAT = 2,
  TSR_DLPACK_COMPLEX = 5,
  TSR_DLPACK_BOOL = 6
};
/** Bits of tsr_dlpack.flags. */
#define TSR_DLPACK_READ_ONLY ((uint64_t)1)
#define TSR_DLPACK_IS_COPIED ((uint64_t)2) /* the elements are nobody else's */

/** DLDevice. */
typedef struct tsr_dlpack_device {
  int32_t type; /* TSR_DLPACK_CPU */
  int32_t id;
} tsr_dlpack_device;

/** DLDataType. */
typedef struct tsr_dlpack_dtype {
  uint8_t code, bits; /* TSR_DLPACK_…; bits of one element, both parts of a complex number */
  uint16_t lanes;     /* 1: no vectors */
} tsr_dlpack_dtype;

/** DLTensor. */
typedef struct tsr_dlpack_tensor {
  void *data;
  tsr_dlpack_device device;
  int32_t ndim;
  tsr_dlpack_dtype dtype;
  int64_t *shape;
  int64_t *strides;     /* in elements; NULL: dense row-major */
  uint64_t byte_offset; /* from `data` to the first element */
} tsr_dlpack_tensor;

/** DLPackVersion. */
typedef struct tsr_dlpack_version {
  uint32_t major, minor;
} tsr_dlpack_version;

/** DLManagedTensorVersioned. */
typedef struct tsr_dlpack {
  tsr_dlpack_version version;
  void *manager_ctx;                        /* of who made the tensor */
  void (*deleter)(struct tsr_dlpack *self); /* frees the elements and the struct; may be NULL */
  uint64_t flags;                           /* TSR_DLPACK_READ_ONLY, TSR_DLPACK_IS_COPIED */
  tsr_dlpack_tensor tensor;
} tsr_dlpack;

#ifdef __cplusplus
}
#endif
#endif
