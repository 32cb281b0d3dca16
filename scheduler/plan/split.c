/* Long expressions, and where they are cut.
 *
 * An expression is a set of ops that temporaries connect: each is read, point by point, what
 * another one makes and nobody keeps. If it has more ops than a group of unrelated ones may have,
 * then a group may have all of them, since a cut would store values that need no memory. Ops that
 * share no values gain nothing from a larger group.
 *
 * An expression of more ops than a kernel should have, or of more streams than are compiled, is cut
 * into subexpressions that follow one another. A cut stores what is alive there, and each
 * subexpression loads what it reads. So its ops are first put into an order in which few bytes are
 * alive (kernel/ir/order.h), if no other op stands between them and they only make new values: the
 * order of such ops is free. Else they stay in program order. Where to cut is a shortest path over
 * the candidates between two ops: of each few candidates that follow one another, the one where
 * the fewest bytes are alive is considered, and a subexpression costs the bytes per point that it
 * loads and those that it stores for later ones.
 *
 * All of this follows from ops, views and liveness, alike on every rank.
 *
 * Cost: one scan over the reads; of expressions that are cut, each op is seen by up to N_CANDIDATES
 * subexpressions that it may belong to. */
#include "scheduler/plan/plan.h"
#include "kernel/cpu/nest.h"
#include "kernel/ir/order.h"
#include "runtime/base/sets.h"
#include "runtime/base/table.h"

#include <string.h>

enum {
  FEW_OPS = 64,      /* of a group that no long expression belongs to */
  N_CANDIDATES = 64, /* that are considered within the most ops of a subexpression */
  DEAR_WEIGHT = 24,  /* ops that a function counts as */
  FEW_STREAMS = 8    /* that are left to the short expressions of the group */
};

/* Dearer than any number of bytes: a subexpression of too many streams. */
#define TOO_MANY_STREAMS ((int64_t)1 << 40)

/** A view of a region that an expression reads from memory. */
typedef struct source {
  int32_t region, bytes; /* bytes: of an element */
  const tsr_view *view;
} source;

/** An op of an expression. */
typedef struct node {
  int32_t op;       /* number in the program */
  int32_t weight;   /* ops of the kernel that it counts as */
  int32_t bytes;    /* of the temporary that it makes; 0: what it makes is stored anyway */
  int32_t last_use; /* the last node that reads the temporary */
  int32_t *reads;   /* [n_reads] nodes, or ~ number of the source */
  int32_t n_reads;
} node;

typedef struct splitting {
  tsr_plan *plan;
  const tsr_program *program;
  int32_t most_ops;
  int32_t *maker;        /* [n_regions] the op that makes the temporary, or -1 */
  int32_t *root;         /* [n_ops] sets (runtime/base/sets.h): each is an expression */
  int32_t *n_ops, *last; /* [n_ops] of a root: ops of the expression, its last op */
} splitting;

/** An expression on its way to its subexpressions. */
typedef struct expression {
  tsr_arena *scratch;
  node *nodes;
  int32_t n, n_sources, cap_sources;
  source *sources;
  int64_t *alive; /* [n + 1] bytes alive between node i - 1 and node i */
  int32_t *seen;  /* [n + n_sources] the number of the last subexpression that read it */
} expression;

static bool is_fusible(const splitting *x, int32_t i)
{
  const tsr_program_op *op = &x->program->ops[i];
  return op->action == TSR_ACT_RUN && op->kind != TSR_OPKIND_TASK && op->kind != TSR_OPKIND_HALO &&
         tsr__recomputed_by(x->plan, op->out) < 0;
}

/* A function is inlined into the kernel, and compilers take longer than its length for many. */
static int32_t weight_of(const splitting *x, int32_t i)
{
  const tsr_program_op *op = &x->program->ops[i];
  const bool is_dear =
      op->kind == TSR_OPKIND_RANDOM ||
      (op->kind == TSR_OPKIND_MAP && tsr__op_info((tsr_opcode)op->code)->cost == TSR_COST_DEAR);
  return (is_dear ? DEAR_WEIGHT : 1) + x->plan->reads.of[i].n_again;
}

