/* Chains: chunk number -> box is arithmetic, for pieces that begin and end anywhere. */
#include "harness.h"

#include "scheduler/plan/chain.h"

enum { SIDE = 23 };

/* The boxes of one piece cover it once, row by row, and are cut at the multiples of the steps
 * only. */
static void boxes_of(const tsr_chain *chain, const int64_t *step)
{
  const tsr_chain_piece *p = &chain->pieces[0];
  int count[SIDE][SIDE] = {{0}}, last = -1;
  int64_t longest[2] = {0};
  for (int32_t c = 0; c < chain->n_chunks; c++) {
    tsr_box box;
    tsr__chain_box(chain, 3, c, &box);
    cr_assert_eq(box.ndim, 2);
    cr_expect_gt((int)(box.lo[0] * SIDE + box.lo[1]), last, "row by row");
    last = (int)(box.lo[0] * SIDE + box.lo[1]);
    for (int k = 0; k < 2; k++) {
      const int64_t end = box.lo[k] + box.n[k];
      cr_expect(box.lo[k] == p->lo[k] || (p->n[k] > 1 && box.lo[k] % step[k] == 0));
      cr_expect(end == p->end[k] || (p->n[k] > 1 && end % step[k] == 0));
      if (longest[k] < box.n[k]) longest[k] = box.n[k];
    }
    for (int64_t i = box.lo[0]; i < box.lo[0] + box.n[0]; i++)
      for (int64_t j = box.lo[1]; j < box.lo[1] + box.n[1]; j++) count[i][j]++;
  }
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      cr_expect_eq(count[i][j], i >= p->lo[0] && i < p->end[0] && j >= p->lo[1] && j < p->end[1]);
  for (int k = 0; k < 2; k++) cr_expect_eq(tsr__chain_longest(chain, k), longest[k]);
}

Test(chain, the_boxes_of_a_piece_cover_it_once)
{
  for (int64_t lo = 0; lo < 9; lo++)
    for (int64_t end = lo + 1; end <= SIDE; end++)
      for (int64_t step = 1; step <= 8; step++) {
        const int64_t steps[2] = {step, 9 - step};
        tsr_chain_piece p = {
            .lo = {lo, 8 - lo}, .end = {end, SIDE}, .step = {step, 9 - step}, .n = {1, 1}};
        tsr_chain chain = {.first_group = 3, .n_groups = 1, .ndim = 2, .n_pieces = 1, .pieces = &p};
        int32_t n = 1;
        for (int k = 0; k < 2; k++) {
          p.n[k] = (int32_t)((p.end[k] + steps[k] - 1) / steps[k] - p.lo[k] / steps[k]);
          n *= p.n[k];
        }
        chain.n_chunks = n;
        boxes_of(&chain, steps);
      }
}

/* The blocks of a part follow each other along their axis, and each box within one is known to lie
 * in it; of a part that is not in blocks, there is one, which is all of it. */
Test(chain, blocks_divide_a_part)
{
  const tsr_box part = {.ndim = 2, .lo = {4, 2}, .n = {5, SIDE}, .step = {1, 1}};
  const tsr_chain_blocks whole = {.n = 0};
  tsr_box box;
  tsr__chain_block_box(&whole, &part, 0, &box);
  cr_expect(tsr__box_equal(&box, &part));
  cr_expect_eq(tsr__chain_block_of(&whole, &part, &box), 0);
  for (int64_t thickness = 1; thickness <= SIDE; thickness++) {
    const tsr_chain_blocks blocks = {
        .axis = 1, .thickness = thickness, .n = (int32_t)((SIDE + thickness - 1) / thickness)};
    int64_t end = part.lo[1];
    for (int32_t b = 0; b < blocks.n; b++) {
      tsr__chain_block_box(&blocks, &part, b, &box);
      cr_expect_eq(box.lo[1], end);
      cr_expect(b == blocks.n - 1 ? box.n[1] <= thickness : box.n[1] == thickness);
      cr_expect(tsr__box_contains(&part, &box) && box.n[0] == part.n[0]);
      end = tsr__box_end(&box, 1);
      box.lo[1] = end - 1;
      box.n[1] = 1;
      cr_expect_eq(tsr__chain_block_of(&blocks, &part, &box), b);
    }
    cr_expect_eq(end, tsr__box_end(&part, 1));
  }
}

Test(chain, chunks_are_numbered_piece_by_piece)
{
  tsr_chain_piece p[3] = {{.lo = {0}, .end = {3}, .step = {1}, .n = {1}, .first = 0},
                          {.lo = {3}, .end = {20}, .step = {8}, .n = {3}, .first = 1},
                          {.lo = {20}, .end = {23}, .step = {1}, .n = {3}, .first = 4}};
  const tsr_chain chain = {.n_groups = 1, .ndim = 1, .n_chunks = 7, .n_pieces = 3, .pieces = p};
  static const int64_t begins[8] = {0, 3, 8, 16, 20, 21, 22, 23};
  for (int32_t c = 0; c < 7; c++) {
    tsr_box box;
    tsr__chain_box(&chain, 0, c, &box);
    cr_expect_eq(box.lo[0], begins[c]);
    cr_expect_eq(tsr__box_end(&box, 0), begins[c + 1]);
  }
  cr_expect_eq(tsr__chain_longest(&chain, 0), 8);
}
