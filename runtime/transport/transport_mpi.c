/* The transport over MPI.
 *
 * Control tags travel on a communicator of their own: MPI promises tags up to 32767 only, and
 * TSR_TAG_CONTROL is above what several MPIs have. Both communicators are duplicates, so that no
 * message of the program is ever taken for ours.
 *
 * Locks: one mutex around all MPI calls. test() only tries it, so that one thread is inside MPI and
 * the others go on with their work; send and recv, which are short, wait for it.
 *
 * Funneled: if the program initialised MPI below MPI_THREAD_SERIALIZED, only the thread that opened
 * the transport may call MPI. Sends and receives of other threads are queued in order, and start in
 * its next call of any entry; test by other threads returns false.
 */
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

#include "runtime/base/error.h"
#include "runtime/transport/transport.h"
#include "runtime/base/alloc.h"

enum { REQUEST = 0, DATA = 1, NEXT = 2 }; /* indices of tsr_request.impl */
_Static_assert(sizeof(MPI_Request) <= sizeof(void *), "an MPI_Request must fit one word of impl");

/* Fruitless turns until a waiting rank yields its core, and until one that shares its core sleeps
 * between polls. */
static const unsigned spin_turns = 64, yield_turns = 4096;

typedef struct transport_mpi {
  tsr_transport base;
  MPI_Comm data, control;
  int tag_max;
  bool finalize; /* this transport initialised MPI, and finalises it */
  bool funneled;
  pthread_t opener;
  pthread_mutex_t lock;
  tsr_request *queued, *last_queued; /* funneled: requests that are not started yet */
  unsigned fruitless;                /* idle turns since the last completion; atomic */
} transport_mpi;

static transport_mpi *mpi_of(tsr_transport *t)
{
  return (transport_mpi *)t;
}

static bool may_call(const transport_mpi *m)
{
  return !m->funneled || pthread_equal(m->opener, pthread_self());
}

static MPI_Request request_get(const tsr_request *req)
{
  MPI_Request r;
  memcpy(&r, &req->impl[REQUEST], sizeof r);
  return r;
}

static void request_set(tsr_request *req, MPI_Request r)
{
  memcpy(&req->impl[REQUEST], &r, sizeof r);
}

/* The communicator and MPI's tag for a tag of this transport. */
static tsr_status channel(const transport_mpi *m, uint32_t tag, MPI_Comm *comm, int *mpi_tag)
{
  bool control = tag >= TSR_TAG_CONTROL;
  uint32_t n = control ? tag - TSR_TAG_CONTROL : tag;
  if (n > (uint32_t)m->tag_max) return TSR_ERR_MPI;
  *comm = control ? m->control : m->data;
  *mpi_tag = (int)n;
  return TSR_OK;
}

/* A count and a type that stand for `bytes` bytes; *made if the type must be freed. MPI counts are
 * ints: above INT_MAX the type is `bytes` bytes itself, as blocks of 1 GiB and a rest. */
static int bytes_type(size_t bytes, int *count, MPI_Datatype *type, bool *made)
{
  const size_t block = (size_t)1 << 30;
  *made = bytes > INT_MAX;
  *count = *made ? 1 : (int)bytes;
  *type = MPI_BYTE;
  if (!*made) return MPI_SUCCESS;

  MPI_Datatype blocks;
  size_t n_blocks = bytes / block;
  int rc = MPI_Type_vector((int)n_blocks, (int)block, (int)block, MPI_BYTE, &blocks);
  if (rc != MPI_SUCCESS) return rc;
  rc = MPI_Type_create_struct(2, (int[]){1, (int)(bytes % block)},
                              (MPI_Aint[]){0, (MPI_Aint)(n_blocks * block)},
                              (MPI_Datatype[]){blocks, MPI_BYTE}, type);
  MPI_Type_free(&blocks);
  return rc == MPI_SUCCESS ? MPI_Type_commit(type) : rc;
}

/* Starts a request. The caller holds the lock and may call MPI. */
static tsr_status start_request(transport_mpi *m, tsr_request *req)
{
  MPI_Comm comm;
  MPI_Datatype type;
  int tag, count;
  bool made;
  MPI_Request r = MPI_REQUEST_NULL;
  tsr_status status = channel(m, req->tag, &comm, &tag);
  if (status == TSR_OK && bytes_type(req->bytes, &count, &type, &made) != MPI_SUCCESS)
    status = TSR_ERR_MPI;
  if (status == TSR_OK) {
    void *data = req->impl[DATA];
    int rc = req->is_send ? MPI_Isend(data, count, type, req->peer, tag, comm, &r)
                          : MPI_Irecv(data, count, type, req->peer, tag, comm, &r);
    if (made) MPI_Type_free(&type);
    if (rc != MPI_SUCCESS) status = TSR_ERR_MPI;
  }
  req->status = status;
  request_set(req, status == TSR_OK ? r : MPI_REQUEST_NULL);
  return status;
}

