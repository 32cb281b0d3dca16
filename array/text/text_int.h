/* The parser of the text language, shared by its files: text/parser.c (its state), text/parse.c
 * (expressions, slices, statements), text/call.c (names, functions, methods), text/words.c (the
 * meaning of words). */
#ifndef TSR_TEXT_INT_H
#define TSR_TEXT_INT_H

#include "array/text/text.h"
#include "array/text/functions.h"
#include "kernel/ir/kernel.h"
#include "tessera/operand.h"

/** The size of the longest word that is looked up or suggested. */
#define TSR_TEXT_WORD_MAX 32

/** The deepest nesting of brackets, unary operators and powers. */
#define TSR_TEXT_MAX_DEPTH 256

/** The signs that errors list as those that a statement takes, and one of a kernel. */
#define TSR_TEXT_ASSIGNMENTS                                                                       \
  "`=`, `+=`, `-=`, `*=`, `/=`, `//=`, `%=`, `**=`, `@=`, `&=`, `|=`, `^=`, `<<=` or `>>=`"
#define TSR_TEXT_POINT_ASSIGNMENTS                                                                 \
  "`=`, `+=`, `-=`, `*=`, `/=`, `//=`, `%=`, `**=`, `&=`, `|=`, `^=`, `<<=` or `>>=`"

/** A local name of a kernel. */
typedef struct tsr_text_local {
  char *name;
  int32_t node;    /* its current value; -1: none yet */
  bool is_written; /* a loop's variable or a parameter: a number or an input that it stands for is
                    * what the text would be if it were written out */
} tsr_text_local;

/** The state of a parser at a token. */
typedef struct tsr_text_position {
  tsr_lexer lexer;
  tsr_token token;
  size_t taken_end;
} tsr_text_position;

/** The statements of a loop or a function, from the first one on. */
typedef struct tsr_text_block {
  tsr_text_position first;
  size_t header, column; /* of the line with `for` or `def`, and of the statements */
  bool is_line;          /* the statements are in the line of the header */
} tsr_text_block;

/** A function that a kernel's text defines. A call parses its statements again. */
typedef struct tsr_text_definition {
  tsr_token name;
  int n;
  tsr_token parameters[TSR_MAX_OP_ARGS];
  tsr_text_block body;
  bool is_open, is_called; /* is_open: a call of it is being parsed */
} tsr_text_definition;

/** What the parser knows about a user's kernel. */
typedef struct tsr_text_locals {
  const tsr_kernel_text *kernel;
  int base, n, capacity;
  tsr_text_local *v; /* those from `base` on are seen; outputs first */
  int n_definitions, cap_definitions;
  tsr_text_definition *definitions;
  int n_written; /* turns of loops and calls of functions so far */
  int n_loops;   /* open loops of the statements that are parsed, and of the function */
  bool in_definition;
  int32_t returned; /* value of the function that is parsed; -1: none yet */
} tsr_text_locals;

typedef struct tsr_text_parser {
  tsr_lexer lexer;
  tsr_token token;  /* the next token, not yet taken */
  size_t taken_end; /* end of the last token that was taken */
  tsr_script *s;
  int32_t capacity_nodes, capacity_kids, capacity_items, capacity_statements;
  bool *used; /* [n_args] */
  int depth;
  bool takes_several;      /* several targets wait for a call of several results */
  tsr_text_locals *locals; /* of a kernel, else NULL */
  tsr_text_error *error;
} tsr_text_parser;

/* Each parse function returns the node that it made (>= 0), or a negative status with ps->error
 * filled. */

/** Fills the error; returns `status`. */
tsr_status tsr__text_fail(tsr_text_parser *ps, tsr_status status, size_t at, const char *fmt, ...)
    __attribute__((cold, format(printf, 4, 5)));
void tsr__text_help(tsr_text_parser *ps, const char *fmt, ...)
    __attribute__((cold, format(printf, 2, 3)));
/** Reports "expected `what`, not `token`" at the token. */
tsr_status tsr__text_unexpected(tsr_text_parser *ps, const char *what);

void tsr__text_take(tsr_text_parser *ps);
bool tsr__text_is(const tsr_text_parser *ps, uint32_t punct);
bool tsr__text_is_word(const tsr_text_parser *ps, const tsr_token *t, const char *word);
/** Takes the punctuation, or fails with "expected …". */
tsr_status tsr__text_expect(tsr_text_parser *ps, uint32_t punct, const char *what);