/* The op that makes what is read, if it is a temporary that is read where it is made; else -1. */
static int32_t maker_of(const splitting *x, const tsr_plan_read *in)
{
  const int32_t maker = in->version == NULL ? x->maker[in->region] : -1;
  if (maker < 0 || !tsr__view_equal(in->view, &x->program->ops[maker].out_view->view)) return -1;
  return maker;
}

/* Notes which temporary op i makes, once it is known what the op reads. */
static void note_maker(const splitting *x, int32_t i)
{
  const tsr_program_op *op = &x->program->ops[i];
  const tsr_plan_region *r = &x->plan->regions[op->out];
  const bool is_temporary = op->creates && op->kind != TSR_OPKIND_REDUCE && !r->exists && !r->store;
  x->maker[op->out] = is_temporary ? i : -1;
}

static void find_expressions(const splitting *x)
{
  const tsr_program *p = x->program;
  for (int32_t r = 0; r < p->n_regions; r++) x->maker[r] = -1;
  for (int32_t i = 0; i < p->n_ops; i++) {
    x->root[i] = x->last[i] = i;
    if (!is_fusible(x, i)) continue;
    x->n_ops[i] = 1 + x->plan->reads.of[i].n_again;
    const tsr_reads *reads = &x->plan->reads.of[i];
    for (int32_t j = 0; j < reads->n; j++) {
      const int32_t maker = maker_of(x, &reads->v[j]);
      if (maker < 0) continue;
      int32_t joined;
      const int32_t root = tsr__set_join(x->root, maker, i, &joined);
      if (joined == root) continue;
      x->n_ops[root] += x->n_ops[joined];
      if (x->last[root] < x->last[joined]) x->last[root] = x->last[joined];
    }
    note_maker(x, i);
  }
}

/* The number of what is read from memory. */
static int32_t source_of(const splitting *x, expression *e, tsr_table *known,
                         const tsr_plan_read *in)
{
  const uint64_t hash = tsr__hash_bytes((uint64_t)in->region, in->view->offset,
                                        (size_t)in->view->rdim * sizeof *in->view->offset);
  uint32_t at = 0;
  for (void *number; (number = tsr__table_next(known, hash, &at)) != NULL;) {
    const source *s = &e->sources[(intptr_t)number - 1];
    if (s->region == in->region && tsr__view_equal(s->view, in->view))
      return (int32_t)((intptr_t)number - 1);
  }
  e->sources =
      tsr__arena_grow(e->scratch, e->sources, e->n_sources, &e->cap_sources, sizeof *e->sources);
  const tsr_dtype dtype = (tsr_dtype)x->plan->regions[in->region].dtype;
  e->sources[e->n_sources] = (source){in->region, (int32_t)tsr__dtype_size(dtype), in->view};
  tsr__table_add(known, hash, (void *)(intptr_t)(e->n_sources + 1));
  return e->n_sources++;
}

static void make_node(const splitting *x, expression *e, tsr_table *known, int32_t *number,
                      int32_t i)
{
  const tsr_reads *reads = &x->plan->reads.of[i];
  const int32_t out = x->program->ops[i].out, at = number[i] = e->n++;
  node *v = &e->nodes[at];
  *v = (node){.op = i, .weight = weight_of(x, i), .last_use = at};
  if (x->maker[out] == i)
    v->bytes = (int32_t)tsr__dtype_size((tsr_dtype)x->plan->regions[out].dtype);
  v->reads = tsr__arena_alloc(e->scratch, (size_t)reads->n * sizeof *v->reads);
  for (int32_t j = 0; j < reads->n; j++) {
    const int32_t maker = maker_of(x, &reads->v[j]);
    v->reads[v->n_reads++] = maker >= 0 ? number[maker] : ~source_of(x, e, known, &reads->v[j]);
    if (maker >= 0) e->nodes[number[maker]].last_use = at;
  }
}

static void find_alive(expression *e)
{
  e->alive = tsr__arena_calloc(e->scratch, (size_t)e->n + 2, sizeof *e->alive);
  for (int32_t i = 0; i < e->n; i++) {
    e->alive[i + 1] += e->nodes[i].bytes;
    e->alive[e->nodes[i].last_use + 1] -= e->nodes[i].bytes;
  }
  for (int32_t i = 0; i < e->n; i++) e->alive[i + 1] += e->alive[i];
}

