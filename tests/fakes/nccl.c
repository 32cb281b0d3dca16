/* The stand-in for NVIDIA's NCCL: messages between members that are processes of one node, or
 * threads, through a file in shared memory with a box for each pair and direction. An operation
 * runs on its stream's thread of the stand-in for the driver and waits for its partner, so that
 * ranks whose operations are in different orders wait for ever: after FAKE_NCCL_SECONDS it says so,
 * and the device fails. It is stricter than NCCL: both ends have to have the same size, and in a
 * group no peer may be named twice in one direction. */
#include "tests/fakes/cuda_fake.h"

#pragma GCC visibility push(default)
#include "runtime/device/nccl.h"
#define DECLARE(name, parameters) ncclResult_t name parameters;
TSR_NCCL_RESULTS(DECLARE)
const char *ncclGetErrorString(ncclResult_t result);
#pragma GCC visibility pop

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MOST_MEMBERS = 32, BOX_BYTES = 4096, MOST_OPS = 512, LEAKED = 98 };
enum { UNHANDLED = 1, SYSTEM = 2 };

/* What one member has for another. */
typedef struct box {
  int is_full; /* atomic */
  size_t n, total;
  char data[BOX_BYTES];
} box;

typedef struct shared {
  int n_joined;             /* atomic */
  int device[MOST_MEMBERS]; /* its number, plus 1; atomic */
  box boxes[];              /* [n * n], by sender and receiver */
} shared;

struct ncclComm {
  char name[128];
  int n, rank, device;
  shared *at;
  int n_under_way; /* atomic */
  int is_left;     /* what is under way is to end; atomic */
};

typedef struct op {
  ncclComm_t comm;
  CUstream stream;
  bool send;
  int peer;
  char *data;
  size_t bytes, moved;
  bool is_over;
} op;

/* The part of a group that one member has. */
typedef struct part {
  int n;
  op ops[];
} part;

static int n_comms; /* atomic */
static _Thread_local int depth, n_ops, n_joins;
static _Thread_local op ops[MOST_OPS];
static _Thread_local ncclComm_t joins[MOST_MEMBERS];
static _Thread_local ncclComm_t *join_outs[MOST_MEMBERS];

static int get(const int *what)
{
  return __atomic_load_n(what, __ATOMIC_ACQUIRE);
}

static void set(int *what, int to)
{
  __atomic_store_n(what, to, __ATOMIC_RELEASE);
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double patience(void)
{
  const char *text = getenv("FAKE_NCCL_SECONDS");
  return text != NULL && text[0] != '\0' ? atof(text) : 60;
}

static size_t shared_bytes(int n)
{
  return sizeof(shared) + sizeof(box) * (size_t)n * (size_t)n;
}

static ncclResult_t begin(const char *entry)
{
  return fake_cuda_begin(entry, NULL) == CUDA_SUCCESS ? NCCL_SUCCESS : UNHANDLED;
}

const char *ncclGetErrorString(ncclResult_t result)
{
  static const char *const texts[] = {
      "no error",       "unhandled cuda error", "unhandled system error",
      "internal error", "invalid argument",     "invalid usage"};
  return result >= 0 && result <= NCCL_INVALID_USAGE ? texts[result] : "unknown result";
}

ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
  static int n;
  if (begin(__func__) != NCCL_SUCCESS) return UNHANDLED;
  memset(id, 0, sizeof *id);
  snprintf(id->internal, sizeof id->internal, "/fake_nccl_%d_%d_%.0f", (int)getpid(),
           __atomic_fetch_add(&n, 1, __ATOMIC_RELAXED), 1e6 * now());
  return NCCL_SUCCESS;
}

/* Joining. */

static void end_comm(ncclComm_t c)
{
  if (c->at != NULL) munmap(c->at, shared_bytes(c->n));
  free(c);
  __atomic_fetch_sub(&n_comms, 1, __ATOMIC_ACQ_REL);
}

