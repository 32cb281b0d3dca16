/* The parser of the text language, shared by its parts: text/parser.c (its state), text/parse.c
 * (expressions, slices, statements), text/call.c (names, functions, methods), text/words.c (what
 * words mean). */
#ifndef TSR_TEXT_INT_H
#define TSR_TEXT_INT_H

#include "array/text/text.h"
#include "array/text/functions.h"
#include "kernel/ir/kernel.h"
#include "tessera/operand.h"

/** The longest word that is looked up or suggested. */
#define TSR_TEXT_WORD_MAX 32

/** Deepest nesting of brackets, unary operators and powers. */
#define TSR_TEXT_MAX_DEPTH 256

/** What an error says that a statement takes, and one of a kernel. */
#define TSR_TEXT_ASSIGNMENTS                                                                       \
  "`=`, `+=`, `-=`, `*=`, `/=`, `//=`, `%=`, `**=`, `@=`, `&=`, `|=`, `^=`, `<<=` or `>>=`"
#define TSR_TEXT_POINT_ASSIGNMENTS                                                                 \
  "`=`, `+=`, `-=`, `*=`, `/=`, `//=`, `%=`, `**=`, `&=`, `|=`, `^=`, `<<=` or `>>=`"

/** A name that a kernel's statements give a value. */
typedef struct tsr_text_local {
  char *name;
  int32_t node; /* its value so far; -1: none yet */
} tsr_text_local;

/** What the parser knows of a user's kernel. */
typedef struct tsr_text_locals {
  const tsr_kernel_text *kernel;
  int n, capacity;
  tsr_text_local *v; /* outputs first */
} tsr_text_locals;

typedef struct tsr_text_parser {
  tsr_lexer lexer;
  tsr_token token;  /* not yet taken */
  size_t taken_end; /* one past the last byte of the token taken last */
  tsr_script *s;
  int32_t capacity_nodes, capacity_kids, capacity_items, capacity_statements;
  bool *used; /* [n_args] */
  int depth;
  bool takes_several;      /* several targets wait for a call of several results */
  tsr_text_locals *locals; /* of a kernel, else NULL */
  tsr_text_error *error;
} tsr_text_parser;

/* Each parse function returns the node made (>= 0), or a negative status with ps->error filled. */

/** Fill the error; returns `status`. */
tsr_status tsr__text_fail(tsr_text_parser *ps, tsr_status status, size_t at, const char *fmt, ...)
    __attribute__((cold, format(printf, 4, 5)));
void tsr__text_help(tsr_text_parser *ps, const char *fmt, ...)
    __attribute__((cold, format(printf, 2, 3)));
/** "expected `what`, not `token`" at the token. */
tsr_status tsr__text_unexpected(tsr_text_parser *ps, const char *what);

void tsr__text_take(tsr_text_parser *ps);
bool tsr__text_is(const tsr_text_parser *ps, uint32_t punct);
bool tsr__text_is_word(const tsr_text_parser *ps, const tsr_token *t, const char *word);
/** Take the punctuation or fail with "expected …". */
tsr_status tsr__text_expect(tsr_text_parser *ps, uint32_t punct, const char *what);

/** The array with room for `needed` elements. */
void *tsr__text_grow(void *v, int32_t *capacity, int32_t needed, size_t bytes);
int32_t tsr__text_node(tsr_text_parser *ps, tsr_node_kind kind, size_t at, int n_kids,
                       const int32_t *kids);
int32_t tsr__text_expression(tsr_text_parser *ps);

/** The same without a kernel's `if`, `and`, `or`, `not`: one comparison. */
int32_t tsr__text_comparison(tsr_text_parser *ps);
/** One level deeper, for recursion; `depth` is to be counted down after. */
tsr_status tsr__text_enter(tsr_text_parser *ps);
/** Statements by `one`, apart from each other, up to the end. */
tsr_status tsr__text_statements(tsr_text_parser *ps, tsr_status (*one)(tsr_text_parser *));
/** Append to the script's statements. */
void tsr__text_add_statement(tsr_text_parser *ps, const tsr_statement *st);
/** The sign of an assignment, 'f' for //=, 'p' for **=; 0 if the token is none. */
char tsr__text_assignment(const tsr_token *t);

/* Of kernels, text/kernel.c. */

/** x if c else y; or, and, not. */
int32_t tsr__text_choice(tsr_text_parser *ps);
/** At "[" behind x: an element of a raw argument. */
int32_t tsr__text_element(tsr_text_parser *ps, int32_t x);
/** The value of a name that a kernel has and other texts have not (taken), or -1 with the token not
 * taken; other negative numbers are errors. */
int32_t tsr__text_local(tsr_text_parser *ps);

