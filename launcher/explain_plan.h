/* `tessera explain --plan`: runs a program, and prints for each of its plans where groups of
 * operations ran, by which way, and why. */
#ifndef TSR_EXPLAIN_PLAN_H
#define TSR_EXPLAIN_PLAN_H

/** argv: what `tessera run` takes. Returns the program's exit status, or 1 if it could not be
 * started. */
int tsr__explain_plan(int argc, char **argv);

#endif
