/* Making a failing program smaller: drop statements, unwrap blocks, replace expressions by their
 * operands, then settings of the configuration; each step is kept if what is left still fails. */
#include "random.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

typedef struct shrinker {
  program *best;
  failure f;
  double deadline;
  char *text;
  size_t size;
} shrinker;

static bool differs_from_numpy(const failure *f, program *p, result *r, const uint8_t *ours,
                               char *text, size_t size)
{
  uint8_t *blob;
  char *error;
  numpy_run *run = numpy_start(f->python, 1, &p, &r);
  numpy_finish(run, &blob, &error);
  bool differs = true;
  if (!blob)
    snprintf(text, size, "%s", error);
  else
    differs = !judge(r, ours, blob, true, NULL, text, size);
  numpy_free(run);
  return differs;
}

/* Does the program fail under f's configuration (or against NumPy)? text: how. */
static bool still_fails(const failure *f, program *p, char *text, size_t size)
{
  result *r = reference_run(p);
  uint8_t *first = tsr__calloc(r->n_bytes + 1, 1), *want = r->bytes, *none = NULL;
  outcome o;
  bool fails = false;
  if (f->python || p->inexact) {
    const config *c = f->python ? &f->config : &f->first;
    run_config(c, 1, &p, &r, &none, &first, &o, true);
    want = first;
    if (f->python) fails = !o.failed && differs_from_numpy(f, p, r, first, text, size);
  }
  if (!f->python && !r->unsure) {
    run_config(&f->config, 1, &p, &r, &want, NULL, &o, true);
    fails = o.failed;
    if (fails) snprintf(text, size, "%s", o.text);
  }
  free(first);
  result_free(r);
  return fails;
}

/* Take the candidate (owned) if it is valid and fails. */
static bool try_program(shrinker *s, program *candidate)
{
  char text[1000];
  program_compact(candidate);
  bool good = now_seconds() < s->deadline && check_program(candidate) &&
              still_fails(&s->f, candidate, text, sizeof text);
  if (good) {
    program_destroy(s->best);
    s->best = candidate;
    snprintf(s->text, s->size, "%s", text);
  } else {
    program_destroy(candidate);
  }
  return good;
}

static void remove_statements(program *p, int first, int n)
{
  memmove(p->statements + first, p->statements + first + n,
          (size_t)(p->n_statements - first - n) * sizeof *p->statements);
  p->n_statements -= n;
}

static bool drop_statements(shrinker *s)
{
  bool any = false;
  for (int n = s->best->n_statements / 2; n >= 1; n /= 2) {
    for (int i = s->best->n_statements - n; i >= 0; i--) {
      if (i + n > s->best->n_statements) continue;
      program *p = program_copy(s->best);
      remove_statements(p, i, n);
      any |= try_program(s, p);
    }
  }
  return any;
}

static bool drop_blocks(shrinker *s)
{
  bool any = false;
  for (int i = s->best->n_statements - 1; i >= 0; i--) {
    if (i >= s->best->n_statements) continue;
    statement_kind k = s->best->statements[i].kind;
    if (k != ST_SCOPE_BEGIN && k != ST_REPEAT_BEGIN) continue;
    int last = program_block_end(s->best, i);
    program *p = program_copy(s->best);
    remove_statements(p, i, last - i + 1);
    if (try_program(s, p)) {
      any = true;
      continue;
    }
    p = program_copy(s->best);
    remove_statements(p, last, 1);
    remove_statements(p, i, 1);
    if (try_program(s, p)) {
      any = true;
      continue;
    }
    for (int count = 1; k == ST_REPEAT_BEGIN && count < s->best->statements[i].count; count++) {
      p = program_copy(s->best);
      p->statements[i].count = count;
      if (try_program(s, p)) {
        any = true;
        break;
      }
    }
  }
  return any;
}

static bool is_made(const node *n)
{
  return n->kind == NODE_CALL && n->n_args == 0;
}

/* Expressions become one of their operands, long sums shorter, data simpler, and calls without
 * operands zeros. */
static bool simplify_nodes(shrinker *s)
{
  bool any = false;
  for (int i = s->best->n_nodes - 1; i >= 0; i--) {
    if (i >= s->best->n_nodes) continue;
    bool done = false;
    for (int k = 0; !done && k < s->best->nodes[i].n_args; k++) {
      program *p = program_copy(s->best);
      p->nodes[i] = p->nodes[p->nodes[i].args[k]];
      done = try_program(s, p);
    }
    if (!done && s->best->nodes[i].n_args > 2) {
      program *p = program_copy(s->best);
      p->nodes[i].n_args--;
      done = try_program(s, p);
    }
    if (!done && s->best->nodes[i].kind == NODE_HOST && s->best->nodes[i].style) {
      program *p = program_copy(s->best);
      p->nodes[i].style = 0;
      done = try_program(s, p);
    }
    if (!done && is_made(&s->best->nodes[i])) {
      program *p = program_copy(s->best);
      node *n = &p->nodes[i];
      *n = (node){.kind = NODE_FULL, .shape = n->type.shape, .dtype = n->type.dtype};
      n->value[0].kind = SCALAR_BOOL;
      done = try_program(s, p);
    }
    any |= done;
  }
  return any;
}

static void simplify_config(shrinker *s)
{
  char text[1000];
  config *c = &s->f.config;
  for (int i = c->n_settings - 1; i >= 0 && now_seconds() < s->deadline; i--) {
    failure f = s->f;
    int after = --f.config.n_settings - i;
    memmove(f.config.name[i], f.config.name[i + 1], (size_t)after * sizeof c->name[0]);
    memmove(f.config.value[i], f.config.value[i + 1], (size_t)after * sizeof c->value[0]);
    if (still_fails(&f, s->best, text, sizeof text)) s->f = f;
  }
  while (c->ranks > 1 && now_seconds() < s->deadline) {
    failure f = s->f;
    f.config.ranks--;
    if (!still_fails(&f, s->best, text, sizeof text)) break;
    s->f = f;
  }
}

program *shrink(const program *p, failure *f, double seconds, bool *alone, char *text, size_t size)
{
  shrinker s = {.best = program_copy(p),
                .f = *f,
                .deadline = now_seconds() + seconds,
                .text = text,
                .size = size};
  char found[1000];
  check_program(s.best);
  /* Races do not show every time. */
  *alone = false;
  for (int tries = 0; tries < 3 && !*alone; tries++)
    *alone = still_fails(f, s.best, found, sizeof found);
  if (!*alone) return s.best;
  snprintf(text, size, "%s", found);
  if (!f->python) simplify_config(&s);
  while (now_seconds() < s.deadline) {
    bool any = drop_statements(&s);
    any |= drop_blocks(&s);
    any |= simplify_nodes(&s);
    if (!any) break;
  }
  if (!f->python) simplify_config(&s);
  *f = s.f;
  return s.best;
}
