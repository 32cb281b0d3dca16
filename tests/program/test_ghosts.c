/* Ghosts: what a log of fills and writes says is valid. */
#include "program/ghosts.h"

#include <criterion/criterion.h>

#include "program/program.h"

enum { ROWS = 22, COLUMNS = 12 };

/* A need of the whole region's rows lo, lo + step, … and columns from `column` on, by every
 * place. */
static tsr_need need_of(struct tsr_window *w, tsr_layouts *table, int64_t lo, int64_t step,
                        int64_t column, int64_t rows, int64_t columns)
{
  const int64_t shape[] = {rows, columns};
  tsr_view v = {.ndim = 2, .rdim = 2, .shape = {rows, columns}, .offset = {lo, column}};
  v.step[0][0] = step;
  v.step[1][1] = 1;
  return (tsr_need){.cut = tsr__layout_replicated(table, 2, shape),
                    .view = tsr__view_ref_new(w, &v)};
}

static bool is_valid(const tsr_ghosts *g, const tsr_layout *layout, int64_t row, int64_t column)
{
  tsr_boxes valid = {0};
  tsr_box point = {.ndim = 2, .lo = {row, column}, .n = {1, 1}, .step = {1, 1}};
  bool found = false;
  tsr__ghosts_valid(g, layout, 1, COLUMNS, &valid);
  for (int32_t i = 0; i < valid.n; i++) found = found || tsr__box_contains(&valid.v[i], &point);
  tsr__boxes_free(&valid);
  return found;
}

/* What one fill says is valid does not depend on fills of other needs, such as of each fourth row,
 * nor on their order: none but a write takes anything away. */
Test(ghosts, a_fill_takes_nothing_from_another)
{
  tsr_world world = {0};
  tsr_window window;
  tsr__window_init(&window, &world);
  tsr_layouts *table = tsr__layouts_create(2, 1);
  const tsr_layout *tiles = tsr__layout_fresh(table, 2, (const int64_t[]){ROWS, COLUMNS}, 1, 1);
  tsr_need dense = need_of(&window, table, 4, 1, 8, 7, 3);
  tsr_need rows = need_of(&window, table, 2, 4, 5, 5, 7);
  tsr_ghosts g = {0};
  tsr__ghosts_fill(&g, &dense);
  for (int i = 0; i < 2; i++) {
    tsr__ghosts_fill(&g, &rows); /* the second one takes the place of the first one */
    cr_expect(is_valid(&g, tiles, 9, 9), "of the dense fill");
    cr_expect(is_valid(&g, tiles, 10, 11), "of each fourth row");
    cr_expect_not(is_valid(&g, tiles, 9, 11), "of neither");
    tsr__ghosts_fill(&g, &dense);
  }
  const tsr_box row = {.ndim = 2, .lo = {10, 0}, .n = {1, COLUMNS}, .step = {1, 1}};
  tsr__ghosts_write(&g, &row);
  cr_expect_not(is_valid(&g, tiles, 10, 9));
  cr_expect(is_valid(&g, tiles, 9, 9));
  tsr__ghosts_fill(&g, &rows);
  cr_expect(is_valid(&g, tiles, 10, 9));
  tsr__ghosts_free(&g);
  tsr__view_ref_drop(dense.view);
  tsr__view_ref_drop(rows.view);
  tsr__window_free(&window);
  tsr__layouts_destroy(table);
}
