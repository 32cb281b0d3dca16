/* A program's beginning and end, ranks, errors, and the calls that wait for everything. */
#ifndef TESSERA_CONTEXT_H
#define TESSERA_CONTEXT_H

#include "tessera/base.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Start Tessera on the calling thread: reads the settings (TESSERA_*), joins the ranks and makes
 * the current context.
 *
 *  Collective. argc, argv [in/out] borrowed, may be NULL: what MPI takes from the command line is
 *  removed. MPI is used when a launcher (mpirun, srun) started the program with several ranks, or
 *  TESSERA_TRANSPORT=mpi; a program that was started alone is one rank. Returns TSR_ERR_CONFIG on a
 *  wrong setting; TSR_ERR_MPI if a launcher started several ranks and the library was built without
 *  MPI or with another one; TSR_ERR_ARGUMENT if this thread has a context already. The text goes to
 *  stderr. */
TSR_API tsr_status tsr_init(int *argc, char ***argv);

/** Start Tessera inside a program that uses MPI: comm points to an MPI_Comm, which is duplicated.
 * As tsr_init otherwise. */
TSR_API tsr_status tsr_init_comm(void *comm);

/** Compare the ranks' op streams, release every array and end. Operations that still wait are
 * dropped: nobody can read them any more. Collective. Returns the first error that nobody took;
 * TSR_ERR_ARGUMENT where there is no context (any more). */
TSR_API tsr_status tsr_finalize(void);

/** Run fn(arg, rank) on `n` ranks that are threads of this process, each with a current context of
 * its own, and wait for all.
 *
 *  settings [in] borrowed, may be NULL: name, value, …, NULL ("threads", "1"); they go before the
 *  environment. "seed" other than 0: one rank runs at a time and messages are delayed and
 *  reordered, all as a function of the seed. The calling thread's context, if any, is untouched.
 *  Returns the first error that a rank left untaken, TSR_ERR_CONFIG (text on stderr) for a wrong
 *  setting, TSR_ERR_ARGUMENT for n < 1. */
TSR_API tsr_status tsr_run_ranks(int n, const char *const *settings,
                                 void (*fn)(void *arg, int rank), void *arg);

/** The library's version, "0.1.0": of the one that is loaded, where a program was compiled for
 * another. Before 1.0 a second number that differs may break programs; the file's name has the
 * number that says what links (libtessera.so.0). Not collective; needs no context. */
TSR_API const char *tsr_version(void);

/** The calling thread's context, or NULL. */
TSR_API tsr_context *tsr_context_current(void);
/** Make `context` (may be NULL) the calling thread's; returns the one before. From then on the
 * calling thread is the only one that may make calls of that context: another one's call, also of a
 * thread that had it before, ends the program with the text of an error that names the last call of
 * the owner. So a context is handed over by calling this on the next thread, once the one before
 * has stopped making calls; while it is inside one, this ends the program in the same way. */
TSR_API tsr_context *tsr_context_set_current(tsr_context *context);

/** This rank, 0 <= rank < tsr_n_ranks(). Not collective. -1 and 0 without a context; calls that
 * need one end the program then, with the text of an error and exit status 1. */
TSR_API int tsr_rank(void);
TSR_API int tsr_n_ranks(void);

/** What a failing call does. ABORT, the default: print the error once and end the job. RETURN: keep
 * the first error in the context; calls return a status, the null handle or NaN. THROW, of C++:
 * tessera::exceptions sets it; calls throw a tessera::error. In C it is RETURN. */
typedef enum tsr_error_mode {
  TSR_ERRORS_ABORT = 0,
  TSR_ERRORS_RETURN = 1,
  TSR_ERRORS_THROW = 2
} tsr_error_mode;

/** Set the current context's mode; returns the one before. Collective. */
TSR_API tsr_error_mode tsr_set_error_mode(tsr_error_mode mode);

