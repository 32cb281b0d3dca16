/* The functions of the text language that take more than values and options of reductions: shapes,
 * lists of arrays, dtypes, strings. One row each, as data: its parameters and what it calls. */
#ifndef TSR_TEXT_FUNCTIONS_H
#define TSR_TEXT_FUNCTIONS_H

#include "tessera/operand.h"

/** Most parameters of a function. */
#define TSR_TEXT_PARAMETERS 6
/** Where a node's u.given has the bits of tuples. */
#define TSR_TEXT_TUPLES 7
/** Longest string, with its quotes. */
#define TSR_TEXT_STRING_MAX 128

/** What a call in a text gives: values in the order of the parameters. */
typedef struct tsr_text_given {
  const tsr_operand *v[TSR_TEXT_PARAMETERS];
  int n[TSR_TEXT_PARAMETERS]; /* of values; -1: not given */
  int dtype;                  /* -1: not given */
  unsigned tuples;            /* bits of the parameters that are tuples, also of one value */
  const char *string;         /* borrowed */
} tsr_text_given;

/** A row. parameters: words "k:name", or "k:name?" where it may be left out, k being
 *   x  a value: array or scalar     a  an array             i  a whole number
 *   f  a number                     b  True or False        d  a dtype
 *   n  whole numbers, one or a tuple; as the last parameter of a method also one by one
 *   w  whole numbers, one, a tuple, or a tuple of tuples, read one after the other
 *   l  a list of values             v  all values that are left
 *   s  a string
 * is_method: may be called as x.name(…), too. What it gives is one of: an array; several arrays
 * (into out, TSR_MAX_OPERANDS at most; returns how many, or 0 after an error); a truth, for which
 * it waits. */
typedef struct tsr_text_function {
  const char *name, *parameters;
  bool is_method;
  tsr_array (*call)(const tsr_location *where, const tsr_text_given *g);
  int (*calls)(const tsr_location *where, const tsr_text_given *g, tsr_array *out);
  bool (*tells)(const tsr_location *where, const tsr_text_given *g);
} tsr_text_function;

/** Row i of the table; NULL behind the last. */
const tsr_text_function *tsr__text_function(int i);
/** Its number, or -1. */
int tsr__text_function_named(const char *name);

/** One parameter; at: NULL behind the last. */
typedef struct tsr_text_parameter {
  char kind;
  bool is_optional;
  const char *name; /* n_name bytes */
  size_t n_name;
} tsr_text_parameter;
/** Parameters of a row; returns how many. */
int tsr__text_parameters(const tsr_text_function *f, tsr_text_parameter out[TSR_TEXT_PARAMETERS]);

#endif
