/* Reductions by launches: a box of a kernel's domain goes up the trees of what the kernel reduces,
 * several levels a launch, until so few nodes are left that the host takes them. */
#ifndef TSR_CUDA_REDUCE_H
#define TSR_CUDA_REDUCE_H

#include "kernel/cuda/launch.h"

/** As many nodes, or results, the host combines as fast as another launch would. */
enum { TSR_CUDA_FEW_NODES = 1 << 10 };

/** Nodes that are left, in memory of the device: a box in node coordinates. */
typedef struct tsr_cuda_nodes {
  int reduction; /* number of `taken` */
  int level;
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM];
  const char *values, *indices; /* the first node's; indices: of argmin and argmax, else NULL */
  int64_t step[TSR_MAX_NDIM];   /* from node to node along the axes, in elements */
} tsr_cuda_nodes;

/** What runs the launches. Entries are called in the order in which the device is to work. */
typedef struct tsr_cuda_reducer {
  void *arg;
  /** Returns memory of the device for what lies between two launches, which stays until all of them
   * are over, or for the roots of a reduction that goes to_roots. NULL: there is none. */
  void *(*alloc)(void *arg, size_t bytes, bool is_root);
  /** Launches. Returns false if it cannot. */
  bool (*launch)(void *arg, const tsr_kernel *k, const tsr_cuda_launch *launch);
  /** Takes nodes from the device as they are after the last launch. */
  void (*take)(void *arg, const tsr_cuda_nodes *nodes);
  /** Returns tsr__cuda_node_kernel of these; borrowed. */
  const tsr_kernel *(*node_kernel)(void *arg, int ndim, tsr_dtype dtype, bool has_index);
} tsr_cuda_reducer;

/** Makes the kernel that reads nodes along so many axes: values of a dtype, and indices if there
 * are some. Owned by the caller. */
tsr_kernel *tsr__cuda_node_kernel(int ndim, tsr_dtype dtype, bool has_index);

/** A kernel's reductions over a box, each up its own tree, whose domain is the kernel's. Where
 * there are several trees, the values of all but the first one's are kept for further launches. */
typedef struct tsr_cuda_reduction {
  const tsr_kernel *kernel;
  const tsr_kernel_bind *bind;
  int n;
  tsr_cuda_taken taken[TSR_CUDA_MOST_TAKEN];  /* index: TSR_CUDA_FLAT */
  const tsr_tree *trees[TSR_CUDA_MOST_TAKEN]; /* borrowed */
  const tsr_cuda_step_tuning *tuning;         /* NULL: tsr__cuda_step_tuning */
  bool to_roots; /* not even few nodes are left to the host, if the box is the whole domain */
} tsr_cuda_reduction;
/** Reduces. Returns false if the first launch was refused, with nothing done (so it is for a domain
 * without axes), or true with *broken if a later one was: then what the kernel stores is stored,
 * and nodes are missing. */
bool tsr__cuda_reduce(const tsr_cuda_reduction *what, const tsr_cuda_reducer *reducer,
                      bool *broken);

#endif
