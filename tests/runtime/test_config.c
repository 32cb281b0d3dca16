/* Settings: defaults, values that are taken or refused, the text of every kind of refusal, and
 * agreeing. */
#include "runtime/base/config.h"
#include "runtime/machine/costs.h"
#include "runtime/device/traits.h"
#include "tests/runtime/capture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

static tsr_config defaults(void)
{
  tsr_config c;
  char message[256] = "";
  cr_assert_eq(tsr__config_read(&c, message, sizeof message), TSR_OK, "%s", message);
  return c;
}

static void refused(const char *name, const char *value, const char *expected)
{
  tsr_config c = defaults(), before = c;
  char message[256] = "";
  cr_assert_eq(tsr__config_set(&c, name, value, message, sizeof message), TSR_ERR_CONFIG);
  cr_assert_str_eq(message, expected);
  cr_assert_eq(memcmp(&c, &before, sizeof c), 0, "a refused value leaves the settings alone");
}

/* Expects a refusal whose text holds `piece`, among other things. */
static void refused_so(const char *name, const char *value, const char *piece)
{
  tsr_config c = defaults();
  char message[512] = "";
  cr_expect_eq(tsr__config_set(&c, name, value, message, sizeof message), TSR_ERR_CONFIG);
  cr_expect_not_null(strstr(message, piece), "no \"%s\" in: %s", piece, message);
}

static void taken(tsr_config *c, const char *name, const char *value)
{
  char message[256] = "";
  cr_assert_eq(tsr__config_set(c, name, value, message, sizeof message), TSR_OK, "%s", message);
}

Test(config, defaults)
{
  unsetenv("TESSERA_COMPILER"); /* the environment of the tests may choose a compiler */
  tsr_config c = defaults();
  cr_assert_eq(c.threads, 0);
  cr_assert_eq(c.tile_min, 16384);
  cr_assert_eq(c.chunk_bytes, 512 * 1024);
  cr_assert_eq(c.window_cap, 1024);
  cr_assert(c.fusion && c.rename && c.guard && c.bind);
  cr_assert(!c.inorder && !c.replan);
  cr_assert_str_eq(c.transport, "auto");
  cr_assert_str_eq(c.jit, "lazy");
  cr_assert_str_eq(c.compiler, "cc");
  cr_assert_eq(c.cache_bytes, 256 << 20);
  cr_assert_str_eq(c.dump, "");
}

Test(config, environment)
{
  setenv("TESSERA_THREADS", "3", 1);
  setenv("TESSERA_MEMORY", "2G", 1);
  setenv("TESSERA_FUSION", "off", 1);
  setenv("TESSERA_TRANSPORT", "self", 1);
  setenv("TESSERA_DUMP", "/tmp/plans", 1);
  setenv("TESSERA_TILE_MIN", "", 1);
  tsr_config c = defaults();
  cr_assert_eq(c.threads, 3);
  cr_assert_eq(c.memory_bytes, INT64_C(2) << 30);
  cr_assert(!c.fusion);
  cr_assert_str_eq(c.transport, "self");
  cr_assert_str_eq(c.dump, "/tmp/plans");
  cr_assert_eq(c.tile_min, 16384, "an empty variable is one that is not set");
}

Test(config, names_and_suffixes)
{
  tsr_config c = defaults();
  taken(&c, "threads", "2");
  cr_assert_eq(c.threads, 2);
  taken(&c, "TESSERA_THREADS", "5");
  cr_assert_eq(c.threads, 5);
  taken(&c, "memory", "3k");
  cr_assert_eq(c.memory_bytes, 3 * 1024);
  taken(&c, "memory", "7MiB");
  cr_assert_eq(c.memory_bytes, 7 * 1024 * 1024);
  taken(&c, "memory", "1T");
  cr_assert_eq(c.memory_bytes, INT64_C(1) << 40);
  taken(&c, "inorder", "yes");
  cr_assert(c.inorder);
  taken(&c, "dump", "");
  cr_assert_str_eq(c.dump, "");
}