/** An open scope of an error mode, as TSR_ERRORS() declares it. */
typedef struct tsr_errors_scope {
  uint64_t context;      /* number of the context that it belongs to; 0: it is closed */
  tsr_error_mode before; /* the mode that its end sets */
  bool had_error;        /* there was one when it was opened */
  const tsr_location *where;
} tsr_errors_scope;

/** Open and close by hand (bindings); TSR_ERRORS() does both. Collective. */
TSR_API tsr_errors_scope tsr_errors_open(const tsr_location *where, tsr_error_mode mode);
TSR_API void tsr_errors_close(tsr_errors_scope *scope);

#ifndef __cplusplus
/** A declaration, TSR_ERRORS(RETURN) or TSR_ERRORS(ABORT): the error mode from here to the end of
 * the block, also in the functions that it calls; its end sets the mode that was there before.
 *
 *  Collective. For the part of a program that goes on after an error: calls return a status, the
 * null handle or NaN there, and tsr_take_error tells what it was. An error of the scope that nobody
 * has taken at its end is then what it is outside: where the mode is ABORT, it is printed and the
 * job ends. What only running finds (no memory, a task that fails) is an error of the call that
 * waits for it, so read, or call tsr_barrier, inside. A longjmp past the end leaves the mode to the
 * scope around it. */
