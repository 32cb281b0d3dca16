/* Programs of steps that are drawn at random: 1 to 3 axes, 1 to 4 fields of different shapes,
 * offsets up to 3, borders of one row or two, reads at the opposite end, rolls, strided, flipped and
 * transposed views, red and black points, updates in place, residuals, coefficients that are arrays
 * of one element, tasks; and, where distances need not be small, rows that all points read, scans
 * and products. And the same by a serial loop over the same points. */
#ifndef TSR_TESTS_STEP_DRAW_H
#define TSR_TESTS_STEP_DRAW_H

#include "array_test.h"

enum {
  MOST_FIELDS = 4,
  MOST_TERMS = 5,
  MOST_STATEMENTS = 10,
  MOST_ELEMS = 62000,
  MOST_ROUNDS = 13
};

/** What a step reads: a box of a field, times a coefficient. */
typedef struct term {
  int field;
  int64_t start[3], step[3];
  unsigned flipped; /* bit k: axis k of the statement goes from its end */
  int turned[2];    /* axes that are exchanged; equal: none are */
  double coefficient;
  bool by_array;  /* times the array of one element, too */
  unsigned fixed; /* bit k: axis k is not moved, so that all points read one row */
} term;

/** The axis of the statement that axis k of the field goes along. */
static inline int turned_axis(const term *t, int k)
{
  return k == t->turned[0] ? t->turned[1] : k == t->turned[1] ? t->turned[0] : k;
}

/* A residual is read by what follows; what is watched is read when all steps have run. */
typedef enum statement_kind {
  LINEAR,
  ROLL,
  RESIDUAL,
  WATCHED,
  TASK,
  SCAN,   /* along an axis, each element gets a part of the greatest before it */
  PRODUCT /* each row is multiplied by a matrix of two diagonals */
} statement_kind;

/* The task declares nothing else; that a chunk has a grain of points; that it has a whole axis. */
typedef enum task_kind { TASK_PLAIN, TASK_OF_GRAIN, TASK_OF_WHOLE_AXIS } task_kind;

/** Each point of a box gets the sum of some terms, as they were before; or a field is rolled. */
typedef struct statement {
  statement_kind kind;
  bool is_border, is_colour;
  int field;
  int64_t start[3], step[3], n[3];
  unsigned flipped; /* bit k: it is written from the end of axis k on */
  int n_terms;
  term terms[MOST_TERMS];
  int axis;
  int64_t shift; /* of a roll */
  task_kind task;
  int every; /* rounds */
} statement;

typedef struct drawn {
  uint64_t seed;
  bool is_near;    /* all distances are constant and small, modulo a period where ends meet */
  bool is_shallow; /* ends meet, or a field is read whole, so that ranks exchange each step */
  bool has_far;    /* a field that is written is read turned or flipped: at no constant distance */
  int ndim, n_fields, n_statements, n_rounds;
  int n_border_rows;
  int source; /* the field that nobody writes; -1: there is none */
  int64_t shape[MOST_FIELDS][3];
  statement statements[MOST_STATEMENTS];
} drawn;

/** What a program may have. */
typedef enum drawn_property {
  HAS_ONE_AXIS,
  HAS_TWO_AXES,
  HAS_THREE_AXES,
  HAS_SEVERAL_FIELDS,
  HAS_SEVERAL_SHAPES,
  HAS_OFFSET_3,
  HAS_BORDERS,
  HAS_SEVERAL_BORDERS,
  HAS_PERIOD,
  HAS_ROLL,
  HAS_STRIDE,
  HAS_COLOURS,
  HAS_FLIP,
  HAS_TRANSPOSE,
  HAS_RESIDUAL,
  HAS_WATCHED,
  HAS_ARRAY_COEFFICIENT,
  HAS_UPDATE_IN_PLACE,
  HAS_TASK,
  HAS_FLIPPED_WRITE,
  HAS_OTHER_STRIDE,
  HAS_WIDE_BORDER,
  HAS_TWICE_THE_LENGTH,
  HAS_TASK_OF_GRAIN,
  HAS_TASK_OF_WHOLE_AXIS,
  HAS_GATHER,
  HAS_FAR_ROLL,
  HAS_SCAN,
  HAS_PRODUCT,
  N_PROPERTIES
} drawn_property;

const char *drawn_property_name(drawn_property property);
/** The properties of a program, as bits. */
unsigned drawn_properties(const drawn *p);

/** is_long: of the length along axis 0 that steps pay to be tiled in a small cache. */
drawn draw_program(uint64_t seed, bool is_long);

typedef struct outcome {
  const drawn *program;
  double values[MOST_FIELDS][MOST_ELEMS], sums[MOST_ROUNDS], watched[MOST_ROUNDS], scale;
  int64_t cache_bytes;        /* pretended, of the second level; 0: what there is */
  uint64_t n_tiled, n_groups; /* of rank 0 */
  /* of all ranks: messages, plans that have chains, and those that the verifier followed */
  uint64_t n_messages, n_tiled_plans, n_tiled_verified;
} outcome;

/** What a serial loop makes of the program. */
void refer(outcome *o);

#endif
