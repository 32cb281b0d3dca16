/* Which configurations a program runs under. A batch b has one column for each number of ranks; the
 * column b % 4 is compiled, the others are interpreted. Each column counts its compiled and its
 * interpreted turns and takes the combinations of the five other modes in a fixed order that begins
 * elsewhere in each column: 32 turns see all of them. */
#include <string.h>

#include "random.h"

void config_set(config *c, const char *name, const char *value)
{
  snprintf(c->name[c->n_settings], sizeof c->name[0], "%s", name);
  snprintf(c->value[c->n_settings], sizeof c->value[0], "%s", value);
  c->n_settings++;
}

static void set_one_of(config *c, rng *r, const char *name, int n, const char *const *values)
{
  config_set(c, name, values[rng_below(r, n)]);
}

#define ONE_OF(...)                                                                                \
  (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)), (const char *const[])  \
  {                                                                                                \
    __VA_ARGS__                                                                                    \
  }

static int mode_of(uint64_t seed, int batch, int column)
{
  bool compiled = batch % 4 == column;
  int interpreted_before = (batch % 4) - (batch % 4 > column);
  int turn = compiled ? batch / 4 : batch / 4 * 3 + interpreted_before;
  uint64_t begin = seed + 11 * (uint64_t)column + (compiled ? 5 : 0);
  /* An odd factor: all 32 combinations, each turn another memo and most of the rest. */
  int combination = (int)((13 * (uint64_t)turn + begin) % 32);
  return combination | (compiled ? MODE_COMPILED : 0);
}

/* Seven batches of eight hold their kernels back until all of the first pass are wanted, so that
 * one run of the compiler makes them all; in the others they are compiled beside the first pass. */
static void set_modes(config *c, int batch, const char *cache)
{
  config_set(c, "threads", c->mode & MODE_THREADS ? "2" : "1");
  config_set(c, "fusion", c->mode & MODE_FUSION ? "1" : "0");
  config_set(c, "rename", c->mode & MODE_RENAME ? "1" : "0");
  config_set(c, "memo", c->mode & MODE_MEMO ? "1" : "0");
  config_set(c, "inline_elems", c->mode & MODE_INLINE ? "32K" : "0");
  config_set(c, "bind", "0");
  config_set(c, "jit", c->mode & MODE_COMPILED ? (batch % 8 == 5 ? "lazy" : "held") : "off");
  if (!(c->mode & MODE_COMPILED)) return;
  config_set(c, "jit_after", "0");
  config_set(c, "cache", cache);
  config_set(c, "cache_bytes", "4G");
}

/* Two batches of three have arrays on the pretend accelerator in one of the columns, half of these
 * with less memory than most programs need, half of them placed by costs with which arrays of 400
 * bytes and more are worth moving, and a quarter refusing some kernels; what is compiled for it is
 * in two cases of three the text for CUDA devices, as C. Every fifth has little of the host's
 * memory, and files behind it, in another column. Two of three have several places per rank. By
 * number, so that what else is drawn stays as it was. */
static void set_places(config *c, int batch, int column)
{
  const bool is_check = batch % 3 != 2 && (batch / 3) % 4 == column;
  if (is_check) config_set(c, "device", "check");
  if (is_check && batch % 2 == 0) config_set(c, "device_memory", batch % 4 == 0 ? "2K" : "6K");
  if (is_check && batch % 3 == 1) {
    config_set(c, "placement", "cost");
    config_set(c, "costs",
               "host_gbs=1,host_gips=1,device_gbs=2,device_gips=2,launch_us=0.2,link_us=0.1,"
               "link_gbs=5");
  }
  if (is_check && c->mode & MODE_COMPILED && batch / 6 % 3 != 2)
    config_set(c, "check_code", "cuda");
  if (is_check && batch % 8 >= 6)
    config_set(c, "refuse", batch % 8 == 6 ? "task,complex" : "random,user,float16");
  if (!is_check && batch % 5 == 4 && (batch / 5) % 4 == column) {
    config_set(c, "memory", "4K");
    config_set(c, "spill_dir", P_tmpdir);
  }
  if (batch % 3 == 1 || (batch / 2) % 4 != column) return;
  config_set(c, "places", batch % 4 == 1 ? "3" : "2");
  if (c->ranks == 1) config_set(c, "replicate_max", "0"); /* else they have nothing to exchange */
}

