/* tsr_local on several ranks: the tiles cover the array once, halos hold the neighbours' values,
 * what is written counts. */
#include "array_test.h"

typedef struct tiles_check {
  int halo;
  _Atomic int failures;
  _Atomic int64_t covered;
} tiles_check;

enum { ROWS = 37, COLUMNS = 53 };

static double value_at(int64_t i, int64_t j)
{
  return (double)(1000 * i + j);
}

static double *at(const tsr_local_tile *t, int64_t i, int64_t j)
{
  return (double *)((char *)t->data + (i - t->lo[0]) * t->stride_bytes[0] +
                    (j - t->lo[1]) * t->stride_bytes[1]);
}

/* Tile and halo, as far as the array reaches, hold x[i, j] = value_at(row(i), column(j)) + more. */
static void check_tile(tiles_check *s, const tsr_local_tile *t, int64_t n, int64_t m, int64_t halo,
                       bool turned, double more)
{
  if (t->n[0] * t->n[1] == 0) return;
  for (int64_t i = t->lo[0] - halo; i < t->lo[0] + t->n[0] + halo; i++)
    for (int64_t j = t->lo[1] - halo; j < t->lo[1] + t->n[1] + halo; j++) {
      if (i < 0 || j < 0 || i >= n || j >= m) continue;
      bool in_tile =
          i >= t->lo[0] && i < t->lo[0] + t->n[0] && j >= t->lo[1] && j < t->lo[1] + t->n[1];
      double expected = (turned ? value_at(ROWS - 1 - j, i) : value_at(i, j)) + more;
      if (*at(t, i, j) == expected) {
        s->covered += in_tile;
      } else if (s->failures++ == 0) {
        fprintf(stderr, "[%d, %d] is %g, not %g\n", (int)i, (int)j, *at(t, i, j), expected);
      }
    }
}

static void tiles(void *arg, int rank)
{
  tiles_check *s = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_add(tsr_multiply(tsr_expand_dims(tsr_arange(0, ROWS, 1), 1), 1000.0),
                        tsr_arange(0, COLUMNS, 1));
  const int64_t halo[] = {s->halo, s->halo};
  tsr_local_tile tile;
  s->failures += tsr_local(x, halo, false, &tile) != TSR_OK;
  check_tile(s, &tile, ROWS, COLUMNS, s->halo, false, 0);
  s->failures += tsr_local_end(&tile) != TSR_OK;

  s->failures += tsr_local(x, NULL, true, &tile) != TSR_OK;
  for (int64_t i = tile.lo[0]; i < tile.lo[0] + tile.n[0]; i++)
    for (int64_t j = tile.lo[1]; j < tile.lo[1] + tile.n[1]; j++) *at(&tile, i, j) += 0.5;
  s->failures += tsr_local_end(&tile) != TSR_OK;

  /* The ghosts that were fetched before are stale now: they come again. */
  s->failures += tsr_local(x, halo, false, &tile) != TSR_OK;
  check_tile(s, &tile, ROWS, COLUMNS, s->halo, false, 0.5);
  tsr_local_end(&tile);

  tsr_array turned = tsr_transpose(tsr_flip(x, TSR_AXES(0)));
  s->failures += tsr_local(turned, halo, false, &tile) != TSR_OK;
  check_tile(s, &tile, COLUMNS, ROWS, s->halo, true, 0.5);
  tsr_local_end(&tile);

  double *all = malloc(sizeof(double) * ROWS * COLUMNS);
  s->failures += tsr_to_host(x, all) != TSR_OK;
  for (int64_t i = 0; i < ROWS * COLUMNS; i++)
    s->failures += all[i] != value_at(i / COLUMNS, i % COLUMNS) + 0.5;
  free(all);
  s->failures += tsr_last_error()[0] != '\0';
}

Test(tiles, cover_the_array_once_with_their_halos, .timeout = 120)
{
  enum { N_MODES = 5 };
  static const char *const settings[N_MODES][10] = {
      {NULL},
      {"replicate_max", "0", "tile_min", "1"},
      {"replicate_max", "0", "tile_min", "1", "halo_max", "1"}, /* wider than arrays keep */
      {"replicate_max", "0", "tile_min", "1", "places", "2"},
      {"replicate_max", "0", "tile_min", "1", "places", "3", "device", "check"}};
  for (int mode = 0; mode < N_MODES; mode++)
    for (int n = 1; n <= (mode < 2 ? 8 : 3); n++)
      for (int halo = 0; halo <= 3; halo++) {
        tiles_check s = {.halo = halo};
        cr_assert_eq(tsr_run_ranks(n, settings[mode], tiles, &s), TSR_OK);
        cr_assert_eq(s.failures, 0, "%d ranks, halo %d, mode %d", n, halo, mode);
        cr_assert_eq(s.covered, 3 * ROWS * COLUMNS, "%d ranks, mode %d: %d", n, mode,
                     (int)s.covered);
      }
}

/* A value without axes is lent by whoever has it, and by nobody else. */
static void element(void *arg, int rank)
{
  tiles_check *s = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_arange(0, ROWS, 1);
  tsr_local_tile tile;
  for (int i = 0; i < ROWS; i += 9) {
    tsr_array one = tsr_slice(x, "$", i);
    s->failures += tsr_local(one, NULL, true, &tile) != TSR_OK;
    if (tile.data != NULL) {
      s->covered++;
      s->failures += *(double *)tile.data != i;
      *(double *)tile.data += 0.5;
    }
    s->failures += tsr_local_end(&tile) != TSR_OK;
    s->failures += tsr_item_f64(one) != i + 0.5;
  }
}

Test(tiles, a_value_without_axes_is_lent_once, .timeout = 120)
{
  static const char *const settings[][8] = {
      {NULL},
      {"replicate_max", "0", "tile_min", "1", NULL},
      {"replicate_max", "0", "tile_min", "1", "places", "3", NULL}};
  for (int mode = 0; mode < 3; mode++)
    for (int n = 1; n <= 4; n++) {
      tiles_check s = {.halo = 0};
      cr_assert_eq(tsr_run_ranks(n, settings[mode], element, &s), TSR_OK);
      cr_assert_eq(s.failures, 0, "%d ranks, mode %d", n, mode);
      cr_assert_eq(s.covered, (ROWS + 8) / 9, "%d ranks, mode %d: %d", n, mode, (int)s.covered);
    }
}
