/* The link `ipc`: members of one node write into each other's memory, which the driver opens for
 * them. Members that are of one process have each other's addresses as they are.
 *
 * A member's *block* has two *bounces*, buffers on the way, for each member (its own are unused),
 * which messages take in turn, and two counters: how many of its messages have come, which the
 * sender raises when its copy has ended, and how many of this member's the other one has taken,
 * which that one raises. A sender's queue waits until the message before the last one was taken,
 * copies, and raises; a receiver's waits until the message has come, copies it out of its bounce,
 * and raises.
 *
 *   sender: wait(taken >= k - 2), copy into bounce k % 2, come = k
 * receiver:                                     wait(come >= k), copy out of the bounce, taken = k
 *
 * In an exchange all that is sent comes first. So a send waits for earlier exchanges only, and
 * since all ranks have these in one order, none waits for ever. */
#include "runtime/device/link.h"

#include "runtime/base/alloc.h"
#include "runtime/base/error.h"
#include "runtime/base/library.h"
#include "runtime/device/cuda_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Beside those of cuda_driver.h: a driver without them is no device's failure. */
#define IPC_ENTRIES(E)                                                                             \
  E(cuCtxEnablePeerAccess)                                                                         \
  E(cuIpcGetMemHandle)                                                                             \
  E(cuIpcOpenMemHandle)                                                                            \
  E(cuIpcCloseMemHandle)                                                                           \
  E(cuStreamWaitValue64)                                                                           \
  E(cuStreamWriteValue64)

typedef struct ipc_entries {
  IPC_ENTRIES(TSR_CUDA_MEMBER)
} ipc_entries;

/** Another member. */
typedef struct other {
  CUdeviceptr block; /* 0: it is not open */
  CUcontext context; /* of another device of this process; NULL: this one's */
  bool is_opened;    /* by the driver */
  uint64_t n_sent, n_received;
} other;

struct tsr_link_end {
  ipc_entries ipc;
  tsr_device_cuda *device;
  CUdeviceptr block;
  size_t bounce_bytes, block_bytes;
  unsigned wait_flags;
  int number, n_members;
  other *others; /* [n_members] owned, by number */
};

/** What a card says. */
typedef struct ipc_card {
  uint64_t process[2]; /* that tell a process from all others of the node */
  CUdeviceptr block;
  CUcontext context;
  CUipcMemHandle handle;
} ipc_card;
_Static_assert(sizeof(ipc_card) <= TSR_LINK_CARD_BYTES, "a card has room for it");

enum { BOUNCES = 2, ALIGNED_BYTES = 256 };

#define TEXT_OF(name) #name
#define FIND_ENTRY(name)                                                                           \
  if (!tsr__library_find(driver->library, TEXT_OF(name), &ipc->name)) lacks = TEXT_OF(name);

static bool find_entries(const tsr_cuda_driver *driver, ipc_entries *ipc, char *why, size_t size)
{
  const char *lacks = NULL;
  IPC_ENTRIES(FIND_ENTRY)
  if (lacks != NULL) snprintf(why, size, "the driver is too old: it lacks %s", lacks);
  return lacks == NULL;
}

static bool ipc_is_available(char *why, size_t size)
{
  tsr_cuda_driver driver;
  ipc_entries ipc;
  if (!tsr__cuda_driver_open(&driver, why, size)) return false;
  const bool is_available = find_entries(&driver, &ipc, why, size);
  tsr__cuda_driver_close(&driver);
  return is_available;
}

/* A call that fails is no failure of the device: messages can go by the host. */
static bool worked(const tsr_link_end *end, const char *call, CUresult result, char *why,
                   size_t size)
{
  if (result == CUDA_SUCCESS) return true;
  char text[160];
  tsr__cuda_driver_explain(&end->device->driver, result, text, sizeof text);
  snprintf(why, size, "%s gives %s", call, text);
  return false;
}
#define DRIVER_CALL(end, name, arguments, why, size)                                               \
  worked(end, TSR_CUDA_NAME(name), (end)->device->driver.name arguments, why, size)
#define IPC_CALL(end, name, arguments, why, size)                                                  \
  worked(end, TSR_CUDA_NAME(name), (end)->ipc.name arguments, why, size)

static CUstream stream_of(const tsr_link_end *end)
{
  return end->device->queues[TSR_QUEUE_LINK].stream;
}

/* A block: what has come from each member, what each has taken, the bounces of each. */

static CUdeviceptr come_from(CUdeviceptr block, int sender)
{
  return block + sizeof(uint64_t) * (size_t)sender;
}

static CUdeviceptr taken_by(const tsr_link_end *end, CUdeviceptr block, int receiver)
{
  return block + sizeof(uint64_t) * (size_t)(end->n_members + receiver);
}

static size_t counters_bytes(const tsr_link_end *end)
{
  return tsr__round_up(2 * sizeof(uint64_t) * (size_t)end->n_members, ALIGNED_BYTES);
}

static CUdeviceptr bounce_of(const tsr_link_end *end, CUdeviceptr block, int sender, uint64_t k)
{
  const size_t bounce = BOUNCES * (size_t)sender + k % BOUNCES;
  return block + counters_bytes(end) + end->bounce_bytes * bounce;
}

