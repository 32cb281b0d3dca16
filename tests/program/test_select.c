/* Which ops a flush runs: needs, deferred values, pinned operands, dead code. */
#include "program/canonical.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const tsr_location here = {
    .file = "test.c", .function = "test", .line = 1, .op = "test", .args = ""};
static const int64_t shape[1] = {8};

typedef struct bench {
  tsr_world world;
  tsr_window window;
  tsr_view_ref *whole;
  tsr_arena arena;
  tsr_program program; /* the last one; its arrays stay until the end */
} bench;

static void open_bench(bench *b)
{
  memset(b, 0, sizeof *b);
  tsr__window_init(&b->window, &b->world);
  tsr_view v;
  tsr__view_identity(&v, 1, shape);
  b->whole = tsr__view_ref_new(&b->window, &v);
}

static void close_bench(bench *b)
{
  tsr__program_drop(&b->program);
  tsr__window_free(&b->window);
  cr_assert_eq(b->window.n_regions, 0);
  tsr__view_ref_drop(b->whole);
  tsr__arena_destroy(&b->arena);
}

static tsr_region *region(bench *b, int n_handles, int n_stored)
{
  tsr_region *r = tsr__region_create(&b->window, TSR_FLOAT64, 1, shape, &here);
  r->n_handles = n_handles;
  r->n_stored = n_stored;
  return r;
}

static void release(bench *b, tsr_region *r)
{
  r->n_handles = r->n_stored = 0;
  tsr__region_maybe_free(&b->window, r);
}

static void fill(bench *b, tsr_region *r, bool creates)
{
  tsr_op_in in = {.scalar = tsr__scalar_of_f64(1.0)};
  tsr__record_copy(&b->window, &here, &in, r, b->whole, creates);
}

static void copy(bench *b, tsr_region *from, tsr_region *to, bool creates)
{
  tsr_op_in in = {.region = from, .view = b->whole};
  tsr__record_copy(&b->window, &here, &in, to, b->whole, creates);
}

/* Writes elements begin, begin + step, … of the region, n of them, from `from` (NULL: a scalar). */
static void write_part(bench *b, tsr_region *from, tsr_region *to, int64_t begin, int64_t n,
                       int64_t step)
{
  tsr_view v, part;
  tsr__view_identity(&v, 1, shape);
  part = v;
  tsr__view_slice(&v, 0, begin, n, step);
  tsr__view_slice(&part, 0, 0, n, 1);
  tsr_view_ref *out = tsr__view_ref_new(&b->window, &v), *in = tsr__view_ref_new(&b->window, &part);
  tsr_op_in value = {.region = from, .view = in};
  if (from == NULL) value = (tsr_op_in){.scalar = tsr__scalar_of_f64(2.0)};
  tsr__record_copy(&b->window, &here, &value, to, out, false);
  tsr__view_ref_drop(out);
  tsr__view_ref_drop(in);
}

static tsr_program select_now(bench *b, const tsr_region *target)
{
  tsr_names names;
  tsr__program_drop(&b->program);
  tsr__number_regions(&b->window, &names, &b->arena);
  tsr__program_capture(&b->window, &names, target, false, &b->arena, &b->program);
  tsr__program_select(&b->program, &b->arena);
  return b->program;
}

Test(select, runs_what_stored_values_need)
{
  bench b;
  open_bench(&b);
  tsr_region *a = region(&b, 1, 1), *t = region(&b, 1, 0), *dead = region(&b, 0, 0);
  fill(&b, t, true);
  copy(&b, t, a, true);
  fill(&b, dead, true);
  tsr_program s = select_now(&b, NULL);
  cr_assert_eq(s.ops[0].action, TSR_ACT_RUN);
  cr_assert(s.ops[0].deferred, "t is held by an open scope only: it stays a recipe");
  cr_assert_not(s.regions[t->local].store);
  cr_assert_eq(s.ops[1].action, TSR_ACT_RUN);
  cr_assert(s.regions[a->local].store);
  cr_assert_eq(s.ops[2].action, TSR_ACT_DROP);
  release(&b, a);
  release(&b, t);
  close_bench(&b);
}

Test(select, a_recipe_that_runs_again_is_stored)
{
  bench b;
  open_bench(&b);
  tsr_region *a = region(&b, 1, 1), *t = region(&b, 1, 0);
  fill(&b, t, true);
  b.window.ops[0]->ran = true;
  copy(&b, t, a, true);
  tsr_program s = select_now(&b, NULL);
  cr_assert(s.regions[t->local].store);
  cr_assert_not(s.ops[0].deferred);
  release(&b, a);
  release(&b, t);
  close_bench(&b);
}

Test(select, a_pinned_operand_forces_the_store)
{
  bench b;
  open_bench(&b);
  tsr_region *a = region(&b, 1, 1), *t = region(&b, 1, 0);
  fill(&b, a, true);
  copy(&b, a, t, true);
  tsr_program s = select_now(&b, NULL);
  cr_assert_eq(s.ops[1].action, TSR_ACT_KEEP, "nobody needs t, and a stays as it is");
  fill(&b, a, false);
  s = select_now(&b, NULL);
  cr_assert_eq(s.ops[1].action, TSR_ACT_RUN, "a is about to change");
  cr_assert(s.regions[t->local].store);
  cr_assert_eq(s.ops[0].action, TSR_ACT_RUN);
  release(&b, a);
  release(&b, t);
  close_bench(&b);
}

