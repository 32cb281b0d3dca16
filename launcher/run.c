/* `tessera run`: chooses a launcher, makes its command line, and becomes it. --dry-run prints that
 * line, which can be written by hand: mpirun of the MPI that the library was built with, or srun
 * inside a Slurm job, or the program itself for one rank. The ranks are told nothing but TESSERA_*
 * variables, so `mpirun -n 4 PROG` and plain `PROG` are the same. */
#include "launcher/run.h"
#include "runtime/base/launcher_env.h"
#include "runtime/base/alloc.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/runtime.h"

enum { PATH_BYTES = 4096, MAX_RANKS = 1 << 20, MAX_CPUS = 4096, MAX_VARIABLES = 256 };

typedef enum launcher { AUTO, MPIRUN, SRUN, NONE } launcher;

typedef struct request {
  long n_ranks; /* 0: not given */
  long cpus;    /* per rank, 0: not given */
  launcher by;
  bool dry_run, verbose;
  bool is_module; /* the program begins with -m: Python's */
  bool is_auto;   /* nobody said what arrays live on, so each program finds out */
  char **program; /* with its arguments, NULL-terminated */
  int n_before;   /* words of `program` that `path` stands for: 1, or 0 where it is Python's */
  char path[PATH_BYTES];
  char script[PATH_BYTES]; /* of Python's that was found in PATH */
} request;

/* A command line; its words are borrowed or in `text`. */
typedef struct command {
  const char **words;
  int n, capacity;
} command;

static void add_argument(command *c, const char *word)
{
  c->words = tsr__grow(c->words, &c->capacity, c->n + 2, sizeof *c->words);
  c->words[c->n++] = word;
  c->words[c->n] = NULL;
}