/** A subexpression that grows towards the front. */
typedef struct growing {
  int32_t end, stamp;
  int32_t weight, n_streams;
  int64_t bytes; /* per point: what it loads, and what it stores for later subexpressions */
} growing;

static void add_stream(growing *g, int64_t bytes, int by)
{
  g->n_streams += by;
  g->bytes += by * bytes;
}

/* Adds node i, the one before the subexpression. */
static void add_node(const expression *e, growing *g, int32_t i)
{
  const node *v = &e->nodes[i];
  g->weight += v->weight;
  if (v->bytes == 0)
    add_stream(g, 0, 1); /* it is stored wherever the cuts are */
  else if (v->last_use >= g->end)
    add_stream(g, v->bytes, 1);
  if (e->seen[i] == g->stamp) add_stream(g, v->bytes, -1); /* the subexpression reads it no more */
  for (int32_t j = 0; j < v->n_reads; j++) {
    const int32_t from = v->reads[j];
    int32_t *seen = &e->seen[from >= 0 ? from : e->n + ~from];
    if (*seen == g->stamp) continue;
    *seen = g->stamp;
    add_stream(g, from >= 0 ? e->nodes[from].bytes : e->sources[~from].bytes, 1);
  }
}

static growing begin_subexpression(int32_t end, int32_t stamp)
{
  return (growing){.end = end, .stamp = stamp};
}

static bool has_too_many_streams(const growing *g)
{
  return g->n_streams > TSR_NEST_STREAMS - FEW_STREAMS;
}

/* The candidates where the expression may be cut, its ends among them: of each few that follow one
 * another, the one where the fewest bytes are alive. */
static int32_t find_candidates(const expression *e, int32_t most_ops, int32_t *candidates)
{
  const int32_t step = most_ops > N_CANDIDATES ? most_ops / N_CANDIDATES : 1;
  int32_t n = 0;
  candidates[n++] = 0;
  for (int32_t first = 1; first < e->n; first += step) {
    int32_t best = first;
    for (int32_t i = first + 1; i < first + step && i < e->n; i++)
      if (e->alive[i] < e->alive[best]) best = i;
    candidates[n++] = best;
  }
  candidates[n++] = e->n;
  return n;
}

/* Sets before[p] to the candidate where the subexpression begins that ends at candidate p, on the
 * cheapest way from the first candidate to the last. */
static void find_cuts(const expression *e, int32_t most_ops, const int32_t *candidates, int32_t n,
                      int32_t *before)
{
  int64_t *cost = tsr__arena_alloc(e->scratch, (size_t)n * sizeof *cost);
  cost[0] = 0;
  for (int32_t p = 1; p < n; p++) {
    growing g = begin_subexpression(candidates[p], p + 1);
    before[p] = -1;
    for (int32_t i = candidates[p] - 1, q = p - 1; q >= 0; i--) {
      add_node(e, &g, i);
      if (g.weight > most_ops && before[p] >= 0) break;
      if (i > candidates[q]) continue;
      const int64_t c = cost[q] + g.bytes + (has_too_many_streams(&g) ? TOO_MANY_STREAMS : 0);
      if (before[p] < 0 || c < cost[p]) {
        cost[p] = c;
        before[p] = q;
      }
      q--;
    }
  }
}

/* Does the node read, other than as an operand of the expression, what a node before it makes: a
 * temporary through another view, or a value that is kept? */
static bool reads_aside(const expression *e, const node *v, const bool *is_made)
{
  for (int32_t j = 0; j < v->n_reads; j++)
    if (v->reads[j] < 0 && is_made[e->sources[~v->reads[j]].region]) return true;
  return false;
}

/* The nodes of the expression whose order is free: those before the first op that writes memory
 * which exists, or that must follow another for a reason that the nodes' reads do not tell; if
 * nothing else runs between them. */