Test(select, overwritten_before_it_was_read)
{
  bench b;
  open_bench(&b);
  tsr_region *a = region(&b, 1, 1);
  fill(&b, a, true);
  fill(&b, a, false);
  tsr_program s = select_now(&b, NULL);
  cr_assert_eq(s.ops[0].action, TSR_ACT_DROP, "the second write replaces all of it");
  cr_assert_eq(s.ops[1].action, TSR_ACT_RUN);
  release(&b, a);
  close_bench(&b);
}

/* A region that is filled and then written whole, as a stack of one array is: the first write is
 * dead, and the second makes the region, for an op that runs and for one that stays. */
static void written_twice(bool runs)
{
  bench b;
  open_bench(&b);
  tsr_region *a = region(&b, 1, 1), *t = region(&b, 0, 0), *kept = region(&b, 1, 0);
  fill(&b, a, true);
  fill(&b, t, true);
  copy(&b, a, t, false);
  copy(&b, t, kept, true);
  tsr_region *sum = region(&b, 1, runs ? 1 : 0);
  copy(&b, t, sum, true);
  tsr_program s = select_now(&b, NULL);
  cr_assert_eq(s.ops[1].action, TSR_ACT_DROP, "nothing of the first write is left");
  cr_assert_eq(s.ops[2].action, runs ? TSR_ACT_RUN : TSR_ACT_KEEP);
  if (runs) cr_assert(s.ops[2].deferred, "held for a kept reader");
  if (runs) cr_assert(s.ops[2].creates, "made by its last write");
  cr_assert_eq(s.ops[3].action, TSR_ACT_KEEP);
  cr_assert_eq(s.ops[4].action, runs ? TSR_ACT_RUN : TSR_ACT_KEEP);
  release(&b, sum);
  release(&b, kept);
  release(&b, t);
  release(&b, a);
  close_bench(&b);
}

Test(select, a_recipe_written_twice_is_made_by_its_last_write)
{
  written_twice(true);
  written_twice(false);
}

/* How a region that is filled first is then written, and whether the fill is dead. */
static void written_in_parts(const int64_t (*parts)[3], int n_parts, int read_after, bool is_dead)
{
  bench b;
  open_bench(&b);
  tsr_region *a = region(&b, 1, 1), *seen = region(&b, 1, 1);
  fill(&b, a, true);
  for (int i = 0; i < n_parts; i++) {
    if (i == read_after) copy(&b, a, seen, true);
    write_part(&b, NULL, a, parts[i][0], parts[i][1], parts[i][2]);
  }
  tsr_program s = select_now(&b, NULL);
  cr_expect_eq(s.ops[0].action, is_dead ? TSR_ACT_DROP : TSR_ACT_RUN,
               "%d parts, from %d in steps of %d", n_parts, (int)parts[0][0], (int)parts[0][2]);
  for (int i = 1; i < s.n_ops; i++) {
    cr_expect_eq(s.ops[i].action, TSR_ACT_RUN);
    cr_expect(s.ops[i].out != s.ops[0].out || !s.ops[i].creates, "a part makes no region");
  }
  release(&b, seen);
  release(&b, a);
  close_bench(&b);
}

Test(select, a_fill_that_parts_cover_is_dead)
{
  written_in_parts((const int64_t[][3]){{0, 3, 1}, {3, 5, 1}}, 2, -1, true);
  written_in_parts((const int64_t[][3]){{4, 4, 1}, {0, 6, 1}}, 2, -1, true);
  written_in_parts((const int64_t[][3]){{0, 4, 2}, {1, 4, 2}}, 2, -1, true);
  written_in_parts((const int64_t[][3]){{0, 3, 1}, {4, 4, 1}}, 2, -1, false);
  written_in_parts((const int64_t[][3]){{0, 4, 2}, {1, 3, 2}}, 2, -1, false);
  written_in_parts((const int64_t[][3]){{0, 3, 1}, {3, 5, 1}}, 2, 1, false);
  written_in_parts((const int64_t[][3]){{0, 3, 1}, {3, 5, 1}, {0, 1, 1}}, 3, 2, true);
}

/* Two parts of t, and its copy into `to`, which one array holds. */
static tsr_program copied_parts(bench *b, tsr_region *from, tsr_region *t, tsr_region *to)
{
  fill(b, from, true);
  fill(b, t, true);
  write_part(b, from, t, 0, 4, 1);
  write_part(b, from, t, 4, 4, 1);
  copy(b, t, to, true);
  return select_now(b, NULL);
}

