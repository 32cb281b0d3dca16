/* Errors, logging and assertions. An error has a code, the operation, where the program asked for
 * it, what it got and wanted, and a help line. The world keeps the first error. */
#ifndef TSR_ERROR_H
#define TSR_ERROR_H

#include "tessera/base.h"
#include "runtime/base/text.h"

/** An error being written and then stored:
 *    error[TSR0203]: cannot broadcast shapes (4096, 128) and (4096, 64) in `tsr_add`
 *      --> heat.c:57 in step()          (rank 0)
 *       a: (4096, 128) float32, made at heat.c:31 by tsr_zeros                 tsr__error_note
 *       = axis 1 differs: 128 and 64; broadcasting needs equal lengths or 1    tsr__error_rule
 *    help: `tessera explain TSR0203` shows the rule with examples              tsr__error_help */
typedef struct tsr_error {
  tsr_status status; /* TSR_OK: there is no error */
  tsr_text headline, notes, help;
  const tsr_location *where; /* may be NULL */
} tsr_error;

/** Begin a new error; what e held is freed. " in `tsr_add`" is added from where->op unless the
 * headline names the operation already. */
void tsr__error_begin(tsr_error *e, tsr_status status, const tsr_location *where, const char *fmt,
                      ...) __attribute__((format(printf, 4, 5)));
void tsr__error_note(tsr_error *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tsr__error_rule(tsr_error *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/** The first call replaces the default help; each further one adds a line. */
void tsr__error_help(tsr_error *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/** Add a line of source and a caret under its byte `at` (for slices and text expressions). */
void tsr__error_caret(tsr_error *e, const char *source, size_t at);
/** The whole message, ending in a newline, malloc'd. ranks: "rank 0" or "ranks 0-3"; NULL leaves
 * the ranks out. colour: with ANSI colours. */
char *tsr__error_text(const tsr_error *e, const char *ranks, bool colour);
void tsr__error_clear(tsr_error *e);
/** Write the code, "TSR0203", into buf (8 bytes). Returns buf. */
const char *tsr__status_code(tsr_status status, char buf[8]);

/** Write the shape in NumPy's spelling: "(4096, 128)", "(5,)", "()". Returns buf. */
char *tsr__shape_text(int ndim, const int64_t *shape, char *buf, size_t size);

typedef struct tsr_bytes_text {
  char s[24];
} tsr_bytes_text;
/** A number of bytes for people: "512 bytes", "3.5 KiB", "64.0 MiB", "1.5 TiB". */
tsr_bytes_text tsr__bytes_text(size_t bytes);

/** States what only a defect of this library can break. Checked in debug builds only. */
#ifdef NDEBUG
#define TSR_ASSERT(cond) ((void)sizeof(cond))
#else
#define TSR_ASSERT(cond)                                                                           \
  ((cond) ? (void)0 : tsr__assert_failed(#cond, __FILE__, __LINE__, __func__))
#endif
void tsr__assert_failed(const char *cond, const char *file, int line, const char *function)
    __attribute__((noreturn));
/** For a rank that cannot go on, not even to tell the others: says why and aborts the job. */
void tsr__fatal(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
/** Return the status of a call that failed to the caller. */
#define TSR_TRY(call)                                                                              \
  do {                                                                                             \
    tsr_status tsr_try_status = (call);                                                            \
    if (tsr_try_status < 0) return tsr_try_status;                                                 \
  } while (0)

#endif
