/* The language of tsr_eval and tsr_exec: NumPy expressions as text.
 *
 *   exec       = statement {(";" | newline) statement}
 *   statement  = target ("=" | "+=" | "-=" | "*=" | "/=" | "//=" | "%=" | "**="
 *                | "@=" | "&=" | "|=" | "^=" | "<<=" | ">>=") expression
 *                | target {"," target} "=" function of several results "(" arguments ")", the
 * targets also in brackets target     = an array argument, or a view of one expression = Python's,
 * with its precedence, loosest first: one comparison; |; ^; &; << >>; + -; * / // % @; unary + - ~;
 * **; postfix postfix    = atom {"[" slice "]" | "." method ["(" arguments ")"] | ".T" | ".real" |
 * ".imag"} atom       = number | number "j" | True | False | name | "$" digits | function "("
 * arguments
 * ")" | function of several results "(" arguments ")" "[" ["-"] digits "]" | "(" expression ")"
 *
 * A name is the last identifier of an argument of the C call (`s->dt` is `dt`), `$1` the first
 * argument. Functions are the rows of kernel/ops/ops.def and those of text/functions.h, which have
 * NumPy's parameters; "np." and "numpy." may stand before them. A
 * statement assigns into an existing array, as tsr_assign does; it never makes a name.
 *
 * text/lex.c makes tokens, text/parse.c a script (text -> script, no context, no arrays),
 * text/eval.c records the ops of a script for the arguments of one call. A script is parsed once
 * per call site and kept by its context. */
#ifndef TSR_TEXT_H
#define TSR_TEXT_H

#include "tessera/base.h"
#include "runtime/base/error.h"

typedef enum tsr_token_kind {
  TSR_TOKEN_END,
  TSR_TOKEN_BREAK, /* ";" or a newline outside brackets */
  TSR_TOKEN_INT,
  TSR_TOKEN_UINT, /* over 63 bits: i has its 64 */
  TSR_TOKEN_FLOAT,
  TSR_TOKEN_IMAGINARY, /* "2j": f is 2 */
  TSR_TOKEN_NAME,
  TSR_TOKEN_STRING, /* with its quotes */
  TSR_TOKEN_ARG,    /* "$3": i is 3 */
  TSR_TOKEN_PUNCT,  /* code: its bytes, first byte lowest ('*' | '*' << 8) */
  TSR_TOKEN_BAD     /* bytes that make no token; the lexer wrote why */
} tsr_token_kind;

typedef struct tsr_token {
  tsr_token_kind kind;
  uint32_t code;
  size_t at, n; /* bytes of the text */
  int64_t i;
  double f;
} tsr_token;

#define TSR_PUNCT(a, b, c) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16)

typedef struct tsr_lexer {
  const char *text;
  size_t at;    /* next byte */
  int depth;    /* open brackets: newlines are blanks inside */
  char why[96]; /* of a BAD token */
} tsr_lexer;

/** The next token; END for ever at the terminating 0. "#" starts a comment to the end of its line.
 */
tsr_token tsr__lex_next(tsr_lexer *lx);

/** The names of `n_args` arguments from the C source text of a call's arguments: the last n_args
 * pieces of `source` between top-level commas. names[i]: malloc'd last identifier, or NULL where
 * the argument is not a plain variable, member, element or address of one (then only `$i` reaches
 * it). */
void tsr__text_names(const char *source, int n_args, char **names);

typedef enum tsr_node_kind {
  TSR_NODE_INT,  /* u.i */
  TSR_NODE_UINT, /* over 63 bits: u.i has its 64 */
  TSR_NODE_FLOAT,
  TSR_NODE_IMAGINARY, /* u.f times the imaginary unit */
  TSR_NODE_BOOL,
  TSR_NODE_STRING, /* between `begin` and `end`, with its quotes: of a FUNCTION only */
  TSR_NODE_ARG,    /* code: argument, from 0 */
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
  TSR_NODE_FUNCTION,  /* code: row of text/functions.h; kids: what is given, slot by slot */
  TSR_NODE_RESULT,    /* one of the several results of kid 0, a FUNCTION right before it and other
                         RESULTs; code: which one, from the end where negative; u.i: how many there
                         are to be, 0: any */
  TSR_NODE_SLICE,     /* kid 0 the array; items first_item .. first_item + n_items */
  TSR_NODE_TRANSPOSE, /* reversed axes */
  TSR_NODE_ASTYPE,    /* code: tsr_dtype */
  TSR_NODE_INDEX,     /* of a kernel: the point's number, in flat order */
  TSR_NODE_TAKE,      /* of a kernel: element kid 1, in flat order, of argument kid 0 */
  TSR_NODE_LOCAL,     /* of a kernel: a name that was given the value of kid 0 */
  TSR_N_NODES
} tsr_node_kind;

