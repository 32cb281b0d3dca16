/* The `tessera` command: starts programs, explains error codes, and shows the machine and the
 * settings as the library sees them. */
#include "launcher/explain.h"
#include "launcher/explain_plan.h"
#include "runtime/base/launcher_env.h"
#include "launcher/run.h"
#include "runtime/base/text.h"
#include "runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The compiler's name, to stand before __VERSION__ where that is a number alone. */
#ifdef __clang__
#define COMPILER ""
#else
#define COMPILER "gcc "
#endif

typedef struct command {
  const char *name, *usage;          /* usage: one page of text */
  int (*run)(int argc, char **argv); /* argv: what follows the command's name */
} command;

static const char usage[] =
    "usage: tessera run [OPTIONS] PROG ARGS   a program on some ranks; tessera run --help\n"
    "       tessera info [--all]              cores, memory, devices, links, build options\n"
    "       tessera info --config             all settings with their values, defaults and help\n"
    "       tessera explain CODE              what an error means, with an example (203: TSR0203)\n"
    "       tessera explain                   all codes\n"
    "       tessera explain --plan PROG ARGS  where each group of operations runs, and why\n"
    "       tessera --version\n";

static const char run_usage[] =
    "usage: tessera run [OPTIONS] PROG ARGS\n"
    "\n"
    "Starts PROG by the launcher of the MPI that Tessera was built with, by srun inside a Slurm\n"
    "job, or directly where one rank is wanted. Ends with its exit status. Where PROG is a file\n"
    "NAME.py that does not start by itself, python3 runs it.\n"
    "\n"
    "  -n RANKS          how many ranks (1)\n"
    "  --cpus N          computing threads of each rank (an even share of the node's cores)\n"
    "  --launcher NAME   auto, mpirun, srun, or none: one rank, directly (auto)\n"
    "  --dry-run         print the command, as a shell would take it, and start nothing\n"
    "  -v, --verbose     print the command to standard error first\n"
    "  -m MODULE         python3 runs a module, with the ARGS that follow\n"
    "  --                what follows is PROG\n"
    "\n"
    "  tessera run -n 4 --cpus 2 ./heat -n 8000\n";

static const char info_usage[] =
    "usage: tessera info            cores, caches, memory, devices, links, the build\n"
    "       tessera info --all      also the devices that are there for tests: check and null\n"
    "       tessera info --config   all settings: TESSERA_* environment variables\n";

static const char explain_usage[] =
    "usage: tessera explain CODE   what an error means, with an example: TSR0203, or 203\n"
    "       tessera explain        all codes\n"
    "       tessera explain --plan [OPTIONS] PROG ARGS\n"
    "\n"
    "With --plan it runs PROG as `tessera run` does, and then prints for each plan where every\n"
    "group of operations ran (the host or the device), by which way, why, and the program's "
    "line.\n";

static int refuse_option(const char *command, const char *word)
{
  fprintf(stderr, "tessera %s: it does not take '%s'; `tessera %s --help` says what it takes\n",
          command, word, command);
  return 2;
}

static void print_explanation(const tsr_explanation *e)
{
  printf("%s: %s\n\n%s\n", e->code, e->title, e->text);
  if (e->example[0] != '\0') printf("\nwrong:\n%s\nright:\n%s\n", e->example, e->mended);
}

/* Does `code` name the known code, as TSR0203, tsr0203, 0203 or 203? */
static bool is_code(const char *known, const char *code)
{
  if (strncasecmp(code, "tsr", 3) == 0) code += 3;
  char *end;
  const long number = strtol(code, &end, 10);
  return code[0] >= '0' && code[0] <= '9' && *end == '\0' && strtol(known + 3, NULL, 10) == number;
}

static int explain(int argc, char **argv)
{
  if (argc > 0 && strcmp(argv[0], "--plan") == 0) return tsr__explain_plan(argc - 1, argv + 1);
  if (argc > 1) return refuse_option("explain", argv[1]);
  const char *code = argc == 1 ? argv[0] : NULL;
  for (int i = 0; i < tsr__n_explanations(); i++) {
    const tsr_explanation *e = tsr__explanation(i);
    if (code == NULL) {
      printf("%s  %s\n", e->code, e->title);
    } else if (is_code(e->code, code)) {
      print_explanation(e);
      return 0;
    }
  }
  if (code == NULL) return 0;
  fprintf(stderr, "tessera: no error has the code '%s'; `tessera explain` lists all\n", code);
  return 2;
}