Test(config, refused_values_say_what_they_take)
{
  refused("TESSERA_THREADS", "many",
          "TESSERA_THREADS is \"many\"; it takes a whole number from 0 to 4096");
  refused("threads", "-1", "TESSERA_THREADS is \"-1\"; it takes a whole number from 0 to 4096");
  refused("threads", "2K", "TESSERA_THREADS is \"2K\"; it takes a whole number from 0 to 4096");
  refused("threads", "", "TESSERA_THREADS is \"\"; it takes a whole number from 0 to 4096");
  refused("seed", "x", "TESSERA_SEED is \"x\"; it takes a whole number, 0 or more");
  refused("memory", "2Q",
          "TESSERA_MEMORY is \"2Q\"; it takes a whole number, 0 or more, with an optional suffix "
          "K, M, G or T (1K = 1024)");
  refused("memory", "99999999999T",
          "TESSERA_MEMORY is \"99999999999T\"; it takes a whole number, 0 or more, with an "
          "optional suffix K, M, G or T (1K = 1024)");
  refused("tile_min", "0",
          "TESSERA_TILE_MIN is \"0\"; it takes a whole number, 1 or more, with an optional suffix "
          "K, M, G or T (1K = 1024)");
  refused("fusion", "maybe",
          "TESSERA_FUSION is \"maybe\"; it takes 1, true, yes, on or 0, false, no, off");
  refused("transport", "carrier pigeon",
          "TESSERA_TRANSPORT is \"carrier pigeon\"; it takes auto, self, mpi or shm");
  refused("transport", "aut", "TESSERA_TRANSPORT is \"aut\"; it takes auto, self, mpi or shm");
  char value[300];
  memset(value, 'x', sizeof value - 1);
  value[sizeof value - 1] = 0;
  char expected[256];
  snprintf(expected, sizeof expected,
           "TESSERA_DUMP is \"%.80s\"; it takes a text of at most 255 bytes", value);
  refused("dump", value, expected);
}

Test(config, devices)
{
  tsr_config c = defaults();
  static const char *const good[] = {"", "1", "64", "0,2,3", "7,", "4095,0,"};
  for (int i = 0; i < 6; i++) {
    taken(&c, "devices", good[i]);
    cr_assert_str_eq(c.devices, good[i]);
  }
#define HELP                                                                                       \
  "\nhelp: it takes a count (4) or numbers of devices (0,2,3; `2,` for one), in 127 bytes"
#define COUNT " is not a count from 1 to 64" HELP
#define NUMBER " is not the number of a device, 0 to 4095" HELP
  refused("devices", "0", "TESSERA_DEVICES is \"0\": byte 0" COUNT);
  refused("devices", "65", "TESSERA_DEVICES is \"65\": byte 0" COUNT);
  refused("devices", "99999999999999999999",
          "TESSERA_DEVICES is \"99999999999999999999\": byte 0" COUNT);
  refused("devices", "all", "TESSERA_DEVICES is \"all\": byte 0" COUNT);
  refused("devices", "4x", "TESSERA_DEVICES is \"4x\": byte 1 is no digit" HELP);
  refused("devices", ",", "TESSERA_DEVICES is \",\": byte 0" NUMBER);
  refused("devices", "0,,1", "TESSERA_DEVICES is \"0,,1\": byte 2" NUMBER);
  refused("devices", "0,-1", "TESSERA_DEVICES is \"0,-1\": byte 2" NUMBER);
  refused("devices", "3,4096", "TESSERA_DEVICES is \"3,4096\": byte 2" NUMBER);
  refused("devices", "0,1 ,2",
          "TESSERA_DEVICES is \"0,1 ,2\": byte 3 is neither a digit nor a comma" HELP);
}