static int32_t n_free(const splitting *x, const expression *e)
{
  const tsr_program_op *ops = x->program->ops;
  bool *is_made = tsr__arena_calloc(e->scratch, (size_t)x->program->n_regions + 1, sizeof *is_made);
  int32_t n = 0;
  while (n < e->n && ops[e->nodes[n].op].creates && !reads_aside(e, &e->nodes[n], is_made))
    is_made[ops[e->nodes[n++].op].out] = true;
  for (int32_t i = n > 0 ? e->nodes[0].op : 0, at = 0; at < n; i++) {
    if (ops[i].action != TSR_ACT_RUN) continue;
    if (i != e->nodes[at++].op) return 0;
  }
  return n;
}

static tsr_order_graph graph_of(const expression *e, int32_t n)
{
  int32_t n_args = 0;
  for (int32_t i = 0; i < n; i++) n_args += e->nodes[i].n_reads;
  int32_t *first = tsr__arena_alloc(e->scratch, ((size_t)n + 1) * sizeof *first);
  int32_t *size = tsr__arena_alloc(e->scratch, (size_t)n * sizeof *size);
  int32_t *args = tsr__arena_alloc(e->scratch, ((size_t)n_args + 1) * sizeof *args);
  n_args = 0;
  for (int32_t i = 0; i < n; i++) {
    first[i] = n_args;
    size[i] = e->nodes[i].bytes;
    for (int32_t j = 0; j < e->nodes[i].n_reads; j++)
      if (e->nodes[i].reads[j] >= 0) args[n_args++] = e->nodes[i].reads[j];
  }
  first[n] = n_args;
  return (tsr_order_graph){.n = n, .first = first, .args = args, .size = size};
}

/* Puts the nodes into this order, of which the first n may differ from the numbers. */
static void permute(expression *e, const int32_t *order, int32_t n)
{
  int32_t *number = tsr__arena_alloc(e->scratch, (size_t)e->n * sizeof *number);
  node *nodes = tsr__arena_alloc(e->scratch, (size_t)e->n * sizeof *nodes);
  for (int32_t i = 0; i < e->n; i++) {
    const int32_t from = i < n ? order[i] : i;
    nodes[i] = e->nodes[from];
    number[from] = nodes[i].last_use = i;
    for (int32_t j = 0; j < nodes[i].n_reads; j++) {
      int32_t *read = &nodes[i].reads[j];
      if (*read < 0) continue;
      *read = number[*read];
      nodes[*read].last_use = i;
    }
  }
  e->nodes = nodes;
}

/* Puts the nodes into an order in which few bytes are alive, and their ops into that order among
 * the others, if that order is free. */
static void reorder(const splitting *x, expression *e)
{
  const int32_t n = n_free(x, e);
  if (n == 0) return;
  const int32_t first = e->nodes[0].op;
  const tsr_order_graph g = graph_of(e, n);
  int32_t *order = tsr__arena_alloc(e->scratch, (size_t)n * sizeof *order);
  tsr__order_few_alive(&g, e->scratch, order);
  if (tsr__order_alive(&g, order, e->scratch) >= tsr__order_alive(&g, NULL, e->scratch)) return;
  permute(e, order, n);
  tsr_split *split = &x->plan->split;
  if (split->order == NULL) {
    split->order = tsr__arena_alloc(e->scratch, (size_t)x->program->n_ops * sizeof *split->order);
    for (int32_t i = 0; i < x->program->n_ops; i++) split->order[i] = i;
  }
  for (int32_t i = first, at = 0; at < n; i++)
    if (x->program->ops[i].action == TSR_ACT_RUN) split->order[i] = e->nodes[at++].op;
}

/* What the expression's subexpressions store for one another. */
static int64_t stored_bytes(const expression *e, const int32_t *sub)
{
  int64_t bytes = 0;
  for (int32_t i = 0; i < e->n; i++)
    if (sub[e->nodes[i].last_use] != sub[i]) bytes += e->nodes[i].bytes;
  return bytes;
}

/* The least that an expression of so many ops can store: it is connected, so each subexpression but
 * one makes a value for others. */
static int64_t least_bytes(const expression *e, int32_t weight, int32_t most_ops)
{
  int32_t smallest = INT32_MAX;
  for (int32_t i = 0; i < e->n; i++)
    if (e->nodes[i].bytes > 0 && e->nodes[i].bytes < smallest) smallest = e->nodes[i].bytes;
  const int32_t n_subs = (weight + most_ops - 1) / most_ops;
  if (smallest == INT32_MAX) return 0; /* a single operation, which nothing can cut */
  return (int64_t)(n_subs > 2 ? n_subs - 1 : 1) * smallest;
}

