/* The names of functions: the table's, and other names that NumPy has for them. */
#ifndef TSR_NAMES_H
#define TSR_NAMES_H

/** Returns the name that the table has for a function of NumPy's, such as "remainder" for "mod";
 * else the word itself. */
const char *tsr__plain_name(const char *word);
/** Returns other name i; NULL after the last. */
const char *tsr__other_name(int i);
/** Returns the elementwise operation of the name, or of another name for it; -1 if there is
 * none. */
int tsr__op_named(const char *name);

#endif
