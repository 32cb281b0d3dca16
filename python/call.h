/* A call of a row of tools/api.table: rows.c has the rows, bind.c gives arguments their parameters,
 * and call.c makes the call. */
#ifndef TPY_CALL_H
#define TPY_CALL_H

#include "binding.h"

/** The arguments of one call. */
typedef struct tpy_arguments {
  const tpy_row *row;
  tpy_given g;
  PyObject *const *rest; /* all further positional arguments */
  Py_ssize_t n_rest;
  PyObject *out, *mask; /* out= and where=, which have no indices */
  tsr_casting casting;  /* the rule of dtype= and of out= */
  PyObject *self;       /* the array of a method */
  /* The caller's stack has `self` in front of the arguments: the array of a bound method that the
   * program keeps does not lie there. */
  bool is_on_stack;
  tsr_array *list;
  Py_ssize_t n_owned;
  PyObject **owned, *few_owned[TPY_NUMBERS + TPY_TAKEN];
  tsr_array few[TPY_NUMBERS];
  bool is_not_copied;   /* copy=False, of what makes a copy by default */
  bool is_column_major; /* order="F" */
  bool is_beyond; /* an argument is beyond the row: the row's Python function is to be called */
} tpy_arguments;

/* bind.c */
/** Read a row's text into its parameters. */
bool tpy_read_parameters(tpy_row *row);
/** Give each argument its parameter. False: an exception is set, or `is_beyond` is. */
bool tpy_bind(tpy_arguments *c, PyObject *self, PyObject *const *args, Py_ssize_t n,
              PyObject *names);

#endif