Test(config, costs_and_kernels_that_are_refused)
{
  tsr_costs costs = {.launch_ns = 0};
  tsr_kernel_traits traits;
  size_t at;
  const char *why;
  cr_expect(tsr__costs_read("link_us=10,launch_us=5e0,host_gbs=20.5", &costs, &at, &why));
  cr_expect_eq(costs.link_ns, 10000);
  cr_expect_eq(costs.launch_ns, 5000);
  cr_expect_eq(costs.bytes_per_ns[TSR_ON_HOST], 20.5);
  cr_expect_eq(costs.link_bytes_per_ns, 0, "was not named");
  cr_expect_not(tsr__costs_are_complete(&costs));
  refused_so("costs", "host_gb=1",
             "TESSERA_COSTS is \"host_gb=1\": byte 0 does not begin host_gbs, ");
  refused_so("costs", "launch_us", "byte 0 does not begin");
  refused_so("costs", "launch_us=5,", "byte 11 is a ',' before nothing");
  refused_so("costs", "launch_us=5;link_us=1", "byte 11 is not the ',' before the next one");
  refused_so("costs", "launch_us=5,link_us=fast",
             "byte 20 does not begin a number from 1e-6 to 1e9");
  refused_so("costs", "launch_us=0", "byte 10 does not begin a number");
  refused_so("costs", "launch_us=nan", "byte 10 does not begin a number");
  refused_so("costs", "launch_us=5,link_us=1,launch_us=5",
             "byte 22 is launch_us, which was named before");
  refused_so("placement", "gpu", "TESSERA_PLACEMENT is \"gpu\"; it takes auto, cost or all");

  cr_expect(tsr__traits_read("task,float16", &traits, &at, &why));
  cr_expect_eq(traits.features, TSR_TRAIT_TASK);
  cr_expect_eq(traits.dtypes, 1u << TSR_DTYPE_FLOAT16);
  refused_so("refuse", "tasks",
             "TESSERA_REFUSE is \"tasks\": byte 0 does not begin random, task, ");
  refused_so("refuse", "task,,user", "byte 5 does not begin");
  refused_so("refuse", "task,",
             "byte 4 is a ',' with nothing behind it\nhelp: it takes some of random");
}

Test(config, unknown_name)
{
  refused("TESSERA_THREDS", "2",
          "unknown setting \"TESSERA_THREDS\"; the nearest is TESSERA_THREADS");
  refused("windowcap", "2", "unknown setting \"windowcap\"; the nearest is TESSERA_WINDOW_CAP");
}

Test(config, bad_environment)
{
  setenv("TESSERA_DEBUG", "loud", 1);
  tsr_config c = {.threads = 77};
  char message[256];
  cr_assert_eq(tsr__config_read(&c, message, sizeof message), TSR_ERR_CONFIG);
  cr_assert_str_eq(message, "TESSERA_DEBUG is \"loud\"; it takes a whole number from 0 to 3");
  cr_assert_eq(c.threads, 77, "outputs are written only on success");
}

static void read_settings(void)
{
  defaults();
}

Test(config, unknown_variable_warns)
{
  char text[512];
  setenv("TESSERA_TREADS", "2", 1);
  cr_assert_eq(capture_stderr(read_settings, text, sizeof text), 0);
  cr_assert_str_eq(
      text, "warning[TSR0501]: unknown setting TESSERA_TREADS; the nearest is TESSERA_THREADS\n"
            "help: `tessera info --config` lists all settings\n");
}

Test(config, one_rank_warns_for_all)
{
  char text[512];
  setenv("TESSERA_TREADS", "2", 1);
  setenv("OMPI_COMM_WORLD_RANK", "1", 1);
  cr_assert_eq(capture_stderr(read_settings, text, sizeof text), 0);
  cr_assert_str_eq(text, "");
}

Test(config, text)
{
  tsr_config c = defaults();
  taken(&c, "threads", "6");
  taken(&c, "memory", "1536M");
  taken(&c, "fusion", "yes"); /* this is the default, under another name */
  char *text = tsr__config_text(&c, 0);
  static const char *const lines[] = {("* TESSERA_THREADS=6            (default 0) computing "
                                       "threads per rank; 0: this rank's share "
                                       "of the cores. It takes a whole number from 0 to 4096.\n"),
                                      "\n* TESSERA_MEMORY=1536M ",
                                      "\n  TESSERA_FUSION=1 ",
                                      "\n  TESSERA_DUMP=                (default empty) directory",
                                      "It takes off, lazy, eager or held.\n",
                                      "Everyday settings (* marks what is not the default)\n",
                                      "\n\nTuning\n  TESSERA_WINDOW_OPS=64 ",
                                      "\n\nTesting\n  TESSERA_SEED=0 "};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    cr_expect(strstr(text, lines[i]), "%s\nin\n%s", lines[i], text);
  free(text);
}

