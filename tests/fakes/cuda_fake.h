/* Inside the stand-in for the driver. */
#ifndef TSR_TESTS_CUDA_FAKE_H
#define TSR_TESTS_CUDA_FAKE_H

#include "runtime/device/blocks.h"
#include "runtime/device/check_code.h"
#include "runtime/device/check_memory.h"
#include "tests/fakes/fake.h"

#include <pthread.h>

#pragma GCC visibility push(default)
#include <cuda.h>
int fake_cuda_leaks(void);
size_t fake_cuda_pinned_bytes(void);
int fake_cuda_n_pageable(void);
int fake_cuda_n_calls(const char *beginning);
/* For the stand-in for NCCL: begin an entry, in the context of a stream unless that is NULL; put a
 * call into a stream; let a stream's context fail, has it failed; where code finds a device's
 * memory, NULL if it is none. */
CUresult fake_cuda_begin(const char *entry, CUstream stream);
void fake_cuda_put(CUstream stream, void (*call)(void *arg), void *arg);
void fake_cuda_break(CUstream stream);
bool fake_cuda_is_broken(CUstream stream);
char *fake_cuda_view(CUstream stream, const void *p, size_t bytes);
int fake_cuda_number(CUstream stream);
CUcontext fake_cuda_current(void);
#pragma GCC visibility pop

/** A device, and its primary context. */
typedef struct CUctx_st {
  int number, n_retained;
  tsr_check_memory *memory;
  int file;         /* that the memory is in, for other processes */
  unsigned reaches; /* bits: contexts whose memory this one's queues may use; atomic */
  CUresult broken;  /* atomic: a kernel or a copy failed, and nothing works any more */
} fake_context;

typedef struct CUevent_st {
  fake_context *context;
  uint64_t n_asked, n_done; /* records; n_done is atomic */
} fake_event;

typedef struct CUmod_st {
  fake_context *context;
  tsr_check_code *code;
  char *image; /* owned: a copy, or what the stand-in compiled of PTX */
  size_t bytes;
  struct CUfunc_st *functions;
  struct CUmod_st *next;
} fake_module;

typedef struct CUfunc_st {
  fake_module *module;
  tsr_block_code code;
  int n_words;
  unsigned most_shared_bytes; /* that a launch may ask for */
  struct CUfunc_st *next;
} fake_function;

/** Whether memory of the host is pinned. */
typedef enum fake_pinning { FAKE_PAGEABLE, FAKE_PINNED, FAKE_PINNED_IN_PART } fake_pinning;

/** What a stream does: one of these. */
typedef struct fake_op {
  struct fake_op *next;
  enum { FAKE_COPY, FAKE_KERNEL, FAKE_RECORD, FAKE_FOLLOW, FAKE_CALL } kind;
  /* copies: rows of `width` bytes */
  fake_context *to, *from; /* whose memory; NULL: the host's */
  char *dst;
  const char *src;
  size_t width, n_rows, dst_pitch, src_pitch;
  fake_pinning pinning; /* of the host's memory, when the copy was asked for */
  char *staged;         /* owned: what was read of the host's memory when the copy was asked for */
  /* kernels */
  fake_function *function;
  uint32_t grid[2], shared_bytes;
  int64_t *words; /* owned */
  bool fails;
  /* events */
  fake_event *event;
  uint64_t number;
  /* calls of another stand-in */
  void (*call)(void *arg);
  void *arg;
} fake_op;

typedef struct CUstream_st {
  fake_context *context;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t more, done;
  fake_op *first, **last;
  uint64_t n_asked, n_done;
  bool closing;
  uint64_t dice; /* of the thread */
} fake_stream;

/** Says what is wrong, on stderr. */
__attribute__((visibility("default"))) void fake_say(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));
fake_pinning fake_pinning_of(const char *p, size_t bytes);
/** Begin an entry of the driver in the calling thread's context, which has to be `wanted`, unless
 * that is NULL. */
CUresult fake_begin_in(const char *entry, const fake_context *wanted);
/** The calling thread's context; NULL: none. */
fake_context *fake_current(void);
/** Make what a stream does for a kernel; its words are the caller's. */
CUresult fake_kernel_op(CUfunction f, const unsigned grid[3], const unsigned block[3],
                        unsigned shared_bytes, void **params, void **extra, fake_op *op);
/** Is the kernel that comes now the one that is to fail? */
bool fake_kernel_fails(void);
/** The bytes of the current context's block that begins at p; 0: there is none. */
size_t fake_block_bytes(const void *p);
/** Where code finds bytes that another process lent the context; NULL: they are none. */
char *fake_lent_view(fake_context *c, const char *p, size_t bytes);
/** Memory of other processes that is open. */
int fake_n_opened(void);
/** Count graphs and executables that are there. */
void fake_count_graph(int by);
/** The context of device i. */
fake_context *fake_context_at(int i);
int fake_n_contexts(void);
uint64_t fake_dice(uint64_t *state);

fake_stream *fake_stream_make(fake_context *context);
void fake_stream_end(fake_stream *s); /* waits */
void fake_stream_put(fake_stream *s, const fake_op *op);
void fake_stream_wait(fake_stream *s);
bool fake_stream_is_idle(fake_stream *s);
bool fake_event_is_done(const fake_event *e);
void fake_event_wait(fake_event *e);

#endif