/* Opening. */

/* A process is a number among those that its view of the system has, which a container has for
 * itself. */
static void name_process(uint64_t process[2])
{
  struct stat view = {0};
  process[0] = stat("/proc/self/ns/pid", &view) == 0 ? (uint64_t)view.st_ino : 0;
  process[1] = (uint64_t)getpid();
}

static bool has_values(const tsr_link_end *end, char *why, size_t size)
{
  const tsr_device_cuda *c = end->device;
  int has = 0;
  if (!DRIVER_CALL(end, cuDeviceGetAttribute,
                   (&has, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, c->device), why, size))
    return false;
  if (!has) snprintf(why, size, "the device's queues cannot wait for counters");
  return has;
}

/* Sets all counters. */
static bool set_counters(const tsr_link_end *end, tsr_queue queue, uint64_t to, char *why,
                         size_t size)
{
  const size_t n = 2 * (size_t)end->n_members;
  const CUstream stream = end->device->queues[queue].stream;
  uint64_t *values = tsr__malloc(n * sizeof *values);
  for (size_t i = 0; i < n; i++) values[i] = to;
  const bool is_set = DRIVER_CALL(end, cuMemcpyHtoDAsync,
                                  (end->block, values, n * sizeof *values, stream), why, size) &&
                      DRIVER_CALL(end, cuStreamSynchronize, (stream), why, size);
  free(values);
  return is_set;
}

static bool make_block(tsr_link_end *end, ipc_card *card, char *why, size_t size)
{
  int can_flush = 0;
  if (!has_values(end, why, size) ||
      !DRIVER_CALL(end, cuDeviceGetAttribute,
                   (&can_flush, CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES, end->device->device),
                   why, size) ||
      !DRIVER_CALL(end, cuMemAlloc, (&end->block, end->block_bytes), why, size))
    return false;
  end->wait_flags = CU_STREAM_WAIT_VALUE_GEQ | (can_flush ? CU_STREAM_WAIT_VALUE_FLUSH : 0);
  if (!set_counters(end, TSR_QUEUE_LINK, 0, why, size) ||
      !IPC_CALL(end, cuIpcGetMemHandle, (&card->handle, end->block), why, size)) {
    (void)end->device->driver.cuMemFree(end->block);
    return false;
  }
  return true;
}

static bool enter_context(const tsr_link_end *end, char *why, size_t size)
{
  if (tsr__cuda_enter(end->device)) return true;
  snprintf(why, size, "%s", end->device->base.message);
  return false;
}

static bool ipc_open(const tsr_link_seat *seat, unsigned char card[TSR_LINK_CARD_BYTES],
                     tsr_link_end **out, char *why, size_t size)
{
  tsr_link_end *end = tsr__calloc(1, sizeof *end);
  ipc_card mine = {.block = 0};
  *end = (tsr_link_end){.device = (tsr_device_cuda *)seat->device,
                        .bounce_bytes = seat->most_bytes,
                        .number = seat->number,
                        .n_members = seat->n_members};
  end->block_bytes = counters_bytes(end) + BOUNCES * end->bounce_bytes * (size_t)end->n_members;
  bool is_open =
      find_entries(&end->device->driver, &end->ipc, why, size) && enter_context(end, why, size);
  if (is_open) {
    is_open = make_block(end, &mine, why, size);
    tsr__cuda_leave(end->device);
  }
  if (!is_open) {
    free(end);
    return false;
  }
  end->others = tsr__calloc((size_t)end->n_members, sizeof *end->others);
  name_process(mine.process);
  mine.block = end->block;
  mine.context = end->device->context;
  memcpy(card, &mine, sizeof mine);
  *out = end;
  return true;
}

/* Makes the memory of another device of this process one that this device may write. */
static bool enable_peer(const tsr_link_end *end, CUcontext context, char *why, size_t size)
{
  const CUresult result = end->ipc.cuCtxEnablePeerAccess(context, 0);
  return result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED ||
         worked(end, TSR_CUDA_NAME(cuCtxEnablePeerAccess), result, why, size);
}

static bool open_other(tsr_link_end *end, other *x, const ipc_card *card, char *why, size_t size)
{
  uint64_t process[2];
  name_process(process);
  if (memcmp(process, card->process, sizeof process) != 0) {
    x->is_opened =
        IPC_CALL(end, cuIpcOpenMemHandle,
                 (&x->block, card->handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS), why, size);
    return x->is_opened;
  }
  if (card->context != end->device->context) {
    if (!enable_peer(end, card->context, why, size)) return false;
    x->context = card->context;
  }
  x->block = card->block;
  return true;
}

static bool ipc_join(tsr_link_end *const *ends, int n, const unsigned char *cards, char *why,
                     size_t size)
{
  bool is_well = true;
  for (int i = 0; i < n && is_well; i++) {
    tsr_link_end *end = ends[i];
    if (!enter_context(end, why, size)) return false;
    for (int k = 0; k < end->n_members && is_well; k++) {
      ipc_card card;
      memcpy(&card, cards + (size_t)k * TSR_LINK_CARD_BYTES, sizeof card);
      if (k != end->number) is_well = open_other(end, &end->others[k], &card, why, size);
    }
    tsr__cuda_leave(end->device);
  }
  return is_well;
}

