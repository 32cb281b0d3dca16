/* Devices: memories that arrays live in, each with what computes on it. Each kind is one table of
 * operations. Everything that decides what is where, and keeps copies coherent, lies above it.
 *
 *   cpu    the host's own memory; every call is done when it returns
 *   cuda   an NVIDIA device, by its driver
 *   check  a pretend accelerator: memory that the host cannot touch, queues that run later, and a
 *          watch on everything that goes through them
 *   null   neither memory nor work: plans alone
 *
 * A device has three queues: one runs kernels and copies between devices; two more only copy, in
 * and out, beside it. What is put into a queue runs in order, after the call has returned. An event
 * is a position in a queue, and another queue can be told to wait for it. A link
 * (link.h) adds a queue for what waits for other ranks. Only the queues may follow addresses of a
 * device's memory: the host computes with them and hands them back. */
#ifndef TSR_DEVICE_H
#define TSR_DEVICE_H

#include "runtime/base/blas_matrix.h"
#include "runtime/device/pins.h"
#include "runtime/device/points.h"
#include "runtime/device/traits.h"

typedef struct tsr_device tsr_device;

/** What devices of a kind can do. */
enum {
  TSR_DEVICE_IS_HOST = 1, /* addresses are the host's, and calls are done when they return */
  TSR_DEVICE_RUNS_C = 2,  /* launch runs C functions; else the device runs code of load alone */
  TSR_DEVICE_IS_NULL = 4, /* nothing is stored and nothing runs: no result means anything */
  TSR_DEVICE_IS_TEST = 8, /* slower than the host, and used all the same */
  TSR_DEVICE_COPIES_PEERS = 16 /* devices of one process copy between each other */
};

typedef enum tsr_direction {
  TSR_COPY_IN,    /* from the host's memory to the device's */
  TSR_COPY_OUT,   /* from the device's to the host's */
  TSR_COPY_WITHIN /* both are memory of devices */
} tsr_direction;

typedef enum tsr_queue {
  TSR_QUEUE_RUN,
  TSR_QUEUE_IN,
  TSR_QUEUE_OUT,
  TSR_N_QUEUES, /* of every device */
  /* What a link does. It waits for other ranks, so no call but the link's own waits for it. */
  TSR_QUEUE_LINK = TSR_N_QUEUES,
  TSR_N_QUEUES_LINKED
} tsr_queue;

/** A position in a device's queue. All fields zero: the queue's beginning, which is over. */
typedef struct tsr_device_event {
  uint64_t number;
  tsr_queue queue;
} tsr_device_event;

/** A function that TSR_QUEUE_RUN runs. In it, addresses of the device's memory are d->shift_bytes
 * further than those that alloc gave. */
typedef void (*tsr_device_fn)(void *arg, tsr_device *d);

/** A kernel that runs on a grid of blocks of `threads` threads each. */
typedef struct tsr_code_launch {
  void *code; /* of load */
  uint32_t grid[2], threads;
  int n_words;
  const int64_t *words;  /* its argument block; addresses among them are those that alloc gave */
  uint32_t shared_bytes; /* of shared memory, beside what the code has by itself */
} tsr_code_launch;

