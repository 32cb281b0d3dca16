/* Devices: memories that arrays live in, each with what computes on it. One table of operations per
 * kind; all that decides what is where, and keeps copies coherent, lies above it.
 *
 *   cpu    the host's own memory; every call is done when it returns
 *   check  a pretend accelerator: memory that the host cannot touch, a queue that runs later, and a
 *          watch on everything that goes through it
 *   null   neither memory nor work: plans alone
 *
 * A device has three queues: one runs kernels, and copies between them; two more only copy, in and
 * out, beside it. What is put into a queue runs in order, after the call has returned; an event is
 * a place in a queue, and another queue can be told to wait for it. Memory of a device has
 * addresses that only its queues may follow: the host computes with them and hands them back. */
#ifndef TSR_DEVICE_H
#define TSR_DEVICE_H

#include "runtime/device/points.h"
#include "runtime/device/traits.h"

typedef struct tsr_device tsr_device;

/** What a kind is like. */
enum {
  TSR_DEVICE_IS_HOST = 1,      /* addresses are the host's, and calls are done when they return */
  TSR_DEVICE_RUNS_C = 2,       /* launch runs C functions */
  TSR_DEVICE_IS_NULL = 4,      /* nothing is stored and nothing runs: no result means anything */
  TSR_DEVICE_IS_TEST = 8,      /* slower than the host: it is there to be used all the same */
  TSR_DEVICE_COPIES_PEERS = 16 /* devices of a process copy between each other */
};

typedef enum tsr_direction {
  TSR_COPY_IN,    /* from the host's memory to the device's */
  TSR_COPY_OUT,   /* from the device's to the host's */
  TSR_COPY_WITHIN /* both the device's */
} tsr_direction;

typedef enum tsr_queue { TSR_QUEUE_RUN, TSR_QUEUE_IN, TSR_QUEUE_OUT, TSR_N_QUEUES } tsr_queue;

/** A place in a device's queue. All zero: a beginning, which is over. */
typedef struct tsr_device_event {
  uint64_t number;
  tsr_queue queue;
} tsr_device_event;

/** Run by TSR_QUEUE_RUN. Its addresses of the device's memory are d->shift_bytes further than those
 * that alloc gave. */
typedef void (*tsr_device_fn)(void *arg, tsr_device *d);

/** Entries may be called by any thread, but open and close; none waits but close and wait. */
typedef struct tsr_device_ops {
  const char *name;
  uint32_t caps;
  const char *about; /* one line for `tessera info` */
  /** (optional) How many of them this node has, numbered from 0. Without the entry: as many as are
   * asked for. */
  int (*count)(void);
  /** number: of the device among those of its kind on this node; several ranks of a node may open
   * the same. limit_bytes: most that alloc hands out; 0: no
   * limit but the kind's own. TSR_ERR_MEMORY with a text if the system refuses. */
  tsr_status (*open)(int number, size_t limit_bytes, tsr_device **out, char *message, size_t size);
  void (*close)(tsr_device *d); /* waits for the queue; NULL is ignored */
  /** 64-byte aligned, contents undefined; NULL over the limit. bytes 0 gives an address, too. */
  void *(*alloc)(tsr_device *d, size_t bytes);
  /** The same bytes. Everything in the queues that uses them must be over. NULL is ignored. */
  void (*free)(tsr_device *d, void *p, size_t bytes);
  /** Memory of the host stays as it is, and is not read, until the copy is over; but of a copy in
   * one of the two other queues only from when that queue is there. */
  void (*copy)(tsr_device *d, tsr_queue queue, tsr_direction direction, const tsr_points *points);
  /** (optional) From the memory of another device of the kind, opened by this process, to d's, by
   * d's queue. What it reads is there when it is asked for, and stays until it is over. With
   * TSR_DEVICE_COPIES_PEERS. */
  void (*copy_peer)(tsr_device *d, tsr_queue queue, tsr_device *from, const tsr_points *points);
  /** fn(arg) by TSR_QUEUE_RUN; `arg` stays until it is over. With TSR_DEVICE_RUNS_C. */
  void (*launch)(tsr_device *d, tsr_device_fn fn, void *arg);
  /** (optional) Does it run kernels like this one? The same answer as long as it is open, and of
   * all devices of a kind: it may decide where a group runs on every rank. Without the entry: all.
   */
  bool (*supports)(const tsr_device *d, const tsr_kernel_traits *kernel);
  /** (optional) By a function that was launched: it is about to use bytes from p on, an address as
   * the host knows it. */
  void (*uses)(tsr_device *d, const void *p, size_t bytes);
  /** The end of what is in a queue now; let what comes into a queue from now on wait for an event;
   * whether an event's queue is there yet; wait until it is. All four, or none: calls are over when
   * they return. */
  tsr_device_event (*record)(tsr_device *d, tsr_queue queue);
  void (*follow)(tsr_device *d, tsr_queue queue, tsr_device_event event);
  bool (*is_over)(tsr_device *d, tsr_device_event event);
  void (*wait)(tsr_device *d, tsr_device_event event);
} tsr_device_ops;