/** A node comes after its kids, so one loop over the nodes evaluates them. */
typedef struct tsr_node {
  uint8_t kind;
  int8_t dtype;  /* FUNCTION: dtype=, or -1 */
  char kinds[7]; /* FUNCTION: of the parameter in each slot, a letter of text/functions.h */
  int32_t code;
  int32_t first_kid, n_kids;
  int32_t first_item, n_items; /* SLICE */
  uint32_t at;                 /* byte for the caret: the operator, the name */
  uint32_t begin, end;         /* bytes of the whole expression */
  union {
    int64_t i;
    double f;
    int8_t given[8]; /* FUNCTION: values in each slot, -1 where it is left out; [7]: bits of the
                        slots that are tuples */
  } u;
} tsr_node;

/** One item of a slice; start, stop, step: node or -1 (INDEX: the node is `start`). */
typedef struct tsr_node_item {
  int32_t kind; /* TSR_SLICE_RANGE … of slice_text.h */
  int32_t start, stop, step;
} tsr_node_item;

typedef struct tsr_statement {
  int32_t assign; /* '=' '+' '-' '*' '/' '%', 'f' of //=, 'p' of **=; 0 in an expression */
  int32_t target; /* node, -1 in an expression */
  int32_t value;  /* node */
  int32_t end;    /* nodes up to here, from the end of the statement before, are its own */
  uint32_t at;
} tsr_statement;

/** A parsed text: flat arrays, one block each, owned. */
typedef struct tsr_script {
  char *text;
  int32_t n_args, n_nodes, n_kids, n_items, n_statements;
  tsr_node *nodes;
  int32_t *kids;
  tsr_node_item *items;
  tsr_statement *statements;
  char **names; /* [n_args]; some NULL */
} tsr_script;

/** What is wrong with a text, and where. */
typedef struct tsr_text_error {
  tsr_status status;         /* TSR_ERR_SYNTAX or TSR_ERR_NAME */
  size_t at;                 /* byte of the text; SIZE_MAX: the text as a whole */
  char what[192], help[224]; /* help may be "" */
} tsr_text_error;

/** Parse `text` with `n_args` arguments whose C source text is `source` ("" where unknown).
 * is_exec: statements, else one expression. Returns NULL and fills *error, else a script to
 * destroy. Nesting is limited to 256. Cost: microseconds; see tsr__text_eval for how scripts are
 * kept. */
tsr_script *tsr__script_parse(const char *text, bool is_exec, int n_args, const char *source,
                              tsr_text_error *error);
void tsr__script_destroy(tsr_script *s);

/** The text of a user's kernel (text/kernel.c). Its names are borrowed. */
typedef struct tsr_kernel_text {
  const char *text;
  int n_in, n_out;            /* n_out 0: one expression, not statements */
  const char *const *names;   /* [n_in] */
  const char *const *outputs; /* [n_out] */
  const bool *is_raw;         /* [n_in] */
  bool is_combination;        /* takes no index: what joins two values of a reduction */
} tsr_kernel_text;
/** Parse it: a script of one statement without a target for each output, in order. Errors as
 * tsr__script_parse. */
tsr_script *tsr__kernel_parse(const tsr_kernel_text *kernel, tsr_text_error *error);

/** The script as one line per statement, "(= (slice u 1:-1) (* 0.2 (+ a b)))": tests, dumps.
 * malloc'd. */
char *tsr__script_text(const tsr_script *s);
/** The function of an assignment, "iadd". */
const char *tsr__text_assign_name(int assign);
/** The operator or function of a node, "+", "sqrt". */
const char *tsr__node_name(const tsr_node *node);

/** The line of `text` with a caret under the byte, and the help, into `e`, whose headline is
 * written already. */
void tsr__text_tell(tsr_error *e, const char *text, const tsr_text_error *error);

#endif
