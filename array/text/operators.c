/* The operators of two operands of the text language: one row each of what the parser, the
 * evaluation and the printed scripts know of them. */
#include "array/text/text_int.h"

#define ROW(kind) [TSR_NODE_##kind - TSR_NODE_ADD]

static const tsr_text_operator operators[] = {
    ROW(ADD) = {"+", "iadd", TSR_OP_ADD, TSR_LEVEL_SUM, true},
    ROW(SUBTRACT) = {"-", "isub", TSR_OP_SUBTRACT, TSR_LEVEL_SUM, false},
    ROW(MULTIPLY) = {"*", "imul", TSR_OP_MULTIPLY, TSR_LEVEL_TERM, true},
    ROW(DIVIDE) = {"/", "idiv", TSR_OP_DIVIDE, TSR_LEVEL_TERM, false},
    ROW(FLOOR_DIVIDE) = {"//", "ifloordiv", TSR_OP_FLOOR_DIVIDE, TSR_LEVEL_TERM, false},
    ROW(MODULO) = {"%", "imod", TSR_OP_REMAINDER, TSR_LEVEL_TERM, false},
    ROW(MATMUL) = {"@", "matmul", TSR_N_OPS, TSR_LEVEL_TERM, false},
    ROW(POWER) = {"**", "ipow", TSR_OP_POWER, TSR_LEVEL_POWER, false},
    ROW(AND) = {"&", "iand", TSR_OP_BITWISE_AND, TSR_LEVEL_AND, false},
    ROW(OR) = {"|", "ior", TSR_OP_BITWISE_OR, TSR_LEVEL_OR, false},
    ROW(XOR) = {"^", "ixor", TSR_OP_BITWISE_XOR, TSR_LEVEL_XOR, false},
    ROW(LEFT_SHIFT) = {"<<", "ilshift", TSR_OP_LEFT_SHIFT, TSR_LEVEL_SHIFT, false},
    ROW(RIGHT_SHIFT) = {">>", "irshift", TSR_OP_RIGHT_SHIFT, TSR_LEVEL_SHIFT, false},
    ROW(EQUAL) = {"==", NULL, TSR_OP_EQUAL, TSR_LEVEL_COMPARE, false},
    ROW(NOT_EQUAL) = {"!=", NULL, TSR_OP_NOT_EQUAL, TSR_LEVEL_COMPARE, false},
    ROW(LESS) = {"<", NULL, TSR_OP_LESS, TSR_LEVEL_COMPARE, false},
    ROW(LESS_EQUAL) = {"<=", NULL, TSR_OP_LESS_EQUAL, TSR_LEVEL_COMPARE, false},
    ROW(GREATER) = {">", NULL, TSR_OP_GREATER, TSR_LEVEL_COMPARE, false},
    ROW(GREATER_EQUAL) = {">=", NULL, TSR_OP_GREATER_EQUAL, TSR_LEVEL_COMPARE, false},
};

const tsr_text_operator *tsr__text_operator(int kind)
{
  const bool is_operator = kind >= TSR_NODE_ADD && kind <= TSR_NODE_GREATER_EQUAL;
  return is_operator ? &operators[kind - TSR_NODE_ADD] : NULL;
}

/* Returns whether the punctuation is the sign with `more` behind it, which may be 0. */
static bool is_sign(uint32_t punct, const char *sign, char more)
{
  return punct == (sign[1] ? TSR_PUNCT(sign[0], sign[1], more) : TSR_PUNCT(sign[0], more, 0));
}

tsr_node_kind tsr__text_operator_at(const tsr_token *t, int level)
{
  for (int k = TSR_NODE_ADD; t->kind == TSR_TOKEN_PUNCT && k <= TSR_NODE_GREATER_EQUAL; k++) {
    const tsr_text_operator *o = tsr__text_operator(k);
    if (o->level >= level && is_sign(t->code, o->sign, 0)) return (tsr_node_kind)k;
  }
  return TSR_N_NODES;
}

int32_t tsr__text_assignment(const tsr_token *t)
{
  if (t->code == '=') return TSR_TEXT_ASSIGNS;
  for (int k = TSR_NODE_ADD; k <= TSR_NODE_RIGHT_SHIFT; k++)
    if (is_sign(t->code, tsr__text_operator(k)->sign, '=')) return k;
  return TSR_TEXT_NO_ASSIGNMENT;
}
