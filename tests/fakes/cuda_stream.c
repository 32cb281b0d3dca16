/* Streams of the stand-in for the driver. Each is a thread, which runs what is in it one by one,
 * with pauses drawn by dice. It looks up every address. */
#include "tests/fakes/cuda_fake.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint64_t fake_dice(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

static void break_context(fake_context *c, CUresult result)
{
  CUresult none = CUDA_SUCCESS;
  __atomic_compare_exchange_n(&c->broken, &none, result, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

static bool is_broken(const fake_context *c)
{
  return __atomic_load_n(&c->broken, __ATOMIC_ACQUIRE) != CUDA_SUCCESS;
}

/* Where rows of a memory really are; NULL if they are not all in one live block. */
static char *view_of(fake_context *c, const char *p, size_t width, size_t n, size_t pitch)
{
  if (c == NULL) return (char *)(uintptr_t)p;
  char *lent = fake_lent_view(c, p, (n - 1) * pitch + width);
  if (lent != NULL) return lent;
  const char *wrong = tsr__check_memory_uses(c->memory, p, (n - 1) * pitch + width);
  if (wrong == NULL) return (char *)(uintptr_t)p + tsr__check_memory_shift(c->memory);
  fake_say("a copy uses memory of device %d that %s", c->number, wrong);
  return NULL;
}

/* Has the memory that a copy found pinned stayed so? */
static bool is_still_pinned(const fake_op *op)
{
  const bool in = op->from == NULL;
  const size_t pitch = in ? op->src_pitch : op->dst_pitch;
  const char *p = in ? op->src : op->dst;
  if (fake_pinning_of(p, (op->n_rows - 1) * pitch + op->width) == FAKE_PINNED) return true;
  fake_say("memory of the host was unpinned before a copy of it was over");
  return false;
}

static void run_copy(fake_stream *s, const fake_op *op)
{
  char *dst = view_of(op->to, op->dst, op->width, op->n_rows, op->dst_pitch);
  const char *src = op->staged != NULL
                        ? op->staged
                        : view_of(op->from, op->src, op->width, op->n_rows, op->src_pitch);
  if (op->pinning == FAKE_PINNED && !is_still_pinned(op)) src = NULL;
  const size_t pitch = op->staged != NULL ? op->width : op->src_pitch;
  if (dst == NULL || src == NULL) {
    break_context(s->context, CUDA_ERROR_ILLEGAL_ADDRESS);
    return;
  }
  for (size_t i = 0; i < op->n_rows; i++)
    memcpy(dst + i * op->dst_pitch, src + i * pitch, op->width);
}

/* Words that are addresses of a device's memory become those that the kernel can follow. */
static bool show_memory(fake_stream *s, fake_op *op)
{
  for (int i = 0; i < op->function->n_words; i++) {
    const char *p = (const char *)(intptr_t)op->words[i];
    for (int k = 0; k < fake_n_contexts(); k++) {
      fake_context *c = fake_context_at(k);
      if (!tsr__check_memory_has(c->memory, p)) continue;
      const char *wrong =
          c != s->context ? "is another device's" : tsr__check_memory_uses(c->memory, p, 1);
      if (wrong != NULL) {
        fake_say("a kernel uses memory of device %d that %s", c->number, wrong);
        return false;
      }
      op->words[i] += tsr__check_memory_shift(c->memory);
      break;
    }
  }
  return true;
}

static void run_kernel(fake_stream *s, fake_op *op)
{
  if (op->fails)
    break_context(s->context, CUDA_ERROR_LAUNCH_FAILED);
  else if (!show_memory(s, op))
    break_context(s->context, CUDA_ERROR_ILLEGAL_ADDRESS);
  else
    tsr__blocks_run(op->function->code, op->grid, op->shared_bytes, op->words, fake_dice(&s->dice));
}

bool fake_event_is_done(const fake_event *e)
{
  return __atomic_load_n(&e->n_done, __ATOMIC_ACQUIRE) >=
         __atomic_load_n(&e->n_asked, __ATOMIC_ACQUIRE);
}

static bool has_come_to(const fake_event *e, uint64_t number)
{
  return __atomic_load_n(&e->n_done, __ATOMIC_ACQUIRE) >= number;
}

void fake_event_wait(fake_event *e)
{
  const uint64_t number = __atomic_load_n(&e->n_asked, __ATOMIC_ACQUIRE);
  while (!has_come_to(e, number)) usleep(20);
}

static void record(fake_event *e, uint64_t number)
{
  uint64_t now = __atomic_load_n(&e->n_done, __ATOMIC_RELAXED);
  while (now < number && !__atomic_compare_exchange_n(&e->n_done, &now, number, false,
                                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
}

static void run(fake_stream *s, fake_op *op)
{
  if (fake_dice(&s->dice) % 8 == 0) usleep((useconds_t)(fake_dice(&s->dice) % 100));
  if (op->kind == FAKE_RECORD)
    record(op->event, op->number);
  else if (op->kind == FAKE_FOLLOW)
    while (!has_come_to(op->event, op->number)) usleep(10);
  else if (op->kind == FAKE_CALL)
    op->call(op->arg); /* looks itself whether the context is broken, and gives back what it has */
  else if (is_broken(s->context))
    return;
  else if (op->kind == FAKE_COPY)
    run_copy(s, op);
  else
    run_kernel(s, op);
}

static void *stream_main(void *arg)
{
  fake_stream *s = arg;
  pthread_mutex_lock(&s->lock);
  for (;;) {
    while (s->first == NULL && !s->closing) pthread_cond_wait(&s->more, &s->lock);
    fake_op *op = s->first;
    if (op == NULL) break;
    pthread_mutex_unlock(&s->lock);
    run(s, op);
    pthread_mutex_lock(&s->lock);
    s->first = op->next;
    if (s->first == NULL) s->last = &s->first;
    s->n_done++;
    free(op->words);
    free(op->staged);
    free(op);
    pthread_cond_broadcast(&s->done);
  }
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

fake_stream *fake_stream_make(fake_context *context)
{
  fake_stream *s = calloc(1, sizeof *s);
  s->context = context;
  s->last = &s->first;
  s->dice = (uint64_t)(uintptr_t)s;
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->more, NULL);
  pthread_cond_init(&s->done, NULL);
  pthread_create(&s->thread, NULL, stream_main, s);
  return s;
}

void fake_stream_end(fake_stream *s)
{
  pthread_mutex_lock(&s->lock);
  s->closing = true;
  pthread_cond_signal(&s->more);
  pthread_mutex_unlock(&s->lock);
  pthread_join(s->thread, NULL);
  pthread_mutex_destroy(&s->lock);
  pthread_cond_destroy(&s->more);
  pthread_cond_destroy(&s->done);
  free(s);
}

void fake_stream_put(fake_stream *s, const fake_op *what)
{
  fake_op *op = malloc(sizeof *op);
  *op = *what;
  op->next = NULL;
  pthread_mutex_lock(&s->lock);
  *s->last = op;
  s->last = &op->next;
  s->n_asked++;
  pthread_cond_signal(&s->more);
  pthread_mutex_unlock(&s->lock);
}

void fake_stream_wait(fake_stream *s)
{
  pthread_mutex_lock(&s->lock);
  const uint64_t n = s->n_asked;
  while (s->n_done < n) pthread_cond_wait(&s->done, &s->lock);
  pthread_mutex_unlock(&s->lock);
}

void fake_cuda_put(CUstream stream, void (*call)(void *arg), void *arg)
{
  fake_stream_put(stream, &(fake_op){.kind = FAKE_CALL, .call = call, .arg = arg});
}

void fake_cuda_break(CUstream stream)
{
  break_context(stream->context, CUDA_ERROR_LAUNCH_FAILED);
}

bool fake_cuda_is_broken(CUstream stream)
{
  return is_broken(stream->context);
}

char *fake_cuda_view(CUstream stream, const void *p, size_t bytes)
{
  if (tsr__check_memory_has(stream->context->memory, p))
    return view_of(stream->context, p, bytes, 1, bytes);
  fake_say("a message uses memory that is not device %d's", stream->context->number);
  return NULL;
}

int fake_cuda_number(CUstream stream)
{
  return stream->context->number;
}

bool fake_stream_is_idle(fake_stream *s)
{
  pthread_mutex_lock(&s->lock);
  const bool idle = s->n_done == s->n_asked;
  pthread_mutex_unlock(&s->lock);
  return idle;
}
