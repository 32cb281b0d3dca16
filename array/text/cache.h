/* Parsed texts by call site. */
#ifndef TSR_TEXT_CACHE_H
#define TSR_TEXT_CACHE_H

#include "array/views/slice_cache.h"
#include "array/text/text.h"
#include "tessera/operand.h"

/** A script with what its evaluations need. Errors, profiles and arrays quote its locations, so
 * those of kept scripts live as long as the context. */
typedef struct tsr_parsed {
  const tsr_location *where; /* the call site */
  const char *text;          /* as given there; the script has a copy */
  bool is_exec, is_kept;
  tsr_script *script;
  tsr_operand *values;    /* [n_nodes], of the evaluation that runs; constants are there before */
  tsr_slice_item *items;  /* [script->n_items] with the numbers of the last evaluation */
  tsr_slice_memo *slices; /* [n_nodes] what each slice made last */
  int n_results;          /* of the call of several results that ran last */
  tsr_array results[TSR_MAX_OPERANDS];
  /** [n_nodes + n_statements]: the call that each node stands for, as if written in C at the call
   * site: op "tsr_add", args the text of its operands. NULL where not kept. */
  tsr_location *locations;
  char *words; /* what the locations point to */
} tsr_parsed;

/** What the evaluations of a script need, without a call site; takes the script. */
tsr_parsed *tsr__parsed_new(tsr_script *script);
void tsr__parsed_destroy(tsr_parsed *parsed); /* NULL is ignored */
/** Record the operations of a kernel's script, all by the call at `where`, over its inputs, each an
 * array. name: the kernel's, for errors. index: the points' numbers, where the script has `i`.
 * False if one failed, else parsed->values holds the values of the nodes. */
bool tsr__parsed_run(const tsr_location *where, const char *name, tsr_parsed *parsed,
                     const tsr_operand *inputs, tsr_operand index);

struct tsr_scripts;

/** The parsed text of a call, from the context's table (*scripts, made on first use) or parsed now.
 * NULL with *error. The same call site may bring different texts; the first 1,024 texts are kept.
 * Call tsr__text_done after use. Cost: ~20 ns where it is kept. */
tsr_parsed *tsr__text_find(struct tsr_scripts **scripts, const tsr_location *where,
                           const char *text, bool is_exec, int n_args, tsr_text_error *error);
/** Frees one that is not kept. */
void tsr__text_done(tsr_parsed *parsed);

#endif