int32_t tsr__text_node(tsr_text_parser *ps, tsr_node_kind kind, size_t at, int n_kids,
                       const int32_t *kids);
int32_t tsr__text_expression(tsr_text_parser *ps);

/** Parses an expression without a kernel's `if`, `and`, `or` and `not`: at most one comparison. */
int32_t tsr__text_comparison(tsr_text_parser *ps);
/** Enters a level of recursion; the caller decrements `depth` afterwards. */
tsr_status tsr__text_enter(tsr_text_parser *ps);
/** Parses statements up to the end, each by `one`, and the breaks between them. */
tsr_status tsr__text_statements(tsr_text_parser *ps, tsr_status (*one)(tsr_text_parser *));
/** Appends to the script's statements. */
void tsr__text_add_statement(tsr_text_parser *ps, const tsr_statement *st);

/** Levels of operators, the loosest first. The parser reads powers by themselves. */
enum {
  TSR_LEVEL_POWER = -1,
  TSR_LEVEL_COMPARE,
  TSR_LEVEL_OR,
  TSR_LEVEL_XOR,
  TSR_LEVEL_AND,
  TSR_LEVEL_SHIFT,
  TSR_LEVEL_SUM,
  TSR_LEVEL_TERM
};

/** An operator of two operands (text/operators.c). */
typedef struct tsr_text_operator {
  const char *sign;
  const char *assigns; /* function of the assignment `x op= y`; NULL: there is none */
  tsr_opcode op;       /* not of @ */
  int8_t level;
  bool is_chain; /* a run of operands makes one node */
} tsr_text_operator;
/** Returns the operator of a node kind, or NULL. */
const tsr_text_operator *tsr__text_operator(int kind);
/** Returns the node kind of the operator that the token is, if it binds at least as tightly as
 * `level`, else TSR_N_NODES. */
tsr_node_kind tsr__text_operator_at(const tsr_token *t, int level);
/** Returns the `assign` of a statement for the token, or TSR_TEXT_NO_ASSIGNMENT. */
int32_t tsr__text_assignment(const tsr_token *t);

/* The next functions parse kernels (text/kernel_statements.c). */

/** Parses `x if c else y`, `or`, `and` and `not`. */
int32_t tsr__text_choice(tsr_text_parser *ps);
/** Parses an element of the raw argument x, at "[". */
int32_t tsr__text_element(tsr_text_parser *ps, int32_t x);
/** Parses a name that only kernels have: takes it and returns its value, or returns -1 and does not
 * take it. Other negative numbers are errors. */
int32_t tsr__text_local(tsr_text_parser *ps);
/** Returns whether the node is a raw argument. */
bool tsr__text_is_raw(const tsr_text_parser *ps, int32_t node);
/** Parses a statement of a kernel. */
tsr_status tsr__text_point_statement(tsr_text_parser *ps);
/** Parses the functions at the beginning of an expression. */
tsr_status tsr__text_definitions(tsr_text_parser *ps);
/** Refuses functions that nothing calls. */
tsr_status tsr__text_check_called(tsr_text_parser *ps);

/* The names and blocks of a kernel (text/kernel_blocks.c). */

/** Returns the index of a local name, or -1. */
int tsr__text_local_named(const tsr_text_parser *ps, const tsr_token *t);
/** Adds a name of n bytes, without a value; returns its index. */
int tsr__text_add_local(tsr_text_locals *locals, const char *text, size_t n);
/** Forgets the names from number n on. */
void tsr__text_drop_locals(tsr_text_locals *locals, int n);
/** The parser's place in the text, and the way back to it. */
tsr_text_position tsr__text_position_of(const tsr_text_parser *ps);
void tsr__text_go_to(tsr_text_parser *ps, const tsr_text_position *position);
/** Parses ":" and goes to the first statement of the block. header: the byte of its word. */
tsr_status tsr__text_begin_block(tsr_text_parser *ps, size_t header, tsr_text_block *b);
/** Goes to the next statement. Returns 1 if it belongs to the block, 0 if the block has ended. */
int32_t tsr__text_goes_on(tsr_text_parser *ps, const tsr_text_block *b);
/** Goes behind the block without parsing its statements. */
tsr_status tsr__text_skip_block(tsr_text_parser *ps, const tsr_text_block *b);

