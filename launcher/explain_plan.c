/* The program runs by `tessera run` in a child, with TESSERA_DUMP set to a directory that is made
 * for it and removed afterwards. Of the dumps those named 10-sides are printed, in the order of
 * their names: by window, then by rank. */
#include "launcher/explain_plan.h"
#include "launcher/run.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int is_sides(const struct dirent *e)
{
  return strstr(e->d_name, "-10-sides.") != NULL;
}

static int is_file(const struct dirent *e)
{
  return e->d_name[0] != '.';
}

/* "0003-10-sides.rank0.place1.txt" is "window 3, rank 0, place 1". */
static void print_title(const char *name)
{
  int window = 0, rank = 0, place = 0;
  const int n = sscanf(name, "%d-10-sides.rank%d.place%d", &window, &rank, &place);
  printf("window %d, rank %d", window, rank);
  if (n == 3) printf(", place %d", place);
  printf(":\n");
}

static void print_sides(const char *directory, const char *name)
{
  char path[600], line[1000];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *f = fopen(path, "re");
  if (f == NULL) return;
  print_title(name);
  while (fgets(line, sizeof line, f) != NULL) printf("  %s", line);
  fclose(f);
}

/* Calls fn for each name of the directory that `wanted` wants, in order. Returns how many there
 * are. */
static int each(const char *directory, int (*wanted)(const struct dirent *),
                void (*fn)(const char *directory, const char *name))
{
  struct dirent **all = NULL;
  const int n = scandir(directory, &all, wanted, alphasort);
  for (int i = 0; i < n; i++) {
    fn(directory, all[i]->d_name);
    free(all[i]);
  }
  free(all);
  return n;
}

static void remove_file(const char *directory, const char *name)
{
  char path[600];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  (void)unlink(path);
}

/* Returns the exit status, or 128 and the signal that ended the program. */
static int run_program(const char *directory, int argc, char **argv)
{
  int status = 0;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    setenv("TESSERA_DUMP", directory, 1);
    const int failed = tsr__launcher_run(argc, argv);
    fflush(NULL);
    _exit(failed);
  }
  if (child < 0 || waitpid(child, &status, 0) != child) return 1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int tsr__explain_plan(int argc, char **argv)
{
  char directory[] = "/tmp/tessera-plan-XXXXXX";
  if (mkdtemp(directory) == NULL) {
    fprintf(stderr, "tessera: there is no directory for the plans, %s: %s\n", directory,
            strerror(errno));
    return 1;
  }
  const int status = run_program(directory, argc, argv);
  if (each(directory, is_sides, print_sides) <= 0 && status == 0)
    printf("no plan had a choice: arrays live in the host's memory (TESSERA_DEVICE), or nothing "
           "ran\n");
  each(directory, is_file, remove_file);
  rmdir(directory);
  return status;
}
