/* The table of the text language's functions. Each row has NumPy's parameters and the function that
 * it calls. */
#ifndef TSR_TEXT_FUNCTIONS_H
#define TSR_TEXT_FUNCTIONS_H

#include "tessera/operand.h"

/** The largest number of parameters of a function, and of those that are taken. */
#define TSR_TEXT_PARAMETERS 12
#define TSR_TEXT_TAKEN 7
/** The index of the bits of tuples in a node's u.given. */
#define TSR_TEXT_TUPLES 7
/** The size of the longest string, with its quotes. */
#define TSR_TEXT_STRING_MAX 128

/** What a call in a text gives. The parameters that are taken are numbered from 0: the index of
 * each. */
typedef struct tsr_text_given {
  const tsr_operand *v[TSR_TEXT_TAKEN];
  int n[TSR_TEXT_TAKEN]; /* number of values; -1: not given, or None */
  int dtype;             /* -1: not given */
  unsigned tuples;       /* bits of the parameters with a tuple, also of one value */
  const char *string;    /* of the first parameter that is one; NULL: not given; borrowed */
  const char *other;     /* of the second */
} tsr_text_given;

/** The node that a row makes if it is not a call of its own. */
typedef enum tsr_text_makes {
  TSR_TEXT_MAKES_CALL,
  TSR_TEXT_MAKES_TRANSPOSE, /* like x.T, a view that can be assigned to */
  TSR_TEXT_MAKES_CLIP,      /* clip, maximum or minimum, depending on the bounds */
  TSR_TEXT_MAKES_ASTYPE
} tsr_text_makes;

/** A row of the table.
 *
 * parameters: as in the signature of NumPy 2.4, with a letter for the kind of each: "x:a,
 * n:axis=None, -:out=None, *, b:keepdims=False". The kinds are:
 *
 *    x  a value, array or scalar          a  an array
 *    i  a whole number                    f  a number
 *    b  True or False                     s  a string
 *    d  a dtype                           D  a dtype, float or complex
 *    n  whole numbers, one or a tuple     m  as n; in a call of a method also one by one
 *    N  as n, or None, which is no value (n is 0, and there is no tuple)
 *    w  whole numbers, one, a tuple, or a tuple of tuples, read one after the other
 *    p  values, as w
 *    q  a value, array or scalar, or a tuple of numbers, which is an array of one axis
 *    j  a whole number, or None, which is no value (n is 0)
 *    l  a list of values                  v  all remaining values
 *    0  one literal, which has no influence on values
 *    -  not taken: only NumPy's default may be written
 *
 * A default makes a parameter optional; "=None" takes None. Parameters before "/" are given by
 * place only, those after "*" or a v by name only.
 *
 * is_method: the function may also be called as x.name(…). One of the function pointers makes the
 * call. They differ in the result: an array; several arrays, written to `out` (at most
 * TSR_MAX_OPERANDS), of which the function returns the number, or 0 after an error; a truth value,
 * for which the call waits; a whole number that is known at once, or false after an error. */
typedef struct tsr_text_function {
  const char *name, *parameters;
  bool is_method;
  uint8_t makes; /* tsr_text_makes */
  tsr_array (*call)(const tsr_location *where, const tsr_text_given *g);
  int (*calls)(const tsr_location *where, const tsr_text_given *g, tsr_array *out);
  bool (*tells)(const tsr_location *where, const tsr_text_given *g);
  bool (*counts)(const tsr_location *where, const tsr_text_given *g, int64_t *out);
} tsr_text_function;

/** Returns row i of the table that tools/api.table generates; NULL after the last. */
const tsr_text_function *tsr__text_function(int i);
/** Returns the number of the row with the name, or -1. */
int tsr__text_function_named(const char *name);

/** A parameter of a row. */
typedef struct tsr_text_parameter {
  char kind;
  bool is_optional, takes_none, by_position, by_name;
  int index;                    /* among the parameters that are taken; -1: not taken */
  const char *name, *otherwise; /* n_name and n_otherwise bytes of the row */
  size_t n_name, n_otherwise;
} tsr_text_parameter;
/** Reads the parameters of a row; returns their number. */
int tsr__text_parameters(const char *row, tsr_text_parameter out[TSR_TEXT_PARAMETERS]);

/** Returns the parameters of any function of the text language: of rows, operations of
 * kernel/ops/ops.def, and other names for them; NULL if there is no such function. */
const char *tsr__text_parameters_of(const char *name);
/** Calls visit(context, name) for the name of every function, twice for a row that is also an
 * operation. */
void tsr__text_each_name(void (*visit)(void *context, const char *name), void *context);

#endif