/* Lines of at most so many columns, but for words that are longer; no word is lost. */
Test(config, text_in_lines_of_a_terminal)
{
  const tsr_config c = defaults();
  char *whole = tsr__config_text(&c, 0);
  for (int columns = 40; columns <= 200; columns += 40) {
    char *text = tsr__config_text(&c, columns), *words = whole;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
      cr_expect(strlen(line) <= (size_t)columns || !strchr(line + strspn(line, " "), ' ') ||
                    line[2] != ' ',
                "%d: %s", columns, line);
      for (char *at = line; *(at += strspn(at, " "));) {
        const int n = (int)strcspn(at, " ");
        words += strspn(words, " \n");
        cr_assert(!strncmp(words, at, (size_t)n), "%.*s, not %.20s", n, at, words);
        words += n, at += n;
      }
    }
    free(text);
  }
  free(whole);
}

Test(config, adopt_takes_agreed_rows_only)
{
  tsr_config mine = defaults(), rank0 = mine;
  taken(&mine, "threads", "2");
  taken(&rank0, "threads", "3");
  taken(&mine, "chunk_bytes", "1K");
  taken(&rank0, "fusion", "0");
  taken(&rank0, "tile_min", "5");
  tsr__config_adopt(&mine, &rank0);
  cr_assert_eq(mine.threads, 2);
  cr_assert_eq(mine.chunk_bytes, 1024);
  cr_assert(!mine.fusion);
  cr_assert_eq(mine.tile_min, 5);
}

Test(config, cache_directory)
{
  tsr_config c = defaults();
  char dir[512];
  setenv("HOME", "/home/me", 1);
  unsetenv("XDG_CACHE_HOME");
  cr_expect_str_eq(tsr__cache_dir(&c, dir, sizeof dir), "/home/me/.cache/tessera");
  setenv("XDG_CACHE_HOME", "/fast", 1);
  cr_expect_str_eq(tsr__cache_dir(&c, dir, sizeof dir), "/fast/tessera");
  taken(&c, "cache", "/mine");
  cr_expect_str_eq(tsr__cache_dir(&c, dir, sizeof dir), "/mine");
  c.cache[0] = 0;
  setenv("XDG_CACHE_HOME", "relative", 1);
  unsetenv("HOME");
  cr_expect_str_eq(tsr__cache_dir(&c, dir, sizeof dir), "");
}

/* Where the owner cannot write, nothing is kept, either; the super user can everywhere. */
static int rights_of_an_owner(void)
{
  static const struct {
    mode_t mode;
    bool is_taken;
  } modes[] = {{0700, true},  {0755, true},  {0500, false}, {0400, false},
               {0600, false}, {0300, false}, {0000, false}};
  char dir[] = "/tmp/tsr-cache-XXXXXX";
  int n_wrong = 0;
  enum { NOBODY = 65534 };
  if (geteuid() == 0 && (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)) return 0;
  if (!mkdtemp(dir)) return 100;
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    chmod(dir, modes[i].mode);
    const char *defect = tsr__cache_dir_defect(dir);
    n_wrong += modes[i].is_taken ? defect != NULL
                                 : defect == NULL || strstr(defect, "chmod u+rwx mends it") == NULL;
  }
  return n_wrong + (rmdir(dir) < 0);
}

Test(config, a_cache_directory_that_its_owner_cannot_use)
{
  int status = -1;
  const pid_t child = fork_child();
  if (child == 0) _exit(rights_of_an_owner());
  waitpid(child, &status, 0);
  cr_expect_eq(status, 0);
}

