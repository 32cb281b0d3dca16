/* The link `nccl`: point-to-point messages of NVIDIA's NCCL, in one group per exchange. All members
 * are one communicator. Each call makes the context of a member's device the calling thread's,
 * since NCCL asks for the device that is current. */
#include "runtime/device/link.h"

#include "runtime/base/alloc.h"
#include "runtime/base/library.h"
#include "runtime/device/cuda_int.h"
#include "runtime/device/nccl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char library_name[] = "libnccl.so.2";

#define MEMBER(name, parameters) ncclResult_t(*name) parameters;
/** The library. Its members have the names of its entries. */
typedef struct nccl {
  void *library;
  const char *(*ncclGetErrorString)(ncclResult_t);
  TSR_NCCL_RESULTS(MEMBER)
} nccl;

struct tsr_link_end {
  nccl nccl;
  tsr_device_cuda *device;
  int number, n_members;
  ncclComm_t comm; /* NULL: it has not joined */
};

/* Returns the name of an entry that the library lacks; NULL: it has all. */
static const char *find_all(nccl *n)
{
  const char *lacks = NULL;
#define FIND(name, parameters)                                                                     \
  if (!tsr__library_find(n->library, #name, &n->name)) lacks = #name;
  TSR_NCCL_RESULTS(FIND)
  if (!tsr__library_find(n->library, "ncclGetErrorString", &n->ncclGetErrorString))
    lacks = "ncclGetErrorString";
  return lacks;
}

/* The library stays in the process, for its threads may be anywhere in it. */
static bool open_library(nccl *n, char *why, size_t size)
{
  n->library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (n->library == NULL) {
    snprintf(why, size, "%s is not on this machine, or not where the loader finds it",
             library_name);
    return false;
  }
  const char *lacks = find_all(n);
  dlclose(n->library);
  if (lacks != NULL)
    snprintf(why, size, "%s is too old: it lacks %s, and version 2.7 or later is needed",
             library_name, lacks);
  return lacks == NULL;
}

static bool worked(const nccl *n, const char *call, ncclResult_t result, char *why, size_t size)
{
  if (result == NCCL_SUCCESS) return true;
  const char *text = n->ncclGetErrorString(result);
  snprintf(why, size, "%s gives %d (%s)\nhelp: NCCL_DEBUG=WARN makes NCCL say more", call, result,
           text != NULL ? text : "unknown");
  return false;
}
#define CALL(n, name, arguments, why, size) worked(n, #name, (n)->name arguments, why, size)

static bool nccl_is_available(char *why, size_t size)
{
  nccl n;
  return open_library(&n, why, size);
}

/* The first member's card is the text by which all find each other. */
static bool nccl_open(const tsr_link_seat *seat, unsigned char card[TSR_LINK_CARD_BYTES],
                      tsr_link_end **out, char *why, size_t size)
{
  nccl n;
  ncclUniqueId unique = {{0}};
  if (!open_library(&n, why, size)) return false;
  if (seat->number == 0 && !CALL(&n, ncclGetUniqueId, (&unique), why, size)) return false;
  memcpy(card, unique.internal, TSR_LINK_CARD_BYTES);
  *out = tsr__calloc(1, sizeof **out);
  **out = (tsr_link_end){.nccl = n,
                         .device = (tsr_device_cuda *)seat->device,
                         .number = seat->number,
                         .n_members = seat->n_members};
  return true;
}

static void nccl_leave(tsr_link_end *end, bool is_lost)
{
  if (end == NULL) return;
  if (end->comm != NULL && tsr__cuda_enter_always(end->device)) {
    if (is_lost)
      (void)end->nccl.ncclCommAbort(end->comm);
    else
      (void)end->nccl.ncclCommDestroy(end->comm);
    tsr__cuda_leave(end->device);
  }
  free(end);
}

static bool begin_join(tsr_link_end *end, const ncclUniqueId *id, char *why, size_t size)
{
  tsr_device_cuda *c = end->device;
  if (!tsr__cuda_enter(c)) {
    snprintf(why, size, "%s", c->base.message);
    return false;
  }
  const bool begun =
      CALL(&end->nccl, ncclCommInitRank, (&end->comm, end->n_members, *id, end->number), why, size);
  tsr__cuda_leave(c);
  return begun;
}

static bool nccl_join(tsr_link_end *const *ends, int n, const unsigned char *cards, char *why,
                      size_t size)
{
  ncclUniqueId unique;
  char other[160];
  memcpy(unique.internal, cards, TSR_LINK_CARD_BYTES);
  const nccl *library = &ends[0]->nccl;
  if (!CALL(library, ncclGroupStart, (), why, size)) return false;
  bool all = true;
  for (int i = 0; i < n; i++) all = all && begin_join(ends[i], &unique, why, size);
  const bool ended = CALL(library, ncclGroupEnd, (), all ? why : other, all ? size : sizeof other);
  return all && ended;
}

static bool put(const tsr_link_message *p, char *why, size_t size)
{
  tsr_device_cuda *c = p->end->device;
  const nccl *n = &p->end->nccl;
  tsr_cuda_queue *q = &c->queues[TSR_QUEUE_LINK];
  if (!tsr__cuda_enter(c)) {
    snprintf(why, size, "%s", c->base.message);
    return false;
  }
  const ncclComm_t comm = p->end->comm;
  const bool is_put =
      p->send
          ? CALL(n, ncclSend, (p->data, p->bytes, NCCL_CHAR, p->peer, comm, q->stream), why, size)
          : CALL(n, ncclRecv, (p->data, p->bytes, NCCL_CHAR, p->peer, comm, q->stream), why, size);
  tsr__cuda_leave(c);
  return is_put;
}

static bool nccl_exchange(const tsr_link_message *messages, int n, char *why, size_t size)
{
  if (n == 0) return true;
  const nccl *library = &messages[0].end->nccl;
  char other[160];
  if (!CALL(library, ncclGroupStart, (), why, size)) return false;
  bool all = true;
  for (int i = 0; i < n && all; i++) all = put(&messages[i], why, size);
  const bool ended = CALL(library, ncclGroupEnd, (), all ? why : other, all ? size : sizeof other);
  for (int i = 0; i < n; i++)
    tsr__cuda_queue_note(&messages[i].end->device->queues[TSR_QUEUE_LINK]);
  return all && ended;
}

static bool nccl_is_well(tsr_link_end *end, char *why, size_t size)
{
  ncclResult_t state = NCCL_SUCCESS;
  if (!CALL(&end->nccl, ncclCommGetAsyncError, (end->comm, &state), why, size)) return false;
  return state == NCCL_IN_PROGRESS || worked(&end->nccl, "a message", state, why, size);
}

const tsr_link_ops tsr__link_nccl = {
    TSR_LINK_NCCL_IS,
    .is_available = nccl_is_available,
    .identify = tsr__cuda_link_identify,
    .open = nccl_open,
    .join = nccl_join,
    .exchange = nccl_exchange,
    .is_well = nccl_is_well,
    .leave = nccl_leave,
};