#define TSR_ERRORS(mode) TSR__ERRORS(TSR__PASTE(tsr_errors_, __COUNTER__), TSR_ERRORS_##mode)
#define TSR__ERRORS(id, mode) TSR__ERRORS_(id, mode)
#define TSR__ERRORS_(id, mode)                                                                     \
  TSR__SITE(id##_at, "TSR_ERRORS", #mode);                                                         \
  __attribute__((cleanup(tsr_errors_close), unused)) tsr_errors_scope id =                         \
      tsr_errors_open(&id##_at, mode)
#endif

/** The whole text of the context's first error since it was last taken; "" if there is none. Valid
 * until the next call of this function or tsr_take_error on this context. Not collective. Without a
 * context a text that says so. */
TSR_API const char *tsr_last_error(void);

/** Take the first error: its status (TSR_OK if none), its text into `text` (may be NULL; at most
 * `size` bytes with the terminator). The context is without error afterwards. Collective: every
 * rank takes it at the same place. TSR_ERR_ARGUMENT without a context. */
TSR_API tsr_status tsr_take_error(char *text, size_t size);

/** The status of the first error, where the mode is TSR_ERRORS_THROW; TSR_OK in other modes, and
 * without a context. What a language with exceptions asks after a call. Not collective. */
TSR_API tsr_status tsr_error_to_throw(void);

/** Ask that the program be interrupted on all ranks: each of them learns of it in its next read,
 * barrier or other call on whose errors the ranks agree, and tsr_take_interrupt says so behind it.
 * Nothing that runs is broken off. Any thread may call it, and so may a handler of a signal; it
 * must not come after the context's end. Not collective. NULL is ignored. */
TSR_API void tsr_interrupt(tsr_context *context);

/** Did a rank ask for an interrupt before the ranks agreed last? The answer is the same on all
 * ranks, and is forgotten by asking. False without a context. */
TSR_API bool tsr_take_interrupt(void);

#ifndef __cplusplus
/** Run all recorded operations now and wait; but kernels of a GPU may still run on return, if
 * nothing else has to do with them: reads wait for what they read, and tsr_barrier for everything.
 * So time a program between two calls of tsr_barrier. Collective. */
TSR_API tsr_status tsr_flush(void);

/** tsr_flush, then wait for all ranks, which agree on errors here. Collective. Returns the first
 * error of what ran, on any rank; TSR_ERR_DIVERGED if the ranks did not make the same calls. */
TSR_API tsr_status tsr_barrier(void);

/** Seconds on rank 0's clock, from an arbitrary start: the same value on every rank. Collective;
 * waits for rank 0, does not flush. This rank's own clock on TSR_ERR_DIVERGED. */
TSR_API double tsr_time(void);

#endif

/** How many passes over memory this rank's operations have taken so far: operations that ran in one
 * loop are one pass. What waits, or is deferred, has taken none yet. Not collective; 0 without a
 * context. */
TSR_API uint64_t tsr_n_passes(void);

/** printf on rank 0's stdout; the arguments are evaluated on every rank (they may read arrays).
 * Collective only through its arguments. Returns what printf does, 0 on other ranks. */
TSR_API int tsr_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** An option of a program's command line: one of `integer`, `number` and `text` is where its value
 * goes, which holds the default before. */
typedef struct tsr_option {
  const char *name; /* as it is typed: "-n", "--tolerance" */
  const char *help; /* one line; `--help` adds range and default */
  int64_t *integer;
  double *number;
  const char **text;  /* then borrowed from argv */
  double least, most; /* of a number, inclusive; both 0: any number */
} tsr_option;

/** Read a program's command line into the options' values; an option without a name ends them:
 *
 *   const tsr_option options[] = {{"-n", "points", .integer = &n, .least = 1, .most = 1e6}, {0}};
 *   const int status = tsr_options(argc, argv, "What the program does.", options);
 *   if (status >= 0) return tsr_finalize() == TSR_OK ? status : 1;
 *
 *  After tsr_init. `-n 5` and `-n=5` are the same. Returns -1 to go on, or the status to exit with:
 * 0 after `--help` or `-h`, which print `about`, the options, their ranges and defaults, 2 after a
 * line on stderr about an option that there is not, or a value that is missing or outside its
 * range. Rank 0 prints. Not collective. */
TSR_API int tsr_options(int argc, char **argv, const char *about, const tsr_option *options);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
namespace tessera {

/** A scope of an error mode (TSR_ERRORS, tessera/context.h). */
class errors_scope {
public:
  explicit errors_scope(tsr_error_mode mode, place at = place())
      : scope_(tsr_errors_open(at.record("tessera::errors_scope"), mode))
  {
  }
  ~errors_scope()
  {
    tsr_errors_close(&scope_);
  }
  errors_scope(const errors_scope &) = delete;
  errors_scope &operator=(const errors_scope &) = delete;

private:
  tsr_errors_scope scope_;
};

} /* namespace tessera */

#define TSR_ERRORS(mode)                                                                           \
  ::tessera::errors_scope TSR__PASTE(tsr_errors_, __COUNTER__)(TSR_ERRORS_##mode)
#endif

#include "tessera/generated/context.h"

#ifdef __cplusplus
namespace tessera {

inline void check()
{
#ifdef __cpp_exceptions
  if (tsr_error_to_throw() == TSR_OK) return;
  const error thrown(tsr_error_to_throw(), tsr_last_error());
  (void)tsr_take_error(nullptr, 0);
  throw thrown;
#endif
}

/** While it lives, a call that fails throws a tessera::error. Every rank opens and closes it. What
 * C calls back (a task, a function of tsr_run_ranks) lets no exception out. */
class exceptions {
public:
  exceptions() : before_(tsr_set_error_mode(TSR_ERRORS_THROW))
  {
  }
  ~exceptions()
  {
    if (tsr_context_current()) tsr_set_error_mode(before_);
  }
  exceptions(const exceptions &) = delete;
  exceptions &operator=(const exceptions &) = delete;

private:
  tsr_error_mode before_;
};

/** A program's use of Tessera: tsr_init, and tsr_finalize at the end of the block. Declared first,
 * it outlives the arrays of the block. A program that cannot start ends here. */
class session {
public:
  session(int *argc, char ***argv)
  {
    if (tsr_init(argc, argv) != TSR_OK) std::exit(1);
  }
  ~session()
  {
    if (tsr_context_current()) (void)tsr_finalize();
  }
  session(const session &) = delete;
  session &operator=(const session &) = delete;
};

} /* namespace tessera */
#endif

#endif