/* Starts what other threads queued. The opener calls it, with the lock held. */
static void start_queued(transport_mpi *m)
{
  while (m->queued) {
    tsr_request *req = m->queued;
    m->queued = req->impl[NEXT];
    if (!m->queued) m->last_queued = NULL;
    start_request(m, req); /* a failure is stored in the request, and shows in its test */
  }
}

static tsr_status post(transport_mpi *m, bool is_send, int peer, uint32_t tag, const void *data,
                       size_t bytes, tsr_request *req)
{
  *req =
      (tsr_request){.active = true, .is_send = is_send, .peer = peer, .tag = tag, .bytes = bytes};
  req->impl[DATA] = (void *)data;
  tsr_status status = TSR_OK;
  pthread_mutex_lock(&m->lock);
  if (may_call(m)) {
    start_queued(m);
    status = start_request(m, req);
    req->active = status == TSR_OK;
  } else {
    if (m->last_queued)
      m->last_queued->impl[NEXT] = req;
    else
      m->queued = req;
    m->last_queued = req;
  }
  if (status == TSR_OK && is_send) {
    m->base.n_sent++;
    m->base.bytes_sent += bytes;
  }
  pthread_mutex_unlock(&m->lock);
  return status;
}

static tsr_status send_mpi(tsr_transport *t, int peer, uint32_t tag, const void *data, size_t bytes,
                           tsr_request *req)
{
  return post(mpi_of(t), true, peer, tag, data, bytes, req);
}

static tsr_status recv_mpi(tsr_transport *t, int peer, uint32_t tag, void *data, size_t capacity,
                           tsr_request *req)
{
  return post(mpi_of(t), false, peer, tag, data, capacity, req);
}

/* Ends a request in all but req->active. The caller holds the lock. */
static void finish_request(transport_mpi *m, tsr_request *req, int rc, MPI_Status *mpi_status)
{
  MPI_Count bytes = 0;
  if (rc != MPI_SUCCESS) {
    req->status = TSR_ERR_MPI;
  } else if (!req->is_send && req->status == TSR_OK) {
    if (MPI_Get_elements_x(mpi_status, MPI_BYTE, &bytes) == MPI_SUCCESS)
      req->bytes = (size_t)bytes;
    else
      req->status = TSR_ERR_MPI;
  }
  if (!req->is_send) {
    m->base.n_received++;
    m->base.bytes_received += req->bytes;
  }
  __atomic_store_n(&m->fruitless, 0, __ATOMIC_RELAXED);
}

static bool test_mpi(tsr_transport *t, tsr_request *req)
{
  transport_mpi *m = mpi_of(t);
  if (!req->active) return true;
  if (!may_call(m) || pthread_mutex_trylock(&m->lock) != 0) return false;
  start_queued(m);
  MPI_Request r = request_get(req);
  MPI_Status mpi_status;
  int flag = 0, rc = MPI_Test(&r, &flag, &mpi_status);
  bool done = flag || rc != MPI_SUCCESS;
  request_set(req, r);
  if (done) finish_request(m, req, rc, &mpi_status);
  if (done) req->active = false;
  pthread_mutex_unlock(&m->lock);
  return done;
}

static void idle_mpi(tsr_transport *t)
{
  transport_mpi *m = mpi_of(t);
  unsigned fruitless = __atomic_add_fetch(&m->fruitless, 1, __ATOMIC_RELAXED);
  if (t->crowded && fruitless >= yield_turns)
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
  else if (fruitless >= spin_turns)
    sched_yield();
}

/* A poll of Open MPI that finds nothing may give up the core: a rank that shares its core asks only
 * when it has nothing else to do. */
static bool has_news_mpi(tsr_transport *t)
{
  return !t->crowded;
}

static void abort_mpi(tsr_transport *t, int code)
{
  fflush(NULL);
  MPI_Abort(mpi_of(t)->control, code);
  _Exit(code);
}

static void close_mpi(tsr_transport *t)
{
  transport_mpi *m = mpi_of(t);
  TSR_ASSERT(may_call(m));
  int finalized;
  MPI_Finalized(&finalized);
  if (!finalized) {
    MPI_Comm_free(&m->data);
    MPI_Comm_free(&m->control);
    if (m->finalize) MPI_Finalize();
  }
  pthread_mutex_destroy(&m->lock);
  free(m);
}