/* Sets sub[i] of each node, from 0 on. Returns how many there are. */
static int32_t cut(const expression *e, int32_t most_ops, int32_t *sub)
{
  int32_t *candidates = tsr__arena_alloc(e->scratch, ((size_t)e->n + 2) * sizeof *candidates);
  const int32_t n = find_candidates(e, most_ops, candidates);
  int32_t *before = tsr__arena_alloc(e->scratch, (size_t)n * sizeof *before);
  find_cuts(e, most_ops, candidates, n, before);
  int32_t n_subs = 0;
  for (int32_t p = n - 1; p > 0; p = before[p]) {
    for (int32_t i = candidates[before[p]]; i < candidates[p]; i++) sub[i] = n_subs;
    n_subs++;
  }
  for (int32_t i = 0; i < e->n; i++) sub[i] = n_subs - 1 - sub[i];
  return n_subs;
}

/* Gives the ops of the expression of this root their subexpressions. */
static void split(const splitting *x, int32_t root)
{
  tsr_plan *plan = x->plan;
  const int32_t first = root, end = x->last[root] + 1, most = end - first;
  expression e = {.scratch = plan->scratch};
  tsr_table known = {0};
  e.nodes = tsr__arena_alloc(e.scratch, (size_t)most * sizeof *e.nodes);
  int32_t *number = tsr__arena_alloc(e.scratch, (size_t)most * sizeof *number);
  for (int32_t i = first; i < end; i++)
    if (tsr__set_root(x->root, i) == root) make_node(x, &e, &known, number - first, i);
  tsr__table_free(&known);
  e.seen = tsr__arena_calloc(e.scratch, (size_t)e.n + (size_t)e.n_sources, sizeof *e.seen);
  growing whole = begin_subexpression(e.n, 1);
  for (int32_t i = e.n - 1; i >= 0; i--) add_node(&e, &whole, i);
  memset(e.seen, 0, ((size_t)e.n + (size_t)e.n_sources) * sizeof *e.seen);
  int32_t *sub = tsr__arena_calloc(e.scratch, (size_t)e.n, sizeof *sub), n_subs = 1;
  if (whole.weight > x->most_ops || has_too_many_streams(&whole)) {
    reorder(x, &e);
    find_alive(&e);
    n_subs = cut(&e, x->most_ops, sub);
    plan->split.n_cut++;
    plan->split.stored_bytes += stored_bytes(&e, sub);
    plan->split.least_bytes += least_bytes(&e, whole.weight, x->most_ops);
  }
  for (int32_t i = 0; i < e.n; i++)
    plan->split.subexpression[e.nodes[i].op] = plan->split.n_subexpressions + 1 + sub[i];
  plan->split.n_subexpressions += n_subs;
}

void tsr__plan_split(tsr_plan *plan, const tsr_program *program)
{
  const tsr_config *config = &plan->scheduler->world->config;
  const size_t n = (size_t)program->n_ops;
  plan->split =
      (tsr_split){.most_ops = config->group_ops < FEW_OPS ? (int32_t)config->group_ops : FEW_OPS};
  if (!config->fusion || program->n_ops <= plan->split.most_ops) return;
  splitting x = {
      .plan = plan,
      .program = program,
      .most_ops = (int32_t)config->group_ops,
      .maker = tsr__arena_alloc(plan->scratch, ((size_t)program->n_regions + 1) * sizeof *x.maker),
      .root = tsr__arena_alloc(plan->scratch, n * sizeof *x.root),
      .last = tsr__arena_alloc(plan->scratch, n * sizeof *x.last),
      .n_ops = tsr__arena_calloc(plan->scratch, n, sizeof *x.n_ops)};
  plan->split.subexpression =
      tsr__arena_calloc(plan->scratch, n, sizeof *plan->split.subexpression);
  find_expressions(&x);
  for (int32_t i = 0; i < program->n_ops; i++)
    if (x.root[i] == i && x.n_ops[i] > plan->split.most_ops) split(&x, i);
}