static void print_memory(const tsr_config *config, const tsr_topology *t)
{
  const double gib = 1073741824.0;
  printf("memory    %.1f GiB, %.1f of them available; arrays of one rank: at most ",
         (double)t->memory_bytes / gib, (double)t->available_bytes / gib);
  if (config->memory_bytes > 0)
    printf("%.1f GiB (TESSERA_MEMORY)\n", (double)config->memory_bytes / gib);
  else
    printf("80 %% of what is available, %.1f GiB\n", (double)t->available_bytes / gib * 0.8);
}

static void print_devices(const tsr_config *config, int n_cores, bool all)
{
  long threads = config->threads > 0 ? (long)config->threads : n_cores;
  printf("device    cpu: on, %ld thread%s for one rank\n", threads, threads == 1 ? "" : "s");
  const tsr_device_ops *ops;
  for (int i = 1; (ops = tsr__device_kind(i)) != NULL; i++) {
    char why[300] = "";
    const int n = ops->count != NULL ? ops->count(why, sizeof why) : -1;
    if (n == 0)
      printf("device    %s: off, %s\n", ops->name, why);
    else if (n > 0)
      printf("device    %s: on, %d of %s\n", ops->name, n, ops->about);
    else if (all)
      printf("device    %s: on, %s\n", ops->name, ops->about);
  }
  char why[300] = "";
  const char *chosen = tsr__auto_device(why, sizeof why);
  printf("device    auto: %s%s%s\n", chosen, why[0] != '\0' ? ", since " : "", why);
  printf("device    arrays live on %s (TESSERA_DEVICE)", config->device);
  tsr_device_list list = {0};
  size_t at;
  const char *wrong;
  if (config->devices[0] != '\0' && tsr__device_list_read(config->devices, &list, &at, &wrong))
    printf(", %d of each node (TESSERA_DEVICES=%s)", list.n, config->devices);
  if (config->places > 1) printf(", %d of them per rank (TESSERA_PLACES)", (int)config->places);
  printf("\n");
}

/* Are the kind's library, and a device that it joins, there? */
static bool has_link(const tsr_link_ops *ops, char *why, size_t size)
{
  const tsr_device_ops *device = tsr__device_find(ops->device);
  TSR_ASSERT(device != NULL && device->count != NULL);
  return ops->is_available(why, size) && device->count(why, size) > 0;
}

/* Says which links between devices of several ranks are there. */
static void print_links(const tsr_config *config)
{
  const tsr_link_ops *ops;
  printf("link      peer: on, devices of one rank copy from each other\n");
  for (int i = 0; (ops = tsr__link_kind(i)) != NULL; i++) {
    char why[300] = "";
    if (has_link(ops, why, sizeof why))
      printf("link      %s: on, %s\n", ops->name, ops->about);
    else
      printf("link      %s: off, %s\n", ops->name, why);
  }
  printf("link      messages from device to device go by %s (TESSERA_LINK)\n", config->link);
}

/* Says what computes products of matrices. */
static void print_blas(const tsr_config *config)
{
  const tsr_device_ops *ops;
  for (int i = 0; (ops = tsr__device_kind(i)) != NULL; i++) {
    char why[300] = "";
    if (ops->has_blas == NULL) continue;
    const bool has = ops->has_blas(why, sizeof why);
    printf("blas      of devices %s: %s%s%s\n", ops->name, has ? "on" : "off", has ? "" : ", ",
           why);
  }
  printf("blas      products of matrices are computed by %s (TESSERA_MATMUL)\n",
         strcmp(config->matmul, "blas") == 0 ? "BLAS" : "exact loops");
}

/* Prints the compiler's path, and the file that this is a link to. */
static void print_compiler(const char *path)
{
  char *real = realpath(path, NULL);
  const char *name = strrchr(path, '/') + 1, *file = real ? strrchr(real, '/') + 1 : name;
  printf("kernels   compiled by %s", path);
  if (strcmp(name, file) != 0) printf(" (%s)", file);
  free(real);
}