/* Messages. */

static bool wait_for_counter(const tsr_link_end *end, CUdeviceptr counter, uint64_t value,
                             char *why, size_t size)
{
  return IPC_CALL(end, cuStreamWaitValue64, (stream_of(end), counter, value, end->wait_flags), why,
                  size);
}

/* What was put into the queue before is in memory when the counter has the value. */
static bool raise_to(const tsr_link_end *end, CUdeviceptr counter, uint64_t value, char *why,
                     size_t size)
{
  return IPC_CALL(end, cuStreamWriteValue64,
                  (stream_of(end), counter, value, CU_STREAM_WRITE_VALUE_DEFAULT), why, size);
}

static bool put_copy(const tsr_link_end *end, CUdeviceptr to, CUcontext context, CUdeviceptr from,
                     size_t n, char *why, size_t size)
{
  const CUcontext mine = end->device->context;
  if (context != NULL)
    return DRIVER_CALL(end, cuMemcpyPeerAsync, (to, context, from, mine, n, stream_of(end)), why,
                       size);
  return DRIVER_CALL(end, cuMemcpyDtoDAsync, (to, from, n, stream_of(end)), why, size);
}

static bool send_message(tsr_link_end *end, const tsr_link_message *p, char *why, size_t size)
{
  other *x = &end->others[p->peer];
  const uint64_t k = ++x->n_sent;
  if (k > BOUNCES &&
      !wait_for_counter(end, taken_by(end, end->block, p->peer), k - BOUNCES, why, size))
    return false;
  return put_copy(end, bounce_of(end, x->block, end->number, k), x->context,
                  (CUdeviceptr)(uintptr_t)p->data, p->bytes, why, size) &&
         raise_to(end, come_from(x->block, end->number), k, why, size);
}

static bool receive_message(tsr_link_end *end, const tsr_link_message *p, char *why, size_t size)
{
  other *x = &end->others[p->peer];
  const uint64_t k = ++x->n_received;
  return wait_for_counter(end, come_from(end->block, p->peer), k, why, size) &&
         put_copy(end, (CUdeviceptr)(uintptr_t)p->data, NULL,
                  bounce_of(end, end->block, p->peer, k), p->bytes, why, size) &&
         raise_to(end, taken_by(end, x->block, end->number), k, why, size);
}

static bool put(const tsr_link_message *p, char *why, size_t size)
{
  tsr_link_end *end = p->end;
  TSR_ASSERT(p->bytes <= end->bounce_bytes && p->peer != end->number);
  if (!enter_context(end, why, size)) return false;
  const bool is_put =
      p->send ? send_message(end, p, why, size) : receive_message(end, p, why, size);
  tsr__cuda_queue_note(&end->device->queues[TSR_QUEUE_LINK]);
  tsr__cuda_leave(end->device);
  return is_put;
}

static bool ipc_exchange(const tsr_link_message *messages, int n, char *why, size_t size)
{
  bool is_well = true;
  for (int send = 1; send >= 0; send--)
    for (int i = 0; i < n && is_well; i++)
      if (messages[i].send == send) is_well = put(&messages[i], why, size);
  return is_well;
}

/* What fails in the queue is the device's failure. */
static bool ipc_is_well(tsr_link_end *end, char *why, size_t size)
{
  (void)end, (void)why, (void)size;
  return true;
}

/* Closing. A queue that waits for members which are lost goes on when the counters are as high as
 * they will never be. */
static void ipc_stop(tsr_link_end *end, bool is_lost)
{
  char why[200];
  if (!tsr__cuda_enter_always(end->device)) return;
  if (is_lost) (void)set_counters(end, TSR_QUEUE_IN, (uint64_t)1 << 62, why, sizeof why);
  (void)DRIVER_CALL(end, cuStreamSynchronize, (stream_of(end)), why, sizeof why);
  for (int i = 0; i < end->n_members; i++)
    if (end->others[i].is_opened)
      (void)IPC_CALL(end, cuIpcCloseMemHandle, (end->others[i].block), why, sizeof why);
  tsr__cuda_leave(end->device);
}

static void ipc_leave(tsr_link_end *end, bool is_lost)
{
  (void)is_lost;
  if (end == NULL) return;
  if (tsr__cuda_enter_always(end->device)) {
    (void)end->device->driver.cuMemFree(end->block);
    tsr__cuda_leave(end->device);
  }
  free(end->others);
  free(end);
}

const tsr_link_ops tsr__link_ipc = {
    TSR_LINK_IPC_IS,
    .is_available = ipc_is_available,
    .identify = tsr__cuda_link_identify,
    .open = ipc_open,
    .join = ipc_join,
    .exchange = ipc_exchange,
    .is_well = ipc_is_well,
    .stop = ipc_stop,
    .leave = ipc_leave,
};
