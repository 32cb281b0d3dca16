/* The walk over a window by which remembered plans are found: its ops with their operands, in
 * order, then its regions.
 *
 * Two encodings are made by it, the key of a window (key.c) and its form (form.c). Each says what
 * it has of a thing, as 64-bit words, and each has two sinks: the words are written, or compared
 * with those that are there. Which of the two is a constant of each call, and the walk is inlined
 * with what it calls, since comparing is what a replayed step spends its time on. */
#ifndef TSR_FLUSH_WALK_H
#define TSR_FLUSH_WALK_H

#include "program/canonical.h"

#define TSR_INLINED static inline __attribute__((always_inline))

/** What an encoding has of each thing. match: words are compared. Each returns false where words
 * differ, or where the window has no such encoding; then the walk ends. */
typedef struct tsr_encoding {
  /** A word. */
  bool (*word)(void *x, const bool match, int64_t word);
  /** An op without its operands. head: what both encodings have of it. */
  bool (*op)(void *x, const bool match, const tsr_op *op, int64_t head);
  /** An operand that is no scalar. */
  bool (*in)(void *x, const bool match, const tsr_op_in *in);
  /** All ops have come. (optional) */
  void (*after_ops)(void *x, const bool match);
  bool (*region)(void *x, const bool match, const tsr_region *r);
} tsr_encoding;

/** The next word of a sink, at *at. */
TSR_INLINED bool tsr__word(int64_t **at, const bool match, int64_t word)
{
  if (match) return *(*at)++ == word;
  *(*at)++ = word;
  return true;
}

TSR_INLINED int64_t tsr__op_head(const tsr_op *op)
{
  return op->kind | op->n_in << 8 | op->compute << 16 | op->result << 24 | (int64_t)op->code << 32 |
         (int64_t)op->keepdims << 48 | (int64_t)op->creates << 49 | (int64_t)op->ran << 50 |
         (int64_t)op->follows << 51 | (int64_t)op->side << 59;
}

/** Walk over the window, whose regions are numbered. wish: what else the caller wants to tell
 * apart. Nothing behind the words of an encoding is read: a window of another length differs in an
 * earlier word. */
TSR_INLINED bool tsr__walk(const tsr_encoding *e, void *x, const bool match, const tsr_window *w,
                           const tsr_names *names, int64_t wish)
{
  if (!e->word(x, match, wish) || !e->word(x, match, w->n_ops) ||
      !e->word(x, match, names->n_regions))
    return false;
  for (int32_t i = 0; i < w->n_ops; i++) {
    const tsr_op *op = w->ops[i];
    if (!e->op(x, match, op, tsr__op_head(op))) return false;
    for (const tsr_op_in *in = op->in, *end = in + op->n_in; in < end; in++)
      if (in->region != NULL ? !e->in(x, match, in)
                             : !e->word(x, match, -1 - (int64_t)in->scalar.dtype))
        return false;
  }
  if (e->after_ops != NULL) e->after_ops(x, match);
  for (int32_t i = 0; i < names->n_regions; i++)
    if (!e->region(x, match, names->regions[i])) return false;
  return true;
}

#endif