/** At a NAME token: an argument, a constant, a function call. */
int32_t tsr__text_word(tsr_text_parser *ps);
/** After "x.": a method or T. */
int32_t tsr__text_method(tsr_text_parser *ps, int32_t x);
/** "axis=": an option follows; its name is the token. */
bool tsr__text_is_option(const tsr_text_parser *ps);
tsr_status tsr__text_dtype(tsr_text_parser *ps, int *out);
/** What a call in the text gives, by slot of its parameters (text/given.c). */
typedef struct tsr_text_values {
  const char *name; /* of the function */
  int n_parameters;
  tsr_text_parameter p[TSR_TEXT_PARAMETERS];
  int32_t kids[TSR_TEXT_SLOTS][TSR_MAX_OP_ARGS];
  int8_t n[TSR_TEXT_SLOTS]; /* of kids; -1: not given */
  int dtype;                /* -1: not given */
  unsigned tuples, seen;    /* bits of slots, of parameters that stand in the call */
} tsr_text_values;
/** At "(": read the values for the parameters of `row`, up to ")"; self: the value for the first
 * one, -1 where it is no method. */
tsr_status tsr__text_call_values(tsr_text_parser *ps, const char *name, const char *row, size_t at,
                                 int32_t self, tsr_text_values *out);
/** All of them, parameter by parameter; returns how many. */
int tsr__text_all_kids(const tsr_text_values *g, int32_t *kids);
/** At "(": the call of a row of text/functions.h, as a method of `self` if that is not -1. */
int32_t tsr__text_function_call(tsr_text_parser *ps, int function, size_t at, int32_t self);
/** At a tuple, also in further brackets: take them; returns how many, with the one that ends it. 0:
 * there is no tuple, and nothing is taken. */
int tsr__text_open_tuple(tsr_text_parser *ps, char *end);
tsr_status tsr__text_close_tuple(tsr_text_parser *ps, int level, char end);

/** What a word stands for: a row, an operation, a dtype. */
typedef enum tsr_text_kind {
  TSR_TEXT_NONE,
  TSR_TEXT_OP,
  TSR_TEXT_CAST,
  TSR_TEXT_ROW
} tsr_text_kind;
typedef struct tsr_text_word_meaning {
  tsr_text_kind kind;
  int code;
  char name[TSR_TEXT_WORD_MAX]; /* the word */
} tsr_text_word_meaning;
/** The dtype that the word names, also by one of NumPy's other names; -1: none. */
int tsr__text_dtype_named(const char *word);
/** Also of NumPy's other names, abs for absolute. */
tsr_text_word_meaning tsr__text_meaning(const char *word);

/** Words and signs that C or Python have and this language has not, at the token; TSR_OK if it is
 * none of them (text/unknown.c). */
tsr_status tsr__text_refuse_operator(tsr_text_parser *ps);
/** left < middle < right: nodes, and where the signs are. */
typedef struct tsr_text_chain {
  int32_t left, middle, right;
  size_t first_at, second_at;
  int n_first, n_second;
  bool goes_on; /* a third comparison follows */
} tsr_text_chain;
/** `left < middle < right`, or `left < a & b < right`, whose & binds tighter. */
tsr_status tsr__text_refuse_chain(tsr_text_parser *ps, const tsr_text_chain *chain);
/** There is no function of this name: what else it may be (text/unknown.c). */
tsr_status tsr__text_unknown_function(tsr_text_parser *ps, const tsr_token *t, const char *word);
/** Nor one with a dot in its name, `add.outer`. */
tsr_status tsr__text_unknown_member(tsr_text_parser *ps, const tsr_token *t, const char *word);
/** Arrays have no such method or attribute. */
tsr_status tsr__text_unknown_method(tsr_text_parser *ps, const tsr_token *t, const char *word);
/** There is no argument of this name. */
tsr_status tsr__text_unknown_name(tsr_text_parser *ps, const tsr_token *t, const char *word);

/** The node is a call of several results. */
bool tsr__text_is_several(const tsr_node *n);
/** Result `which` of the `of` (0: any number) that the call gives; it is the last node, or other
 * results of it are. */
int32_t tsr__text_result(tsr_text_parser *ps, int32_t call, int which, int of);
/** Argument `i`, marked as used. */
int32_t tsr__text_arg(tsr_text_parser *ps, const tsr_token *t, int i);

/** The value that Python gives an operator (a node kind) on scalars; b is ignored where it takes
 * one. Returns NULL, or the reason why there is none. text/scalar.c. */
const char *tsr__text_fold(tsr_node_kind kind, tsr_operand a, tsr_operand b, tsr_operand *out);

#endif