static void print_kernels(const tsr_config *config)
{
  char path[1024], dir[1024];
  if (strcmp(config->jit, "off") == 0) {
    printf("kernels   interpreted: TESSERA_JIT=off\n");
  } else if (!tsr__program_find(config->compiler, path, sizeof path)) {
    printf("kernels   interpreted: there is no `%s` (TESSERA_COMPILER)\n", config->compiler);
  } else {
    print_compiler(path);
    const char *cache = tsr__cache_dir(config, dir, sizeof dir);
    const char *defect = cache[0] ? tsr__cache_dir_defect(dir) : NULL;
    if (cache[0] == '\0')
      printf(", kept nowhere: no directory is known (TESSERA_CACHE)\n");
    else if (defect)
      printf(", not kept in %s: %s\n", dir, defect);
    else
      printf(", kept in %s\n", dir);
  }
}

static void print_build(const tsr_config *config)
{
  const char *mpi = tsr__mpi_version();
  printf("MPI       %s\n",
         mpi != NULL ? mpi : "no: built without it (-DTESSERA_MPI=ON needs libopenmpi-dev)");
  printf("hwloc     %s\n", TSR_WITH_HWLOC ? "yes" : "no: built without it (libhwloc-dev)");
  printf("libpng    %s\n", TSR_WITH_PNG ? "yes" : "no: built without it (libpng-dev)");
  print_kernels(config);
  printf("build     %s, %s%s%s, by %s%s\n", TSR_VERSION, TSR_BUILD_TYPE,
         TSR_SANITIZE[0] ? ", sanitizers " : "", TSR_SANITIZE, COMPILER, __VERSION__);
}

/* The number of columns of the terminal; 0 if it is none. */
static int columns_of(int fd)
{
  struct winsize size;
  if (!isatty(fd)) return 0;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static int info(int argc, char **argv)
{
  bool all = false, config_only = false;
  for (int i = 0; i < argc; i++) {
    if (strcmp(argv[i], "--all") == 0)
      all = true;
    else if (strcmp(argv[i], "--config") == 0)
      config_only = true;
    else
      return refuse_option("info", argv[i]);
  }
  tsr_config config;
  char message[512] = "";
  if (tsr__config_read(&config, message, sizeof message) < 0) {
    fprintf(stderr, "%s\n", message);
    return 2;
  }
  if (config_only) {
    char *text = tsr__config_text(&config, columns_of(STDOUT_FILENO));
    fputs(text, stdout);
    free(text);
    return 0;
  }
  tsr_topology t;
  if (tsr__topology_read(&t) < 0) {
    fprintf(stderr, "tessera: the machine's topology cannot be read\n");
    return 1;
  }
  printf("cores     %d usable by this process, of %d\n", t.n_cores, t.n_cores_node);
  printf("caches    L1 %zu K, L2 %zu K per core, L3 %zu K in all\n", t.l1_bytes >> 10,
         t.l2_bytes >> 10, t.l3_bytes >> 10);
  print_memory(&config, &t);
  print_devices(&config, t.n_cores, all);
  print_links(&config);
  print_blas(&config);
  tsr__topology_free(&t);
  print_build(&config);
  return 0;
}

static const command commands[] = {{"run", run_usage, tsr__launcher_run},
                                   {"info", info_usage, info},
                                   {"explain", explain_usage, explain}};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static bool asks_for_help(const char *word)
{
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Suggests the nearest command if at most two letters are wrong and one is right. */
static int unknown_command(const char *word)
{
  const command *nearest = NULL;
  size_t least = 3;
  for (int i = 0; i < N_COMMANDS; i++) {
    const size_t distance = tsr__edit_distance(word, commands[i].name);
    if (distance < least && distance < strlen(commands[i].name)) {
      least = distance;
      nearest = &commands[i];
    }
  }
  fprintf(stderr, "tessera: there is no command '%s'", word);
  if (nearest) fprintf(stderr, "; did you mean `tessera %s`?", nearest->name);
  fprintf(stderr, "\n%s", usage);
  return 2;
}

int main(int argc, char **argv)
{
  if (argc < 2) return fputs(usage, stderr), 2;
  if (asks_for_help(argv[1])) return fputs(usage, stdout), 0;
  if (argc == 2 && strcmp(argv[1], "--version") == 0) return puts("tessera " TSR_VERSION), 0;
  for (int i = 0; i < N_COMMANDS; i++) {
    if (strcmp(argv[1], commands[i].name) != 0) continue;
    if (argc > 2 && asks_for_help(argv[2])) return fputs(commands[i].usage, stdout), 0;
    return commands[i].run(argc - 2, argv + 2);
  }
  return unknown_command(argv[1]);
}