/** Parses an argument, a constant or a function call, at a NAME token. */
int32_t tsr__text_word(tsr_text_parser *ps);
/** Parses a method or T, after "x.". */
int32_t tsr__text_method(tsr_text_parser *ps, int32_t x);
/** Returns whether an option follows ("axis="), whose name is the token. */
bool tsr__text_is_option(const tsr_text_parser *ps);
tsr_status tsr__text_dtype(tsr_text_parser *ps, int *out);
/** The values of a call, by index of its parameters (text/given.c). */
typedef struct tsr_text_values {
  const char *name; /* name of the function */
  int n_parameters;
  tsr_text_parameter p[TSR_TEXT_PARAMETERS];
  int32_t kids[TSR_TEXT_TAKEN][TSR_MAX_OP_ARGS];
  int8_t n[TSR_TEXT_TAKEN]; /* number of kids; -1: not given */
  int dtype;                /* -1: not given */
  unsigned tuples, seen;    /* bits of parameters with a tuple, and of parameters in the call */
} tsr_text_values;
/** Reads the values for the parameters of `row`, from "(" to ")". self: the value of the first
 * parameter in a method, else -1. */
tsr_status tsr__text_call_values(tsr_text_parser *ps, const char *name, const char *row, size_t at,
                                 int32_t self, tsr_text_values *out);
/** Collects all kids, parameter by parameter; returns their number. */
int tsr__text_all_kids(const tsr_text_values *g, int32_t *kids);
/** Parses the call of a row of text/functions.h, at "(", as a method of `self` if that is not
 * -1. name: what errors call the function; NULL: as the row does. */
int32_t tsr__text_function_call(tsr_text_parser *ps, int function, const char *name, size_t at,
                                int32_t self);
/** Takes the brackets before a tuple, and returns their number and the bracket that ends it.
 * Returns 0 and takes nothing if there is no tuple. */
int tsr__text_open_tuple(tsr_text_parser *ps, char *end);
tsr_status tsr__text_close_tuple(tsr_text_parser *ps, int level, char end);

/** What a word stands for: a row, an operation or a dtype. */
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
/** Returns the dtype that the word names, also by another name of NumPy's, or -1. */
int tsr__text_dtype_named(const char *word);
/** Returns the meaning of a word, also of another name of NumPy's, such as abs for absolute. */
tsr_text_word_meaning tsr__text_meaning(const char *word);
/** Is the word a function with methods, such as add.outer? Of some of them C says that there are
 * none. */
bool tsr__text_is_ufunc(const char *word);

/** Refuses words and signs of C or Python, at the token, that this language does not have. Returns
 * TSR_OK if the token is none of them (text/unknown.c). */
tsr_status tsr__text_refuse_operator(tsr_text_parser *ps);
/** The nodes and the positions of the signs of left < middle < right. */
typedef struct tsr_text_chain {
  int32_t left, middle, right;
  size_t first_at, second_at;
  int n_first, n_second;
  bool goes_on; /* a third comparison follows */
} tsr_text_chain;
/** Refuses `left < middle < right`, and `left < a & b < right`, whose & binds tighter. */
tsr_status tsr__text_refuse_chain(tsr_text_parser *ps, const tsr_text_chain *chain);
/** Reports that there is no function of this name, and what else it may be (text/unknown.c). */
tsr_status tsr__text_unknown_function(tsr_text_parser *ps, const tsr_token *t, const char *word);
/** Reports that there is no function of this name with a dot, such as `add.outer`. */
tsr_status tsr__text_unknown_member(tsr_text_parser *ps, const tsr_token *t, const char *word);
/** Reports that arrays have no such method or attribute. */
tsr_status tsr__text_unknown_method(tsr_text_parser *ps, const tsr_token *t, const char *word);
/** Reports that there is no argument of this name. */
tsr_status tsr__text_unknown_name(tsr_text_parser *ps, const tsr_token *t, const char *word);

/** Returns whether the node is a call of several results. */
bool tsr__text_is_several(const tsr_node *n);
/** Makes result `which` of a call that gives `of` results (0: any number). The call is the last
 * node, or only its results follow it. */
int32_t tsr__text_result(tsr_text_parser *ps, int32_t call, int which, int of);
/** Makes the node of argument `i` and marks it as used. */
int32_t tsr__text_arg(tsr_text_parser *ps, const tsr_token *t, int i);

/** Computes the value that Python gives an operator (a node kind) on scalars; b is ignored for a
 * unary one. Returns NULL, or the reason why there is no value (text/scalar.c). */
const char *tsr__text_fold(tsr_node_kind kind, tsr_operand a, tsr_operand b, tsr_operand *out);

#endif
