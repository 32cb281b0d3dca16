/* The language of tsr_eval and tsr_exec: NumPy expressions as text.
 *
 *   exec       = statement {(";" | newline) statement}
 *   statement  = target assign expression
 *              | targets "=" function of several results "(" arguments ")"
 *   assign     = "=" | "+=" | "-=" | "*=" | "/=" | "//=" | "%=" | "**="
 *              | "@=" | "&=" | "|=" | "^=" | "<<=" | ">>="
 *   target     = an array argument, or a view of one
 *   targets    = target {"," target}, also in brackets
 *   expression = Python's, with its precedence, loosest first: one comparison; |; ^; &; << >>;
 *                + -; * / // % @; unary + - ~; **; postfix
 *   postfix    = atom {"[" slice "]" | "." method ["(" arguments ")"] | ".T" | ".real" | ".imag"}
 *   atom       = number | number "j" | True | False | name | "$" digits
 *              | function "(" arguments ")"
 *              | function of several results "(" arguments ")" "[" ["-"] digits "]"
 *              | "(" expression ")"
 *
 * A name is the last identifier of an argument of the C call (`s->dt` is `dt`); `$1` is the first
 * argument. Functions are the rows of kernel/ops/ops.def and those of text/functions.h, which have
 * NumPy's parameters; "np." and "numpy." may precede them. A statement assigns to an existing
 * array, as tsr_assign does; it never makes a name.
 *
 * text/lex.c makes tokens, text/parse.c makes a script without a context or arrays, and text/eval.c
 * records the ops of a script for the arguments of one call. A script is parsed once per call site
 * and cached by its context. */
#ifndef TSR_TEXT_H
#define TSR_TEXT_H

#include "tessera/base.h"
#include "runtime/base/error.h"

typedef enum tsr_token_kind {
  TSR_TOKEN_END,
  TSR_TOKEN_BREAK, /* ";" or a newline outside brackets */
  TSR_TOKEN_INT,
  TSR_TOKEN_UINT, /* at least 2^63: i has the 64 bits */
  TSR_TOKEN_FLOAT,
  TSR_TOKEN_IMAGINARY, /* "2j": f is 2 */
  TSR_TOKEN_NAME,
  TSR_TOKEN_STRING, /* with its quotes */
  TSR_TOKEN_ARG,    /* "$3": i is 3 */
  TSR_TOKEN_PUNCT,  /* code: its bytes, first byte lowest ('*' | '*' << 8) */
  TSR_TOKEN_BAD     /* no token; the lexer wrote why */
} tsr_token_kind;

typedef struct tsr_token {
  tsr_token_kind kind;
  uint32_t code;
  size_t at, n; /* position and number of bytes in the text */
  int64_t i;
  double f;
} tsr_token;

#define TSR_PUNCT(a, b, c) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16)

typedef struct tsr_lexer {
  const char *text;
  size_t at;    /* position of the next byte */
  int depth;    /* open brackets, inside which newlines are blanks */
  char why[96]; /* why a BAD token is none */
} tsr_lexer;

/** Returns the next token, and END repeatedly at the terminating 0. "#" starts a comment that
 * extends to the end of its line. */
tsr_token tsr__lex_next(tsr_lexer *lx);

/** Finds the names of `n_args` arguments in the C source text of a call's arguments: the last
 * n_args pieces of `source` between top-level commas. names[i] is the last identifier, allocated
 * by malloc, or NULL if the argument is not a plain variable, member, element or address of one;
 * only `$i` refers to such an argument. */
void tsr__text_names(const char *source, int n_args, char **names);

typedef enum tsr_node_kind {
  TSR_NODE_INT,  /* u.i */
  TSR_NODE_UINT, /* at least 2^63: u.i has the 64 bits */
  TSR_NODE_FLOAT,
  TSR_NODE_IMAGINARY, /* u.f times the imaginary unit */
  TSR_NODE_BOOL,
  TSR_NODE_STRING, /* between `begin` and `end`, with its quotes, or the name of a function
                    * whose method is called, without; kid of a FUNCTION only */
  TSR_NODE_ARG,    /* code: index of the argument */
  TSR_NODE_POSITIVE,
  TSR_NODE_NEGATIVE,
  TSR_NODE_INVERT,
  TSR_NODE_ADD, /* 2 to 16 kids, left to right, as MULTIPLY: a chain without brackets */
  TSR_NODE_SUBTRACT,
  TSR_NODE_MULTIPLY,
  TSR_NODE_DIVIDE,
  TSR_NODE_FLOOR_DIVIDE,
  TSR_NODE_MODULO,
  TSR_NODE_MATMUL,
  TSR_NODE_POWER,
  TSR_NODE_AND,
  TSR_NODE_OR,
  TSR_NODE_XOR,
  TSR_NODE_LEFT_SHIFT,
  TSR_NODE_RIGHT_SHIFT,
  TSR_NODE_EQUAL,
  TSR_NODE_NOT_EQUAL,
  TSR_NODE_LESS,
  TSR_NODE_LESS_EQUAL,
  TSR_NODE_GREATER,
  TSR_NODE_GREATER_EQUAL,
  TSR_NODE_CALL,      /* code: tsr_opcode */
  TSR_NODE_FUNCTION,  /* code: row of text/functions.h; kids: the values, by parameter */
  TSR_NODE_RESULT,    /* a result of kid 0, a FUNCTION of several results; only other RESULTs
                       * stand between them; code: its index, negative from the end; u.i: the
                       * number of results wanted, 0: any */
  TSR_NODE_SLICE,     /* kid 0: the array; items first_item .. first_item + n_items */
  TSR_NODE_TRANSPOSE, /* reversed axes */
  TSR_NODE_ASTYPE,    /* code: tsr_dtype */
  TSR_NODE_INDEX,     /* of a kernel: flat index of the point */
  TSR_NODE_COUNT,     /* of a kernel: number of the points */
  TSR_NODE_TAKE,      /* of a kernel: the element of argument kid 0 at flat index kid 1 */
  TSR_NODE_LOCAL,     /* of a kernel: a name with the value of kid 0 */
  TSR_N_NODES
} tsr_node_kind;

