/* The `tessera` command: starts programs, explains error codes, and shows the machine and the
 * settings as the library sees them. */
#include "launcher/explain.h"
#include "launcher/run.h"
#include "runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int usage(FILE *out, int status)
{
  fputs("usage: tessera run [-n RANKS] [--cpus N] [--launcher auto|mpirun|srun|none]\n"
        "                   [--dry-run] [--verbose] PROG ARGS\n"
        "                                 a program on some ranks; --cpus: threads of each\n"
        "       tessera info              cores, caches, memory, devices, build options\n"
        "       tessera info --config     all settings with their values, defaults and help\n"
        "       tessera explain TSRnnnn   what an error means, with an example\n"
        "       tessera explain           all codes\n"
        "       tessera --version\n",
        out);
  return status;
}

static void print_explanation(const tsr_explanation *e)
{
  printf("%s: %s\n\n%s\n", e->code, e->title, e->text);
  if (e->example[0] != '\0') printf("\nwrong:\n%s\nright:\n%s\n", e->example, e->mended);
}

static int explain(const char *code)
{
  for (int i = 0; i < tsr__n_explanations(); i++) {
    const tsr_explanation *e = tsr__explanation(i);
    if (code == NULL) {
      printf("%s  %s\n", e->code, e->title);
    } else if (strcmp(code, e->code) == 0) {
      print_explanation(e);
      return 0;
    }
  }
  if (code == NULL) return 0;
  fprintf(stderr, "tessera: no error has the code '%s'; `tessera explain` lists all\n", code);
  return 2;
}

static void print_devices(const tsr_config *config, int n_cores)
{
  long threads = config->threads > 0 ? (long)config->threads : n_cores;
  printf("device    cpu: on, %ld thread%s for one rank\n", threads, threads == 1 ? "" : "s");
  const tsr_device_ops *ops;
  for (int i = 1; (ops = tsr__device_kind(i)) != NULL; i++)
    printf("device    %s: on, %s\n", ops->name, ops->about);
  printf("device    arrays live on %s (TESSERA_DEVICE)", config->device);
  tsr_device_list list = {0};
  size_t at;
  const char *why;
  if (config->devices[0] != '\0' && tsr__device_list_read(config->devices, &list, &at, &why))
    printf(", %d of each node (TESSERA_DEVICES=%s)", list.n, config->devices);
  if (config->places > 1) printf(", %d of them per rank (TESSERA_PLACES)", (int)config->places);
  printf("\n");
  printf("device    cuda: off, this version computes on CPUs only\n");
}

static void print_build(const tsr_config *config)
{
  const char *mpi = tsr__mpi_version();
  char path[1024], dir[1024];
  printf("MPI       %s\n",
         mpi != NULL ? mpi : "no: built without it (-DTESSERA_MPI=ON needs libopenmpi-dev)");
  printf("hwloc     %s\n", TSR_WITH_HWLOC ? "yes" : "no: built without it (libhwloc-dev)");
  printf("libpng    %s\n", TSR_WITH_PNG ? "yes" : "no: built without it (libpng-dev)");
  if (tsr__program_find(config->compiler, path, sizeof path))
    printf("kernels   compiled by %s, kept in %s\n", path,
           tsr__cache_dir(config, dir, sizeof dir)[0] ? dir : "no directory: TESSERA_CACHE");
  else
    printf("kernels   interpreted: there is no `%s` (TESSERA_COMPILER)\n", config->compiler);
  printf("build     %s, %s%s%s, by %s\n", TSR_VERSION, TSR_BUILD_TYPE,
         TSR_SANITIZE[0] ? ", sanitizers " : "", TSR_SANITIZE, __VERSION__);
}

static int info(bool config_only)
{
  tsr_config config;
  char message[512] = "";
  if (tsr__config_read(&config, message, sizeof message) < 0) {
    fprintf(stderr, "%s\n", message);
    return 2;
  }
  if (config_only) {
    char *text = tsr__config_text(&config);
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
  printf("memory    %.1f GiB\n", (double)t.memory_bytes / 1073741824.0);
  print_devices(&config, t.n_cores);
  tsr__topology_free(&t);
  print_build(&config);
  return 0;
}

int main(int argc, char **argv)
{
  for (int i = 1; i < argc && i < 3; i++) /* also of a command: tessera run --help */
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return usage(stdout, 0);
  if (argc == 2 && strcmp(argv[1], "--version") == 0) return puts("tessera " TSR_VERSION), 0;
  if (argc >= 2 && strcmp(argv[1], "run") == 0) return tsr__launcher_run(argc - 2, argv + 2);
  if (argc >= 2 && argc <= 3 && strcmp(argv[1], "explain") == 0)
    return explain(argc == 3 ? argv[2] : NULL);
  if (argc == 2 && strcmp(argv[1], "info") == 0) return info(false);
  if (argc == 3 && strcmp(argv[1], "info") == 0 && strcmp(argv[2], "--config") == 0)
    return info(true);
  return usage(stderr, 2);
}