static int wrong(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static int wrong(const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  fputs("tessera run: ", stderr);
  vfprintf(stderr, fmt, args);
  fputc('\n', stderr);
  va_end(args);
  return 2;
}

/* Options. */

static bool is_number(const char *text, long most, long *out)
{
  char *end;
  errno = 0;
  *out = strtol(text, &end, 10);
  return !errno && end != text && *end == 0 && *out >= 1 && *out <= most;
}

static int set_launcher(request *r, const char *name)
{
  static const char *const names[] = {"auto", "mpirun", "srun", "none"};
  for (int i = 0; i < 4; i++) {
    if (strcmp(name, names[i])) continue;
    r->by = (launcher)i;
    return 0;
  }
  return wrong("--launcher takes auto, mpirun, srun or none, not '%s'", name);
}

/* The value of the option `name`: the rest of its word, or the next word. */
static const char *value_of(const char *name, char **argv, int *i)
{
  size_t n = strlen(name);
  const char *rest = argv[*i] + n;
  if (*rest == '=' && name[1] == '-') return rest + 1;
  if (*rest) return rest;
  return argv[*i + 1] ? argv[++*i] : "";
}

static bool is_option(const char *word, const char *name)
{
  size_t n = strlen(name);
  return !strncmp(word, name, n) && (word[n] == 0 || word[n] == '=' || name[1] != '-');
}

/* Takes the option at argv[*i]. */
static int take_option(request *r, char **argv, int *i)
{
  const char *word = argv[*i];
  if (!strcmp(word, "--dry-run")) return r->dry_run = true, 0;
  if (!strcmp(word, "--verbose") || !strcmp(word, "-v")) return r->verbose = true, 0;
  if (is_option(word, "--launcher")) return set_launcher(r, value_of("--launcher", argv, i));
  if (is_option(word, "--cpus")) {
    const char *value = value_of("--cpus", argv, i);
    if (is_number(value, MAX_CPUS, &r->cpus)) return 0;
    return wrong("--cpus takes a whole number from 1 to %d, not '%s'", MAX_CPUS, value);
  }
  if (is_option(word, "-n")) {
    const char *value = value_of("-n", argv, i);
    if (is_number(value, MAX_RANKS, &r->n_ranks)) return 0;
    return wrong("-n takes a whole number of ranks from 1 to %d, not '%s'", MAX_RANKS, value);
  }
  return wrong("unknown option '%s'; `tessera run --help` lists all", word);
}

static int take_options(request *r, int argc, char **argv)
{
  int i = 0;
  for (; i < argc && argv[i][0] == '-'; i++) {
    if (!strcmp(argv[i], "--")) {
      i++;
      break;
    }
    r->is_module = !strcmp(argv[i], "-m"); /* Python's own option: it and the rest are Python's */
    if (r->is_module) break;
    int status = take_option(r, argv, &i);
    if (status) return status;
  }
  if (r->is_module && i + 1 >= argc) return wrong("-m takes the name of a module of Python");
  if (i >= argc) return wrong("which program? tessera run [-n RANKS] PROG ARGS");
  r->program = argv + i;
  return 0;
}

/* Choosing a launcher. */

/* Finds the mpirun that belongs to the library's MPI, else the first one in PATH. */
static bool find_mpirun(char *path, size_t size)
{
  return (TSR_MPIEXEC[0] && tsr__program_find(TSR_MPIEXEC, path, size)) ||
         tsr__program_find("mpirun", path, size) || tsr__program_find("mpiexec", path, size);
}

static int choose_launcher(request *r, char *path, size_t size)
{
  const char *outer;
  int launched = tsr__launcher_ranks(&outer);
  if (launched > 1 && (r->n_ranks > 1 || r->by == MPIRUN || r->by == SRUN))
    return wrong("%s has already started %d ranks; leave out -n and --launcher inside them", outer,
                 launched);
  long n = r->n_ranks ? r->n_ranks : 1;
  if (r->by == AUTO && n == 1) r->by = NONE;
  if (r->by == NONE && n > 1) return wrong("--launcher none starts one rank, not %ld", n);
  if (r->by == NONE) return 0;
  if (n > 1 && !tsr__mpi_version())
    return wrong("%ld ranks need MPI, and this Tessera was built without it (-DTESSERA_MPI=ON)", n);
  if (r->by == AUTO)
    r->by = tsr__launcher_in_slurm_job() && tsr__program_find("srun", path, size) ? SRUN : MPIRUN;
  bool found = r->by == SRUN ? tsr__program_find("srun", path, size) : find_mpirun(path, size);
  if (!found) {
    wrong("no %s in PATH", r->by == SRUN ? "srun" : "mpirun or mpiexec");
    return 127;
  }
  return 0;
}

/* Making the command line. */

/* Adds Open MPI's options. It refuses more ranks than cores unless told, and takes variables to
 * other nodes only by name (it refuses names where it was given a list of its own). */
static void add_openmpi(command *c, const request *r, char names[][64], int n_names)
{
  tsr_topology t;
  if (tsr__topology_read(&t) >= 0) {
    if (r->n_ranks > t.n_cores) add_argument(c, "--oversubscribe");
    tsr__topology_free(&t);
  }
  for (int i = 0; i < n_names && !tsr__environment("OMPI_MCA_mca_base_env_list"); i++) {
    add_argument(c, "-x");
    add_argument(c, names[i]);
  }
}

static int variable_names(char names[][64])
{
  const char *entries[MAX_VARIABLES];
  int n = tsr__config_variables(entries, MAX_VARIABLES);
  if (n > MAX_VARIABLES) n = MAX_VARIABLES;
  for (int i = 0; i < n; i++)
    snprintf(names[i], 64, "%.*s", (int)strcspn(entries[i], "="), entries[i]);
  return n;
}

static void print_word(FILE *out, const char *word)
{
  bool plain = *word;
  for (const char *s = word; *s; s++)
    plain = plain && (strchr("_-+=./,:@%", *s) || (*s >= '0' && *s <= '9') ||
                      ((*s | 32) >= 'a' && (*s | 32) <= 'z'));
  if (plain) {
    fprintf(out, "%s", word);
    return;
  }
  fputc('\'', out);
  for (const char *s = word; *s; s++)
    if (*s == '\'')
      fputs("'\\''", out);
    else
      fputc(*s, out);
  fputc('\'', out);
}

static void print_command(FILE *out, const request *r, const command *c)
{
  if (r->cpus) fprintf(out, "TESSERA_THREADS=%ld ", r->cpus);
  if (r->is_auto) fprintf(out, "TESSERA_DEVICE=auto ");
  for (int i = 0; i < c->n; i++) {
    if (i) fputc(' ', out);
    print_word(out, c->words[i]);
  }
  fputc('\n', out);
  fflush(out);
}

static int start_ranks(const request *r, const char *path)
{
  command c = {0};
  char ranks[24], cpus[40], names[MAX_VARIABLES][64];
  snprintf(ranks, sizeof ranks, "%ld", r->n_ranks ? r->n_ranks : 1);
  if (r->by != NONE) {
    add_argument(&c, path);
    add_argument(&c, "-n");
    add_argument(&c, ranks);
  }
  if (r->by == MPIRUN && tsr__mpi_version() && !strncmp(tsr__mpi_version(), "Open MPI", 8))
    add_openmpi(&c, r, names, variable_names(names));
  if (r->by == SRUN && r->cpus) {
    snprintf(cpus, sizeof cpus, "--cpus-per-task=%ld", r->cpus);
    add_argument(&c, cpus);
  }
  add_argument(&c, r->path);
  for (char **word = r->program + r->n_before; *word; word++) add_argument(&c, *word);
  int status = 0;
  if (r->dry_run || r->verbose) print_command(r->dry_run ? stdout : stderr, r, &c);
  if (!r->dry_run) {
    execv(c.words[0], (char **)c.words);
    fprintf(stderr, "tessera run: cannot start %s: %s\n", c.words[0], strerror(errno));
    status = 1;
  }
  free(c.words);
  return status;
}

static int cannot_start(const char *program)
{
  struct stat st;
  const bool is_path = strchr(program, '/');
  if (is_path && stat(program, &st) == 0) {
    fprintf(stderr, "tessera run: cannot start '%s': %s\n", program,
            S_ISDIR(st.st_mode)    ? "it is a directory"
            : !S_ISREG(st.st_mode) ? "it is not a file"
                                   : "it may not be executed (chmod +x)");
    return 126;
  }
  fprintf(stderr, "tessera run: there is no program '%s'%s\n", program,
          is_path ? "" : " in PATH (one in this directory is ./PROG)");
  return 127;
}

/* Is it a file NAME.py that does not start by itself: not executable, or without a first line that
 * says by what? */
static bool is_for_python(const request *r, bool is_executable)
{
  const char *name = r->program[0];
  const size_t n = strlen(name);
  if (n < 4 || strcmp(name + n - 3, ".py")) return false;
  FILE *f = fopen(is_executable ? r->path : name, "rb");
  char start[2] = "";
  if (!f) return false;
  const bool says = fread(start, 1, 2, f) == 2 && start[0] == '#' && start[1] == '!';
  fclose(f);
  return !(is_executable && says);
}

/* Finds the Python of the virtual environment that this command lies in, where there is one, or
 * else the first in PATH. */
static bool find_python(char *path, size_t size)
{
  char self[PATH_BYTES], beside[PATH_BYTES];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  self[n > 0 ? n : 0] = 0;
  char *name = strrchr(self, '/');
  if (name != NULL) {
    *name = 0;
    if ((size_t)snprintf(beside, sizeof beside, "%s/../pyvenv.cfg", self) < sizeof beside &&
        access(beside, R_OK) == 0 &&
        (size_t)snprintf(beside, sizeof beside, "%s/python3", self) < sizeof beside &&
        tsr__program_find(beside, path, size))
      return true;
  }
  return tsr__program_find("python3", path, size);
}

/* Finds what is started: the program, or the Python that runs it. 0, or an exit status. */
static int find_program(request *r)
{
  const bool is_executable =
      !r->is_module && tsr__program_find(r->program[0], r->path, sizeof r->path);
  r->n_before = 1;
  if (!r->is_module && !is_for_python(r, is_executable))
    return is_executable ? 0 : cannot_start(r->program[0]);
  r->n_before = 0;
  if (is_executable) r->program[0] = strcpy(r->script, r->path); /* Python does not look in PATH */
  if (find_python(r->path, sizeof r->path)) return 0;
  wrong("'%s' needs python3, which is not in PATH", r->program[r->is_module]);
  return 127;
}

int tsr__launcher_run(int argc, char **argv)
{
  request r = {0};
  char path[PATH_BYTES] = "";
  int status = take_options(&r, argc, argv);
  if (status) return status;
  status = find_program(&r);
  if (status) return status;
  if (r.cpus) {
    char text[24];
    snprintf(text, sizeof text, "%ld", r.cpus);
    if (setenv("TESSERA_THREADS", text, 1)) return 1;
  }
  r.is_auto = !tsr__environment("TESSERA_DEVICE");
  if (r.is_auto && setenv("TESSERA_DEVICE", "auto", 1)) return 1;
  status = choose_launcher(&r, path, sizeof path);
  return status ? status : start_ranks(&r, path);
}