Test(select, parts_of_what_is_only_copied_are_written_to_the_copy)
{
  bench b;
  open_bench(&b);
  tsr_region *from = region(&b, 1, 1), *t = region(&b, 0, 0), *to = region(&b, 1, 1);
  tsr_program s = copied_parts(&b, from, t, to);
  cr_assert_eq(s.ops[1].action, TSR_ACT_DROP);
  cr_assert_eq(s.ops[4].action, TSR_ACT_REDIRECTED);
  for (int i = 2; i < 4; i++) {
    cr_assert_eq(s.ops[i].action, TSR_ACT_RUN);
    cr_assert_eq(s.ops[i].out, s.ops[4].out, "into the copy");
    cr_assert_eq(s.ops[i].out_view->view.offset[0], i == 2 ? 0 : 4);
  }
  release(&b, to);
  release(&b, t);
  release(&b, from);
  close_bench(&b);
}

Test(select, parts_stay_where_an_array_holds_them_or_another_op_reads_them)
{
  for (int is_read = 0; is_read < 2; is_read++) {
    bench b;
    open_bench(&b);
    tsr_region *from = region(&b, 1, 1), *t = region(&b, !is_read, !is_read),
               *to = region(&b, 1, 1), *also = region(&b, 1, 1);
    if (is_read) {
      copied_parts(&b, from, t, to);
      copy(&b, t, also, true);
    }
    tsr_program s = is_read ? select_now(&b, NULL) : copied_parts(&b, from, t, to);
    for (int i = 2; i < s.n_ops; i++) cr_expect_eq(s.ops[i].action, TSR_ACT_RUN);
    cr_expect_eq(s.ops[2].out, s.ops[4].in[0].region);
    release(&b, also);
    release(&b, to);
    release(&b, t);
    release(&b, from);
    close_bench(&b);
  }
}

Test(select, a_read_stores_its_target)
{
  bench b;
  open_bench(&b);
  tsr_region *t = region(&b, 1, 0);
  fill(&b, t, true);
  cr_assert_eq(select_now(&b, NULL).ops[0].action, TSR_ACT_KEEP);
  tsr_program s = select_now(&b, t);
  cr_assert_eq(s.ops[0].action, TSR_ACT_RUN);
  cr_assert(s.regions[t->local].store);
  release(&b, t);
  close_bench(&b);
}

Test(window, hash_covers_what_decides_values)
{
  uint64_t hash[3];
  for (int i = 0; i < 3; i++) {
    bench b;
    open_bench(&b);
    tsr_region *a = region(&b, 1, 1);
    tsr_op_in in = {.scalar = tsr__scalar_of_f64(i == 1 ? 1.0 + 0x1p-52 : 1.0)};
    tsr__record_copy(&b.window, &here, &in, a, b.whole, true);
    hash[i] = b.world.hash;
    cr_assert_eq(b.world.seq, 1);
    release(&b, a);
    close_bench(&b);
  }
  cr_assert_eq(hash[0], hash[2]);
  cr_assert_neq(hash[0], hash[1], "one bit of a scalar shows");
}

Test(window, text_names_ops_and_places)
{
  bench b;
  open_bench(&b);
  tsr_region *a = region(&b, 1, 1);
  fill(&b, a, true);
  char *text = tsr__window_text(&b.window);
  cr_assert_str_eq(text, "%0 r0:float64 = copy(1)  test.c:1\n");
  free(text);
  release(&b, a);
  close_bench(&b);
}

/* A periodic read is a copy through the pieces on either side of the seam. The same read again has
 * the very same views; another distance is another call. */
Test(window, pieces_of_a_periodic_read)
{
  bench b;
  uint64_t hash[2];
  for (int shift = 3; shift <= 4; shift++) {
    open_bench(&b);
    tsr_region *x = region(&b, 1, 1), *y = region(&b, 1, 1);
    tsr_view_ref *piece[2], *again[2];
    tsr__view_ref_rolled(b.whole, 0, shift, piece);
    tsr__view_ref_rolled(b.whole, 0, shift, again);
    const tsr_op_in in[2] = {{.region = x, .view = piece[0]}, {.region = x, .view = piece[1]}};
    tsr__record_pieces(&b.window, &here, 2, in, y, b.whole);
    hash[shift - 3] = b.world.hash;
    for (int i = 0; i < 2; i++) {
      cr_expect_eq(piece[i], again[i]);
      const tsr_view *v = &piece[i]->view;
      cr_expect_eq(v->offset[0], i == 0 ? -shift : 8 - shift);
      cr_expect(v->bounded && v->lo[0] == (i == 0 ? shift : 0) && v->hi[0] == (i == 0 ? 8 : shift));
      tsr__view_ref_drop(piece[i]);
      tsr__view_ref_drop(again[i]);
    }
    char *text = tsr__window_text(&b.window);
    if (shift == 3)
      cr_expect(
          strstr(text, "copy(r0{-3+1*i0 : (8,) within [3:8]}, r0{5+1*i0 : (8,) within [0:3]})"),
          "%s", text);
    free(text);
    release(&b, x);
    release(&b, y);
    close_bench(&b);
  }
  cr_expect_neq(hash[0], hash[1]);
}