config config_draw(uint64_t seed, int batch, int which, const char *cache)
{
  rng r = rng_seeded(seed ^ 0xC0F1, (uint64_t)batch * CONFIGS_PER_BATCH + (uint64_t)which);
  config c = {.ranks = which == 0 ? 1 : which};
  if (which > 0) c.mode = mode_of(seed, batch, which - 1);
  set_modes(&c, batch, cache);
  if (which == 0) return c;
  if (c.ranks > 1)
    set_one_of(&c, &r, "replicate_max", ONE_OF("0", "0", "0", "0", "0", "50", "16K"));
  set_one_of(&c, &r, "tile_min", ONE_OF("1", "1", "4", "16", "64"));
  if (c.ranks > 1) set_one_of(&c, &r, "ranks_per_core", ONE_OF("1", "1", "2", "3"));
  set_one_of(&c, &r, "chunk_bytes", ONE_OF("64", "256", "2K", "8K", "512K"));
  set_one_of(&c, &r, "window_ops", ONE_OF("1", "4", "16", "64", "1K"));
  set_one_of(&c, &r, "halo_max", ONE_OF("0", "1", "64", "64"));
  set_one_of(&c, &r, "align_rows", ONE_OF("1", "1", "64", "768"));
  if (rng_chance(&r, 30)) config_set(&c, "recompute", "0");
  if (rng_chance(&r, 10)) config_set(&c, "window_cap", "7");
  if (rng_chance(&r, 7)) config_set(&c, "inorder", "1");
  /* One column of each batch, too, so that the verifier follows plans of every program. */
  if (rng_chance(&r, 20) || (batch + batch / 4) % 4 == which - 1) config_set(&c, "replan", "1");
  if (c.ranks > 1 && rng_chance(&r, 25)) {
    char text[20];
    snprintf(text, sizeof text, "%d", (int)rng_range(&r, 1, 1000000));
    config_set(&c, "seed", text);
  } else if (c.ranks > 1 && rng_chance(&r, 30)) {
    config_set(&c, "transport", "shm");
  }
  set_one_of(&c, &r, "fold_max", ONE_OF("64", "64", "64", "64", "0", "3", "9"));
  set_one_of(&c, &r, "lists", ONE_OF("all", "all", "auto", "off"));
  set_one_of(&c, &r, "group_ops", ONE_OF("1K", "1K", "64", "16", "3"));
  set_one_of(&c, &r, "time_steps", ONE_OF("7", "7", "2", "16", "0", "1"));
  if (c.ranks > 1) set_one_of(&c, &r, "halo_steps", ONE_OF("7", "7", "2", "16", "0", "1"));
  set_places(&c, batch, which - 1);
  return c;
}

void config_print(FILE *f, const config *c)
{
  fprintf(f, "ranks %d", c->ranks);
  for (int i = 0; i < c->n_settings; i++) fprintf(f, ", %s %s", c->name[i], c->value[i]);
}

int config_print_table(FILE *f, int n_programs[4][N_MODES])
{
  int least = n_programs[0][0], left_out = 0;
  fputs("programs per configuration      interpreted, ranks 1 to 4   compiled, ranks 1 to 4\n", f);
  for (int mode = 0; mode < MODE_COMPILED; mode++) {
    fprintf(f, "%s %s %s %s %s  ", mode & MODE_MEMO ? "memo" : "  - ",
            mode & MODE_RENAME ? "rename" : "   -  ", mode & MODE_INLINE ? "inline" : "   -  ",
            mode & MODE_FUSION ? "fusion" : "   -  ", mode & MODE_THREADS ? "2" : "1");
    for (int compiled = 0; compiled <= MODE_COMPILED; compiled += MODE_COMPILED) {
      for (int k = 0; k < 4; k++) {
        int n = n_programs[k][mode | compiled];
        fprintf(f, "%6d", n);
        if (n < least) least = n;
        left_out += n == 0;
      }
      fputs(compiled ? "\n" : "    ", f);
    }
  }
  fprintf(f, "%d of %d configurations ran, each at least %d programs\n",
          N_CONFIGURATIONS - left_out, N_CONFIGURATIONS, least);
  return least;
}
