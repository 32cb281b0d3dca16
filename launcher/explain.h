/* What each error code means: the table behind `tessera explain`. */
#ifndef TSR_EXPLAIN_H
#define TSR_EXPLAIN_H

/** The explanation of one code; all strings are static. `example` and `mended` are C lines, ""
 * where there is nothing to show. */
typedef struct tsr_explanation {
  const char *code;  /* "TSR0203" */
  const char *title; /* one line */
  const char *text;  /* the rule, in sentences */
  const char *example, *mended;
} tsr_explanation;

int tsr__n_explanations(void);
/** The i-th explanation, 0 <= i < tsr__n_explanations(), in ascending order of codes. */
const tsr_explanation *tsr__explanation(int i);

#endif
