/* The functions of the text language as data: each is a row with NumPy's parameters and what it
 * calls. */
#ifndef TSR_TEXT_FUNCTIONS_H
#define TSR_TEXT_FUNCTIONS_H

#include "tessera/operand.h"

/** Most parameters of a function, and most of them that are taken. */
#define TSR_TEXT_PARAMETERS 12
#define TSR_TEXT_SLOTS 7
/** Where a node's u.given has the bits of tuples. */
#define TSR_TEXT_TUPLES 7
/** Longest string, with its quotes. */
#define TSR_TEXT_STRING_MAX 128

/** What a call in a text gives: values by slot, the parameters that are taken, counted from 0. */
typedef struct tsr_text_given {
  const tsr_operand *v[TSR_TEXT_SLOTS];
  int n[TSR_TEXT_SLOTS]; /* of values; -1: not given, or None */
  int dtype;             /* -1: not given */
  unsigned tuples;       /* bits of the slots that are tuples, also of one value */
  const char *string;    /* borrowed */
} tsr_text_given;

/** A row's nodes, where the call is not a node of its own. */
typedef enum tsr_text_makes {
  TSR_TEXT_MAKES_CALL,
  TSR_TEXT_MAKES_TRANSPOSE, /* as x.T, a view that can be assigned to */
  TSR_TEXT_MAKES_CLIP,      /* clip, maximum or minimum, by the bounds that are given */
  TSR_TEXT_MAKES_ASTYPE
} tsr_text_makes;

/** A row.
 *
 * parameters: as NumPy 2.4's signature has them, "x:a, n:axis=None, -:out=None, *,
 * b:keepdims=False", with a letter for the kind of each:
 *
 *   x  a value, array or scalar          a  an array
 *   i  a whole number                    f  a number
 *   b  True or False                     s  a string
 *   d  a dtype                           D  a dtype, float or complex
 *   n  whole numbers, one or a tuple     m  as n; in a call of a method also one by one
 *   w  whole numbers, one, a tuple, or a tuple of tuples, read one after the other
 *   j  a whole number, or None, which is no value (n is 0)
 *   l  a list of values                  v  all values that are left
 *   0  one literal, which has no influence on values
 *   -  not taken: NumPy's default may be written, all else is refused
 *
 * A default makes a parameter optional; "=None" takes None. What stands before "/" is given by place
 * only, what stands behind "*" or a v by name only.
 *
 * is_method: the function may be called as x.name(…), too. One of the pointers makes the call, by
 * what it gives: an array; several arrays (into out, TSR_MAX_OPERANDS at most; it returns how many,
 * or 0 after an error); a truth, for which it waits; a whole number that is known at once (or false
 * after an error). */
typedef struct tsr_text_function {
  const char *name, *parameters;
  bool is_method;
  uint8_t makes; /* tsr_text_makes */
  tsr_array (*call)(const tsr_location *where, const tsr_text_given *g);
  int (*calls)(const tsr_location *where, const tsr_text_given *g, tsr_array *out);
  bool (*tells)(const tsr_location *where, const tsr_text_given *g);
  bool (*counts)(const tsr_location *where, const tsr_text_given *g, int64_t *out);
} tsr_text_function;

/** Row i of the table, which is made from tools/api.table; NULL behind the last. */
const tsr_text_function *tsr__text_function(int i);
/** Its number, or -1. */
int tsr__text_function_named(const char *name);

/** One parameter. */
typedef struct tsr_text_parameter {
  char kind;
  bool is_optional, takes_none, by_place, by_name;
  int slot;                     /* -1: it is not taken */
  const char *name, *otherwise; /* n_name and n_otherwise bytes of the row */
  size_t n_name, n_otherwise;
} tsr_text_parameter;
/** Parameters of a row; returns how many. */
int tsr__text_parameters(const char *row, tsr_text_parameter out[TSR_TEXT_PARAMETERS]);

/** The parameters of any function of the text language: rows, operations of kernel/ops/ops.def,
 * other names for them; NULL if there is none. */
const char *tsr__text_parameters_of(const char *name);
/** Calls visit(context, name) for the names of all functions; a row that is also an operation comes
 * twice. */
void tsr__text_each_name(void (*visit)(void *context, const char *name), void *context);

#endif