/** Any thread may call the entries but open and close. None of them waits but close and wait. */
typedef struct tsr_device_ops {
  const char *name;
  uint32_t caps;
  const char *about; /* one line for `tessera info` */
  /** (optional) How many devices of the kind this node has; they are numbered from 0. 0: none, with
   * the reason in `why`. Without the entry there are as many as are asked for. */
  int (*count)(char *why, size_t size);
  /** (optional) Bytes of a device's memory that arrays may take, of all who share it; 0:
   * unknown. */
  size_t (*memory)(int number);
  /** Open a device. number: among those of its kind on this node; several ranks of a node may open
   * the same one. limit_bytes: the most that alloc hands out; 0: the kind's own limit.
   * TSR_ERR_MEMORY with a text if the system refuses. */
  tsr_status (*open)(int number, size_t limit_bytes, tsr_device **out, char *message, size_t size);
  /** (optional) Make ready at once what the first use of the device would, once. TSR_ERR_MEMORY
   * with a text if the system refuses: the device is as it was. At the first use that is its
   * failure. */
  tsr_status (*start)(tsr_device *d, char *message, size_t size);
  /** (optional) Is there on this machine what compiles its kernels? If not, `why` says so. */
  bool (*has_compiler)(char *why, size_t size);
  void (*close)(tsr_device *d); /* waits for the queues; NULL is ignored */
  /** A block, 64-byte aligned, contents undefined; NULL over the limit. bytes 0 gives one, too. */
  void *(*alloc)(tsr_device *d, size_t bytes);
  /** Free a block. bytes: as given to alloc. What is in TSR_QUEUE_RUN may still use the block; in
   * the other queues everything that does is over. alloc may give the memory out again at once: who
   * has it then uses it in TSR_QUEUE_RUN, or behind what is in there now. NULL is ignored. */
  void (*free)(tsr_device *d, void *p, size_t bytes);
  /** Copy points, in one of the queues. The host neither changes what a copy reads nor reads what
   * it writes until the copy is over; for TSR_QUEUE_IN and TSR_QUEUE_OUT that holds only from when
   * the queue has come to the copy. */
  void (*copy)(tsr_device *d, tsr_queue queue, tsr_direction direction, const tsr_points *points);
  /** (optional) Copy points from the memory of another device of the kind, which this process
   * opened, to memory of d, by d's queue. What the copy reads is complete when the copy is asked
   * for, and stays until it is over. Devices with TSR_DEVICE_COPIES_PEERS have it. */
  void (*copy_peer)(tsr_device *d, tsr_queue queue, tsr_device *from, const tsr_points *points);
  /** (optional, both or none) Pin a range of whole pages of the host's memory for all devices of
   * the kind in this process, or unpin it. pin returns false, with the reason in `why`, where the
   * system or the driver refuses it: no failure. No copy may be under way when a range is
   * unpinned. */
  bool (*pin)(tsr_device *d, void *at, size_t bytes, char *why, size_t size);
  void (*unpin)(tsr_device *d, void *at);
  /** Let TSR_QUEUE_RUN call fn(arg), which stays until that is over. With TSR_DEVICE_RUNS_C. */
  void (*launch)(tsr_device *d, tsr_device_fn fn, void *arg);
  /** (kinds without TSR_DEVICE_RUNS_C, and `check`) Make the kernel `name` of an image of machine
   * code ready, whose launches ask for up to shared_bytes of shared memory. Returns NULL, with the
   * reason in message, if the device refuses it. The code stays until the device is closed. The
   * image is loaded once however many of its kernels are asked for; it stays the caller's, who
   * keeps it at its address for as long as the device is open. */
  void *(*load)(tsr_device *d, const void *image, size_t bytes, const char *name,
                uint32_t shared_bytes, char *message, size_t size);
  /** (with load) Let TSR_QUEUE_RUN run code. The words are copied before the call returns. */
  void (*launch_code)(tsr_device *d, const tsr_code_launch *launch);
  /** (optional, all or none; with load) Graphs: launches that TSR_QUEUE_RUN makes one after the
   * other, in one call, again and again. make returns NULL if the device makes none of them. set
   * says what the launch number `at`, of the same code, is from the next put on; false: the graph
   * is not to be put any more. A graph is freed before the device is closed. */
  void *(*graph_make)(tsr_device *d, const tsr_code_launch *launches, int n);
  bool (*graph_set)(tsr_device *d, void *graph, int at, const tsr_code_launch *launch);
  void (*graph_put)(tsr_device *d, void *graph);
  void (*graph_free)(tsr_device *d, void *graph);
  /** (optional, both or none) Is there on this machine a library of matrix products for devices of
   * the kind? multiply lets TSR_QUEUE_RUN compute one by it. It returns false, with nothing done and
   * the reason in `why`, where the library refuses it. */
  bool (*has_blas)(char *why, size_t size);
  bool (*multiply)(tsr_device *d, const tsr_blas_product *product, char *why, size_t size);
  /** (with load) What images are made for: "sm_90" by NVRTC; "c" by the system's C compiler. The
   * string stays until the device is closed. */
  const char *(*architecture)(const tsr_device *d);
  /** (optional) Does the device run kernels like this one? The answer stays the same while the
   * device is open, and is that of all devices of a kind, since it may decide where a group runs on
   * every rank. Without the entry a device runs all kernels. */
  bool (*supports)(const tsr_device *d, const tsr_kernel_traits *kernel);
  /** (optional) The system's handle of TSR_QUEUE_RUN, into which the caller puts something, or has
   * put something since the last call: events that are recorded from now on are behind it. */
  void *(*stream)(tsr_device *d);
  /** (optional) A launched function calls it before it uses bytes from p on, a host's address. */
  void (*uses)(tsr_device *d, const void *p, size_t bytes);
  /** Events. record: the end of what is in a queue now. follow: let what comes into a queue from
   * now on wait for an event. is_over: has the event's queue passed it? wait: wait until it has. A
   * kind has all four or none; without them, calls are over when they return. */
  tsr_device_event (*record)(tsr_device *d, tsr_queue queue);
  void (*follow)(tsr_device *d, tsr_queue queue, tsr_device_event event);
  bool (*is_over)(tsr_device *d, tsr_device_event event);
  void (*wait)(tsr_device *d, tsr_device_event event);
} tsr_device_ops;

