/* The cache of parsed texts by call site. */
#ifndef TSR_TEXT_CACHE_H
#define TSR_TEXT_CACHE_H

#include "array/views/slice_cache.h"
#include "array/text/text.h"
#include "tessera/operand.h"

/** A script and what its evaluations need. Errors, profiles and arrays refer to its locations, so a
 * cached script lives as long as its context. */
typedef struct tsr_parsed {
  const tsr_location *where; /* the call site */
  const char *text;          /* the caller's text; the script has a copy */
  bool is_exec, is_cached;
  tsr_script *script;
  tsr_operand *values;    /* [n_nodes], of the current evaluation; constants are set once */
  tsr_slice_item *items;  /* [script->n_items], with the numbers of the last evaluation */
  tsr_slice_memo *slices; /* [n_nodes], the view that each slice made last */
  int n_results;          /* results of the last call of several results */
  tsr_array results[TSR_MAX_OPERANDS];
  /** [n_nodes + n_statements]: the call that each node stands for, as if written in C at the call
   * site, with op "tsr_add" and the text of its operands as args. NULL if the script is not
   * cached. */
  tsr_location *locations;
  char *words; /* the strings of the locations */
} tsr_parsed;

/** Makes what the evaluations of a script need, without a call site. Takes the script. */
tsr_parsed *tsr__parsed_new(tsr_script *script);
void tsr__parsed_destroy(tsr_parsed *parsed); /* NULL is ignored */
/** Records the operations of a kernel's script, all by the call at `where`, over its inputs, which
 * are arrays. name: the kernel's, for errors. index: the flat index of the points, for scripts
 * with `i`; n_points: their number, for scripts with `n`. Returns false if an operation failed;
 * otherwise parsed->values holds the values of the nodes. */
bool tsr__parsed_run(const tsr_location *where, const char *name, tsr_parsed *parsed,
                     const tsr_operand *inputs, tsr_operand index, int64_t n_points);

struct tsr_scripts;

/** Returns the parsed text of a call from the context's table (*scripts, made on first use), or
 * parses it. Returns NULL with *error. A call site may bring different texts; the first 1,024
 * texts are cached. The caller calls tsr__text_done after use. */
tsr_parsed *tsr__text_find(struct tsr_scripts **scripts, const tsr_location *where,
                           const char *text, bool is_exec, int n_args, tsr_text_error *error);
/** Frees a parsed text that is not cached. */
void tsr__text_done(tsr_parsed *parsed);

#endif