/* Makes MPI ready for use; *level is its thread level. */
static tsr_status initialise(bool has_comm, int *argc, char ***argv, bool *ours, int *level,
                             char *message, size_t size)
{
  int initialised, finalized;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalized);
  if (finalized) {
    snprintf(message, size,
             "MPI was already finalised\nhelp: finalise Tessera before MPI, and start it before "
             "MPI_Finalize");
    return TSR_ERR_MPI;
  }
  if (has_comm && !initialised) {
    snprintf(message, size,
             "a communicator was given, but MPI is not initialised\nhelp: call MPI_Init_thread "
             "first");
    return TSR_ERR_MPI;
  }
  *ours = !initialised;
  int rc = initialised ? MPI_Query_thread(level)
                       : MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, level);
  if (rc != MPI_SUCCESS) {
    snprintf(message, size, "MPI could not be initialised (error %d)", rc);
    return TSR_ERR_MPI;
  }
  return TSR_OK;
}

/* Fills in communicators, ranks and the bound of tags. Returns MPI's code. */
static int attach(transport_mpi *m, MPI_Comm comm)
{
  MPI_Comm *dups[] = {&m->data, &m->control};
  for (int i = 0; i < 2; i++) {
    int rc = MPI_Comm_dup(comm, dups[i]);
    if (rc == MPI_SUCCESS) rc = MPI_Comm_set_errhandler(*dups[i], MPI_ERRORS_RETURN);
    if (rc != MPI_SUCCESS) return rc;
  }
  MPI_Comm_rank(m->data, &m->base.rank);
  MPI_Comm_size(m->data, &m->base.size);

  MPI_Comm node;
  int rc = MPI_Comm_split_type(m->data, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  if (rc != MPI_SUCCESS) return rc;
  MPI_Comm_rank(node, &m->base.node_rank);
  MPI_Comm_size(node, &m->base.node_size);
  m->base.crowded = m->base.node_size > sysconf(_SC_NPROCESSORS_ONLN);
  m->base.node_first = m->base.rank;
  MPI_Bcast(&m->base.node_first, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);

  int *bound, has_bound;
  rc = MPI_Comm_get_attr(m->data, MPI_TAG_UB, &bound, &has_bound);
  m->tag_max = rc == MPI_SUCCESS && has_bound ? *bound : 32767;
  return rc;
}

static const tsr_transport_ops ops_mpi = {
    .name = "mpi",
    .send = send_mpi,
    .recv = recv_mpi,
    .test = test_mpi,
    .idle = idle_mpi,
    .has_news = has_news_mpi,
    .abort = abort_mpi,
    .close = close_mpi,
};

tsr_status tsr__transport_mpi(void *comm, int *argc, char ***argv, tsr_transport **out,
                              char *message, size_t size)
{
  if (size) message[0] = '\0';
  bool ours;
  int level, inter = 0;
  TSR_TRY(initialise(comm != NULL, argc, argv, &ours, &level, message, size));
  MPI_Comm from = comm ? *(MPI_Comm *)comm : MPI_COMM_WORLD;
  if (from == MPI_COMM_NULL || (MPI_Comm_test_inter(from, &inter) == MPI_SUCCESS && inter)) {
    snprintf(message, size, "the communicator is %s\nhelp: give one whose ranks all take part",
             inter ? "an inter-communicator" : "MPI_COMM_NULL on this rank");
    return TSR_ERR_MPI;
  }

  transport_mpi *m = tsr__calloc(1, sizeof *m);
  m->base.ops = &ops_mpi;
  m->finalize = ours;
  m->funneled = level < MPI_THREAD_SERIALIZED;
  m->opener = pthread_self();
  pthread_mutex_init(&m->lock, NULL);
  int rc = attach(m, from);
  if (rc != MPI_SUCCESS) {
    char text[MPI_MAX_ERROR_STRING];
    int n;
    MPI_Error_string(rc, text, &n);
    snprintf(message, size, "the communicator cannot be duplicated: %s", text);
    pthread_mutex_destroy(&m->lock);
    free(m);
    return TSR_ERR_MPI;
  }
  if (m->funneled)
    snprintf(message, size,
             "MPI was initialised with %s: only the thread that started Tessera exchanges "
             "messages, so they do not overlap with its own computing\n"
             "help: MPI_Init_thread(…, MPI_THREAD_MULTIPLE, …)",
             level == MPI_THREAD_SINGLE ? "MPI_THREAD_SINGLE" : "MPI_THREAD_FUNNELED");
  *out = &m->base;
  return TSR_OK;
}

const char *tsr__mpi_version(void)
{
#ifdef OMPI_MAJOR_VERSION
#define VERSION_TEXT_(a, b, c) "Open MPI " #a "." #b "." #c
#define VERSION_TEXT(a, b, c) VERSION_TEXT_(a, b, c)
  return VERSION_TEXT(OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION);
#else
  return "yes";
#endif
}