Test(config, a_cache_directory_by_a_symbolic_link)
{
  char home[] = "/tmp/tsr-cache-XXXXXX", dir[64], link[64];
  cr_assert_not_null(mkdtemp(home));
  snprintf(dir, sizeof dir, "%s/dir", home);
  snprintf(link, sizeof link, "%s/link", home);
  cr_assert_eq(symlink(dir, link), 0);
  cr_expect_str_eq(tsr__cache_dir_defect(link), "it is a symbolic link that leads nowhere");
  cr_expect(tsr__cache_dir_make(dir));
  cr_expect_null(tsr__cache_dir_defect(link));
  cr_expect(tsr__cache_dir_make(link), "it is there");
  cr_assert_eq(chmod(dir, 0775), 0);
  cr_expect_str_eq(tsr__cache_dir_defect(link), "others may write it (chmod go-w mends it)");
  if (geteuid() == 0) {
    cr_assert_eq(lchown(link, 65534, 65534), 0);
    cr_expect_str_eq(tsr__cache_dir_defect(link), "it is a symbolic link of another user's");
  }
  cr_expect_eq(unlink(link), 0);
  cr_expect_eq(rmdir(dir), 0);
  cr_expect_eq(rmdir(home), 0);
}

/* Something is kept only where nobody else can write. */
Test(config, which_cache_directories_are_taken)
{
  char home[] = "/tmp/tsr-cache-XXXXXX", dir[64], inside[80], file[48];
  cr_assert_not_null(mkdtemp(home));
  snprintf(dir, sizeof dir, "%s/a", home);
  snprintf(inside, sizeof inside, "%s/b/c", dir);
  snprintf(file, sizeof file, "%s/file", home);
  cr_expect_null(tsr__cache_dir_defect(inside), "it can be made");
  cr_expect_neq(access(dir, F_OK), 0, "a question makes nothing");
  cr_expect(tsr__cache_dir_make(inside));
  cr_expect(tsr__cache_dir_make(inside), "it is there");
  cr_expect_null(tsr__cache_dir_defect(inside));
  static const struct {
    mode_t mode;
    const char *defect;
  } modes[] = {{0700, NULL},
               {0755, NULL},
               {0711, NULL},
               {0775, "others may write it (chmod go-w mends it)"},
               {0702, "others may write it (chmod go-w mends it)"}};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    cr_assert_eq(chmod(inside, modes[i].mode), 0);
    const char *defect = tsr__cache_dir_defect(inside);
    cr_expect((defect == NULL) == (modes[i].defect == NULL), "%o", modes[i].mode);
    if (defect && modes[i].defect) cr_expect_str_eq(defect, modes[i].defect);
  }
  fclose(fopen(file, "w"));
  cr_expect_str_eq(tsr__cache_dir_defect(file), "it is not a directory");
  snprintf(dir, sizeof dir, "%s/below", file);
  cr_expect_str_eq(tsr__cache_dir_defect(dir), "it cannot be made");
  cr_expect_not(tsr__cache_dir_make(dir));
  if (geteuid() != 0) cr_expect_str_eq(tsr__cache_dir_defect("/"), "it belongs to another user");
  cr_expect_eq(unlink(file), 0);
  cr_expect_eq(rmdir(inside), 0);
  *strrchr(inside, '/') = 0;
  cr_expect_eq(rmdir(inside), 0);
  *strrchr(inside, '/') = 0;
  cr_expect_eq(rmdir(inside), 0);
  cr_expect_eq(rmdir(home), 0);
}

Test(config, programs_are_found_in_path)
{
  char path[512];
  setenv("PATH", "relative:/nonexistent:/bin:/usr/bin", 1);
  cr_expect(tsr__program_find("sh", path, sizeof path));
  cr_expect_str_eq(path, "/bin/sh");
  cr_expect(tsr__program_find("/bin/sh", path, sizeof path));
  cr_expect_not(tsr__program_find("no-such-program", path, sizeof path));
  cr_expect_not(tsr__program_find("/etc/passwd", path, sizeof path), "a file, but no program");
  setenv("PATH", "", 1);
  cr_expect_not(tsr__program_find("sh", path, sizeof path));
}

Test(config, children_see_little)
{
  setenv("PATH", "/bin", 1);
  setenv("LD_LIBRARY_PATH", "/lib", 1);
  setenv("SECRET", "1", 1);
  unsetenv("TMPDIR");
  char *const *all = tsr__child_environment();
  cr_expect_str_eq(all[0], "PATH=/bin");
  cr_expect_str_eq(all[1], "LD_LIBRARY_PATH=/lib");
  cr_expect_str_eq(all[2], "LC_ALL=C");
  cr_expect_null(all[3]);
  free((void *)all);
}