/** A node of a script. It comes after its kids, so one loop over the nodes evaluates them. */
typedef struct tsr_node {
  uint8_t kind;
  int8_t dtype;  /* FUNCTION: dtype=, or -1 */
  char kinds[7]; /* FUNCTION: kind of each parameter that is taken, a letter of text/functions.h */
  int32_t code;
  int32_t first_kid, n_kids;
  int32_t first_item, n_items; /* SLICE */
  uint32_t at;                 /* byte of the caret: the operator or the name */
  uint32_t begin, end;         /* bytes of the whole expression */
  union {
    int64_t i;
    double f;
    int8_t given[8]; /* FUNCTION: number of values of each parameter, -1 if left out;
                      * [7]: bits of the parameters that are tuples */
  } u;
} tsr_node;

/** One item of a slice. start, stop and step are nodes or -1; the node of an INDEX is `start`. */
typedef struct tsr_node_item {
  int32_t kind; /* TSR_SLICE_RANGE … of slice_text.h */
  int32_t start, stop, step;
} tsr_node_item;

/** Assignments that no operator makes: none, and "=". */
enum { TSR_TEXT_NO_ASSIGNMENT = 0, TSR_TEXT_ASSIGNS = TSR_N_NODES };

typedef struct tsr_statement {
  int32_t
      assign; /* TSR_TEXT_ASSIGNS, the node kind of the operator of op=, or none in an expression */
  int32_t target; /* node; -1 in an expression */
  int32_t value;  /* node */
  int32_t end;    /* end of the nodes of this statement, which begin where the last one's end */
  uint32_t at;
} tsr_statement;

/** A parsed text in flat arrays, one owned block each. */
typedef struct tsr_script {
  char *text;
  int32_t n_args, n_nodes, n_kids, n_items, n_statements;
  tsr_node *nodes;
  int32_t *kids;
  tsr_node_item *items;
  tsr_statement *statements;
  char **names; /* [n_args]; some are NULL */
} tsr_script;

/** An error of a text and its position. */
typedef struct tsr_text_error {
  tsr_status status;         /* TSR_ERR_SYNTAX or TSR_ERR_NAME */
  size_t at;                 /* byte of the text; SIZE_MAX: the text as a whole */
  char what[192], help[224]; /* help may be "" */
} tsr_text_error;

/** Parses `text` with `n_args` arguments whose C source text is `source`, "" if unknown. is_exec:
 * the text has statements, otherwise it is one expression. Returns a script that the caller
 * destroys, or NULL with *error. Nesting is limited to 256. */
tsr_script *tsr__script_parse(const char *text, bool is_exec, int n_args, const char *source,
                              tsr_text_error *error);
void tsr__script_destroy(tsr_script *s);

/** The text of a user's kernel: statements or an expression (text/kernel.c), before and among them
 * the loops and functions (text/kernel_statements.c). All strings are borrowed.
 *
 *   statement  = name assign expression
 *              | "for" name "in" "range" "(" count ["," count ["," count]] ")" ":" block
 *              | "def" name "(" [name {"," name}] ")" ":" block, which ends in "return" expression
 *   block      = statements up to the end of the line, or lines below that are indented */
typedef struct tsr_kernel_text {
  const char *text;
  int n_in, n_out;            /* n_out 0: one expression, not statements */
  const char *const *names;   /* [n_in] */
  const char *const *outputs; /* [n_out] */
  const bool *is_raw;         /* [n_in] */
  bool is_combination;        /* combines or finishes values of a reduction, and has no index */
  bool has_count;             /* knows the number of points */
} tsr_kernel_text;
/** Parses the text of a kernel. The script has one statement without a target for each output, in
 * order. Errors are those of tsr__script_parse. */
tsr_script *tsr__kernel_parse(const tsr_kernel_text *kernel, tsr_text_error *error);

/** Returns the script for tests and dumps, allocated by malloc, with one line per statement: "(=
 * (slice u 1:-1) (* 0.2 (+ a b)))". */
char *tsr__script_text(const tsr_script *s);
/** Returns the function of an assignment, such as "iadd". */
const char *tsr__text_assign_name(int assign);
/** Returns the operator or function of a node, such as "+" or "sqrt". */
const char *tsr__node_name(const tsr_node *node);

/** Adds the line of `text`, with a caret under the byte, and the help to `e`, whose headline is
 * written already. */
void tsr__text_tell(tsr_error *e, const char *text, const tsr_text_error *error);

#endif