static bool show(ncclComm_t c)
{
  const int file = shm_open(c->name, O_CREAT | O_RDWR, 0600);
  if (file < 0 || ftruncate(file, (off_t)shared_bytes(c->n)) != 0) return false;
  void *at = mmap(NULL, shared_bytes(c->n), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (at == MAP_FAILED) return false;
  c->at = at;
  set(&c->at->device[c->rank], c->device + 1);
  __atomic_fetch_add(&c->at->n_joined, 1, __ATOMIC_ACQ_REL);
  return true;
}

static ncclResult_t wait_for_all(ncclComm_t c)
{
  const double until = now() + patience();
  while (get(&c->at->n_joined) < c->n && now() < until) usleep(100);
  shm_unlink(c->name);
  if (get(&c->at->n_joined) < c->n) {
    fake_say("only %d of %d members have come", get(&c->at->n_joined), c->n);
    return SYSTEM;
  }
  for (int i = 0; i < c->n; i++)
    for (int k = 0; k < i; k++)
      if (get(&c->at->device[i]) == get(&c->at->device[k])) {
        fake_say("members %d and %d have one device", k, i);
        return NCCL_INVALID_USAGE;
      }
  return NCCL_SUCCESS;
}

ncclResult_t ncclCommInitRank(ncclComm_t *out, int n, ncclUniqueId id, int rank)
{
  if (begin(__func__) != NCCL_SUCCESS) return UNHANDLED;
  const fake_context *context = fake_cuda_current();
  if (context == NULL || depth == 0 || n < 1 || n > MOST_MEMBERS || rank < 0 || rank >= n)
    return NCCL_INVALID_ARGUMENT;
  ncclComm_t c = calloc(1, sizeof *c);
  __atomic_fetch_add(&n_comms, 1, __ATOMIC_ACQ_REL);
  *c = (struct ncclComm){.n = n, .rank = rank, .device = context->number};
  memcpy(c->name, id.internal, sizeof c->name);
  joins[n_joins] = c;
  join_outs[n_joins++] = out;
  return NCCL_SUCCESS;
}

static ncclResult_t end_joins(void)
{
  ncclResult_t result = NCCL_SUCCESS;
  for (int i = 0; i < n_joins; i++)
    if (!show(joins[i])) result = SYSTEM;
  for (int i = 0; i < n_joins && result == NCCL_SUCCESS; i++) result = wait_for_all(joins[i]);
  for (int i = 0; i < n_joins; i++) {
    if (result == NCCL_SUCCESS)
      *join_outs[i] = joins[i];
    else
      end_comm(joins[i]);
  }
  n_joins = 0;
  return result;
}

ncclResult_t ncclCommDestroy(ncclComm_t c)
{
  const ncclResult_t result = begin(__func__);
  if (get(&c->n_under_way) > 0) fake_say("member %d leaves while messages are under way", c->rank);
  end_comm(c);
  return result;
}

ncclResult_t ncclCommAbort(ncclComm_t c)
{
  const ncclResult_t result = begin(__func__);
  set(&c->is_left, 1);
  while (get(&c->n_under_way) > 0) usleep(20);
  end_comm(c);
  return result;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t c, ncclResult_t *state)
{
  *state = NCCL_SUCCESS;
  return begin(__func__);
}

/* Messages. */

static bool send_some(op *o, char *data)
{
  box *b = &o->comm->at->boxes[o->comm->rank * o->comm->n + o->peer];
  if (get(&b->is_full)) return false;
  if (o->moved == o->bytes) return o->is_over = true;
  b->total = o->bytes;
  b->n = o->bytes - o->moved < BOX_BYTES ? o->bytes - o->moved : BOX_BYTES;
  memcpy(b->data, data + o->moved, b->n);
  o->moved += b->n;
  set(&b->is_full, 1);
  return true;
}

static bool receive_some(op *o, char *data)
{
  box *b = &o->comm->at->boxes[o->peer * o->comm->n + o->comm->rank];
  if (!get(&b->is_full)) return false;
  if (b->total != o->bytes) {
    fake_say("member %d sends %zu bytes, and member %d receives %zu", o->peer, b->total,
             o->comm->rank, o->bytes);
    fake_cuda_break(o->stream);
    return o->is_over = true;
  }
  memcpy(data + o->moved, b->data, b->n);
  o->moved += b->n;
  o->is_over = o->moved == o->bytes;
  set(&b->is_full, 0);
  return true;
}

static void say_stuck(const part *p)
{
  for (int i = 0; i < p->n; i++)
    if (!p->ops[i].is_over)
      fake_say(
          "member %d waits for member %d to %s %zu bytes: the ranks' messages are not in one order",
          p->ops[i].comm->rank, p->ops[i].peer, p->ops[i].send ? "take" : "send", p->ops[i].bytes);
  fake_cuda_break(p->ops[0].stream);
}

static void run(void *arg)
{
  part *p = arg;
  const ncclComm_t comm = p->ops[0].comm;
  double until = now() + patience();
  bool fails = fake_cuda_is_broken(p->ops[0].stream);
  for (int n_over = 0; n_over < p->n && !fails && !get(&comm->is_left);) {
    bool any = false;
    n_over = 0;
    for (int i = 0; i < p->n && !fails; i++) {
      op *o = &p->ops[i];
      char *data = o->is_over ? NULL : fake_cuda_view(o->stream, o->data, o->bytes);
      fails = !o->is_over && data == NULL;
      if (data != NULL && (o->send ? send_some(o, data) : receive_some(o, data))) any = true;
      n_over += o->is_over;
    }
    if (any) until = now() + patience();
    if (!any && n_over < p->n) usleep(20);
    if (now() > until) {
      say_stuck(p);
      break;
    }
  }
  if (fails) fake_cuda_break(p->ops[0].stream);
  free(p);
  __atomic_fetch_sub(&comm->n_under_way, 1, __ATOMIC_ACQ_REL);
}

static ncclResult_t add(const char *entry, op o)
{
  if (fake_cuda_begin(entry, o.stream) != CUDA_SUCCESS) return UNHANDLED;
  bool is_wrong = depth == 0 || n_ops == MOST_OPS || o.bytes == 0 || o.peer < 0 ||
                  o.peer >= o.comm->n || fake_cuda_number(o.stream) != o.comm->device;
  for (int i = 0; i < n_ops; i++)
    is_wrong = is_wrong ||
               (ops[i].comm == o.comm &&
                (ops[i].stream != o.stream || (ops[i].peer == o.peer && ops[i].send == o.send)));
  if (is_wrong) {
    fake_say("%s of member %d, with member %d, is wrong", entry, o.comm->rank, o.peer);
    return NCCL_INVALID_ARGUMENT;
  }
  ops[n_ops++] = o;
  return NCCL_SUCCESS;
}

ncclResult_t ncclSend(const void *p, size_t n, ncclDataType_t type, int peer, ncclComm_t comm,
                      ncclStream_t stream)
{
  if (type != NCCL_CHAR) return NCCL_INVALID_ARGUMENT;
  return add(__func__, (op){comm, stream, true, peer, (char *)(uintptr_t)p, n, 0, false});
}

ncclResult_t ncclRecv(void *p, size_t n, ncclDataType_t type, int peer, ncclComm_t comm,
                      ncclStream_t stream)
{
  if (type != NCCL_CHAR) return NCCL_INVALID_ARGUMENT;
  return add(__func__, (op){comm, stream, false, peer, p, n, 0, false});
}

ncclResult_t ncclGroupStart(void)
{
  if (begin(__func__) != NCCL_SUCCESS) return UNHANDLED;
  depth++;
  return NCCL_SUCCESS;
}

/* Puts what the group has for the member of operation `first` into its stream. */
static void put(int first)
{
  part *p = calloc(1, sizeof *p + (size_t)n_ops * sizeof p->ops[0]);
  for (int i = first; i < n_ops; i++)
    if (ops[i].comm == ops[first].comm) p->ops[p->n++] = ops[i];
  __atomic_fetch_add(&p->ops[0].comm->n_under_way, 1, __ATOMIC_ACQ_REL);
  fake_cuda_put(p->ops[0].stream, run, p);
}

ncclResult_t ncclGroupEnd(void)
{
  const ncclResult_t result = begin(__func__);
  if (depth == 0) return NCCL_INVALID_USAGE;
  if (--depth > 0) return result;
  const ncclResult_t joined = end_joins();
  for (int i = 0; i < n_ops; i++) {
    bool is_first = true;
    for (int k = 0; k < i; k++) is_first = is_first && ops[k].comm != ops[i].comm;
    if (is_first && result == NCCL_SUCCESS) put(i);
  }
  n_ops = 0;
  return result != NCCL_SUCCESS ? result : joined;
}

__attribute__((destructor)) static void tell_leaks(void)
{
  if (get(&n_comms) == 0) return;
  fake_say("%d members have not left", get(&n_comms));
  _exit(LEAKED);
}
