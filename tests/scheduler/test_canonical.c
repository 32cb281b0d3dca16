/* A program is an object of its own: it is kept when its window has long gone, is written as text,
 * and planned as often as one likes, with the same answer. */
#include "harness.h"

enum { N = 40 };

/* Records u[1:-1] = 0.5 * (u[:-2] + u[2:]) and the greatest value of the sum. */
static void record_step(rank_world *w, array u, array most)
{
  const int64_t n = N - 2;
  const int64_t box[3][1][3] = {{{1, n, 1}}, {{0, n, 1}}, {{2, n, 1}}};
  array v[3];
  for (int i = 0; i < 3; i++) v[i] = slice(u, box[i]);
  array sum = make(w, TSR_FLOAT64, 1, &n, false);
  map2(w, TSR_OP_ADD, in_array(v[1]), in_array(v[2]), sum, true);
  map2(w, TSR_OP_MULTIPLY, in_f64(0.5), in_array(sum), v[0], false);
  const tsr_op_in value = in_array(sum);
  tsr__record_reduce(&w->window, &here, TSR_REDUCE_MAX, TSR_FLOAT64, TSR_FLOAT64, &value, 1, false,
                     most.region, most.view);
  drop(sum);
  for (int i = 0; i < 3; i++) tsr__view_ref_drop(v[i].view);
}

static char *plan_text(rank_world *w, const tsr_program *p)
{
  tsr__arena_reset(&w->scheduler->arena);
  tsr_plan *plan = tsr__plan_create(w->scheduler, p);
  char *text = tsr__plan_text(plan);
  tsr__plan_destroy(plan);
  return text;
}

static void keep(rank_world *w)
{
  const int64_t shape[1] = {N};
  array u = make(w, TSR_FLOAT64, 1, shape, true), most = make(w, TSR_FLOAT64, 0, NULL, true);
  fill(w, u, 1.0, true);
  record_step(w, u, most); /* stores u with a halo, so that the next step finds ghosts */
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  drop(most);
  most = make(w, TSR_FLOAT64, 0, NULL, true);
  record_step(w, u, most);

  tsr_arena memory = {0};
  tsr_program kept;
  program_of(&w->window, &memory, &kept);
  char *text = tsr__program_text(&kept), *plan = plan_text(w, &kept);
  cr_assert(strstr(text, "run   %0 r1:float64 = add(r0, r0{2+1*i0 : (38,)})") != NULL, "%s", text);
  cr_assert(strstr(text, "r0 (40,) float64 kept assigned stored") != NULL, "%s", text);

  cr_assert_eq(tsr__flush(w->scheduler, true), TSR_OK);
  drop(u);
  drop(most);
  cr_assert_eq(w->window.n_ops, 0);
  cr_assert_eq(w->window.n_regions, 0, "the window has gone");

  char *text_again = tsr__program_text(&kept);
  cr_assert_str_eq(text_again, text);
  for (int i = 0; i < 2; i++) {
    char *plan_again = plan_text(w, &kept);
    cr_assert_str_eq(plan_again, plan);
    free(plan_again);
  }
  tsr__program_drop(&kept);
  tsr__arena_destroy(&memory);
  free(text);
  free(text_again);
  free(plan);
}

Test(canonical, a_program_outlives_its_window)
{
  for (int n = 1; n <= 3; n += 2) RUN_RANKS(n, keep, NULL, "replicate_max", "0", "tile_min", "4");
}