struct tsr_device {
  const tsr_device_ops *ops;
  int number;
  ptrdiff_t shift_bytes;
  tsr_pins *pins; /* borrowed: the host's memory that it copies from and to; NULL: unknown */
  struct tsr_sequence
      *sequence; /* borrowed: the one that holds launches back now (sequence.h); NULL: none */
  tsr_kernel_traits refuses; /* tests: `check` refuses kernels with any of these. Set alike on
                                all ranks before the device is used */
  /* tests: `check` runs code alone, and a launch of a function is a failure. Set before the device
   * runs anything but what measures it */
  bool only_code;
  uint64_t seed;      /* tests: from which `check` draws the order of blocks; set likewise */
  uint64_t n_strided; /* `check`: copies between memories of points that are no run; atomic */
  bool waits;         /* nothing was asked of it yet, and its first use starts it; atomic */
  /* How often work was put into the queues that the host's memory, another queue or another device
   * takes part in, and how much of that is over; atomic */
  uint64_t n_shared, n_shared_over;
  bool runs_on;      /* see tsr__device_leave_running; atomic */
  bool is_failing;   /* someone writes the failure's text; atomic */
  tsr_status status; /* the first failure; the device does nothing after it. Atomic */
  char message[400]; /* the failure's text, set before status */
};

extern const tsr_device_ops tsr__device_cpu, tsr__device_check, tsr__device_null, tsr__device_cuda;

/** The i-th kind of this build; NULL behind the last. */
const tsr_device_ops *tsr__device_kind(int i);
/** The kind of that name; NULL if there is none. */
const tsr_device_ops *tsr__device_find(const char *name);
/** Open a device of the kind `name`. An unknown name is TSR_ERR_CONFIG, with a text that lists the
 * kinds; else as the kind's entry. */
tsr_status tsr__device_open(const char *name, int number, size_t limit_bytes, tsr_device **out,
                            char *message, size_t size);
/** Open a device that costs nothing until something of it is used: its first use starts it. Until
 * then no memory is pinned for it. */
tsr_status tsr__device_open_later(const char *name, int number, size_t limit_bytes,
                                  tsr_device **out, char *message, size_t size);
void tsr__device_close(tsr_device *d); /* NULL is ignored */
/** Put something into a queue: a copy, a copy from another device's memory, a function, code. */
void tsr__device_put_copy(tsr_device *d, tsr_queue queue, tsr_direction direction,
                          const tsr_points *points);
void tsr__device_put_peer_copy(tsr_device *d, tsr_queue queue, tsr_device *from,
                               const tsr_points *points);