struct tsr_device {
  const tsr_device_ops *ops;
  int number;
  ptrdiff_t shift_bytes;
  tsr_kernel_traits refuses; /* tests: `check` does not support what has any of these. Set, alike on
                                all ranks, before the device is used */
  uint64_t n_strided; /* `check`: copies to or from other memory of points that are not one run in
                         both; atomic */
  tsr_status status;  /* the first failure, atomic; the device does nothing after it */
  char message[400];  /* its text: set before status */
};

extern const tsr_device_ops tsr__device_cpu, tsr__device_check, tsr__device_null;

/** The i-th kind that this build has; NULL behind the last. */
const tsr_device_ops *tsr__device_kind(int i);
/** NULL if there is none of that name. */
const tsr_device_ops *tsr__device_find(const char *name);
/** TSR_ERR_CONFIG, with a text that names the kinds there are, for a name that is none. */
tsr_status tsr__device_open(const char *name, int number, size_t limit_bytes, tsr_device **out,
                            char *message, size_t size);
void tsr__device_close(tsr_device *d); /* NULL is ignored */
tsr_device_event tsr__device_record(tsr_device *d, tsr_queue queue);
void tsr__device_follow(tsr_device *d, tsr_queue queue, tsr_device_event event);
bool tsr__device_is_over(tsr_device *d, tsr_device_event event);
/** May kernels like this one be launched? What asks has to run others on the host. */
bool tsr__device_supports(const tsr_device *d, const tsr_kernel_traits *kernel);
void tsr__device_uses(tsr_device *d, const void *p, size_t bytes);
/** Wait for all that is in the queues; what has failed, if anything has. */
tsr_status tsr__device_sync(tsr_device *d);
/** A copy, waited for. */
tsr_status tsr__device_copy(tsr_device *d, tsr_direction direction, const tsr_points *points);
/** The device's first failure. For the kinds. */
void tsr__device_fail(tsr_device *d, tsr_status status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
tsr_status tsr__device_status(const tsr_device *d);

/* Who has which (device_share.c). */

enum { TSR_MAX_PLACES = 16, TSR_MAX_NODE_DEVICES = 64 };

/** Devices of a node, as TESSERA_DEVICES lists them. */
typedef struct tsr_device_list {
  int n; /* 0: all that there are */
  int number[TSR_MAX_NODE_DEVICES];
} tsr_device_list;
/** "4" (0 to 3), "0,2,3", "2," (that one), "" (all). False if the text is none of these; then byte
 * *at is the first wrong one, and *why (static) goes on after "byte 2 ". */
bool tsr__device_list_read(const char *text, tsr_device_list *list, size_t *at, const char **why);

/** What a rank has of its node's devices. */
typedef struct tsr_device_share {
  int n_places;
  int number[TSR_MAX_PLACES]; /* of each place's device. Parts of the host's memory have one */
  int n_sharers;              /* ranks of the node that have the same device, 1 if none does */
  int n_devices;              /* of the node; 0: as many as are asked for */
} tsr_device_share;
/** devices: TESSERA_DEVICES. n_asked: TESSERA_PLACES, 0 for as many as the rank has devices.
 * TSR_ERR_CONFIG, with a text that names the settings, if there are fewer devices than they need.
 */
tsr_status tsr__device_share_of(const tsr_device_ops *kind, const char *devices, int n_asked,
                                int node_rank, int node_size, tsr_device_share *out, char *message,
                                size_t size);

#endif