void tsr__device_put_call(tsr_device *d, tsr_device_fn fn, void *arg);
void tsr__device_put_code(tsr_device *d, const tsr_code_launch *launch);
/** The system's handle of TSR_QUEUE_RUN, as the kind's entry, behind all that was put into it; NULL:
 * it has none. */
void *tsr__device_stream(tsr_device *d);
/** Put a product of the device's library into TSR_QUEUE_RUN, as the kind's entry, which exists. */
bool tsr__device_put_product(tsr_device *d, const tsr_blas_product *product, char *why,
                             size_t size);
tsr_device_event tsr__device_record(tsr_device *d, tsr_queue queue);
void tsr__device_follow(tsr_device *d, tsr_queue queue, tsr_device_event event);
bool tsr__device_is_over(tsr_device *d, tsr_device_event event);
void tsr__device_wait(tsr_device *d, tsr_device_event event);
/** Does the device run C functions? If not, it runs code of `load`. */
bool tsr__device_runs_c(const tsr_device *d);
/** May kernels like this one be launched? If not, the caller has to run them on the host. */
bool tsr__device_supports(const tsr_device *d, const tsr_kernel_traits *kernel);
void tsr__device_uses(tsr_device *d, const void *p, size_t bytes);
/** Wait for everything in the queues but the link's. Returns the device's first failure, if there
 * is one. */
tsr_status tsr__device_sync(tsr_device *d);
/** Let TSR_QUEUE_RUN go on alone, with nobody waiting. Returns false if the caller has to wait
 * after all, since the queues hold more than launches of code and copies within the device. While
 * the device runs on, nothing may be put into its other queues before tsr__device_settle. Called by
 * the thread that flushes, while no other uses the device. */
bool tsr__device_leave_running(tsr_device *d);
bool tsr__device_runs_on(const tsr_device *d);
/** Wait for a device that runs on. Returns the device's first failure, if there is one. */
tsr_status tsr__device_settle(tsr_device *d);
/** Copy points and wait for it. */
tsr_status tsr__device_copy(tsr_device *d, tsr_direction direction, const tsr_points *points);
/** Set the device's first failure. The kinds call it. */
void tsr__device_fail(tsr_device *d, tsr_status status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
tsr_status tsr__device_status(const tsr_device *d);
/** Has the device failed? What a test's device finds is a defect of the library and ends the job
 * here. Another one does nothing any more, and what is in its memory is lost. */
bool tsr__device_is_lost(const tsr_device *d);

/* Which rank has which devices (device_share.c). */

enum { TSR_MAX_PLACES = 16, TSR_MAX_NODE_DEVICES = 64 };

/** The devices of a node, as TESSERA_DEVICES lists them. */
typedef struct tsr_device_list {
  int n; /* 0: all devices of the node */
  int number[TSR_MAX_NODE_DEVICES];
} tsr_device_list;
/** Read a list of devices: "4" (0 to 3), "0,2,3", "0,0" (device 0 for two places), "2," (device 2
 * alone), "" (all). Returns false if
 * the text is wrong: *at is the first wrong byte, and *why (static) goes on after "byte 2 ". */
bool tsr__device_list_read(const char *text, tsr_device_list *list, size_t *at, const char **why);

/** The devices of its node that a rank has. */
typedef struct tsr_device_share {
  int n_places;
  int number[TSR_MAX_PLACES]; /* of each place's device; parts of the host's memory share one */
  int n_sharers;              /* ranks of the node that have the same device; 1 if no other has */
  int n_place_sharers;        /* places of the node that have the same device; at least 1 */
  int n_devices;              /* devices of the node; 0: as many as are asked for */
} tsr_device_share;
/** The share of one rank. devices: TESSERA_DEVICES. n_asked: TESSERA_PLACES; 0: as many as the rank
 * has devices. TSR_ERR_CONFIG, with a text that names the settings, if they need more devices. */
tsr_status tsr__device_share_of(const tsr_device_ops *kind, const char *devices, int n_asked,
                                int node_rank, int node_size, tsr_device_share *out, char *message,
                                size_t size);

#endif
