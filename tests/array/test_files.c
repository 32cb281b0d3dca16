/* tsr_save_npy and tsr_load_npy: round trips on ranks as threads, heads byte for byte, malformed
 * heads with their byte, writes that fail and leave what was there. tests/files compares with
 * NumPy. */
#include "array_test.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "array/files/file.h"
#include "array/files/npy.h"

TestSuite(files, .init = begin, .fini = end);

/* A directory of its own for one test. */
static void make_dir(char *dir)
{
  strcpy(dir, "/tmp/tsr_files_XXXXXX");
  cr_assert_not_null(mkdtemp(dir));
}

/* Removes it; returns how many files it held. */
static int remove_dir(const char *dir)
{
  char path[512];
  int n = 0;
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
    unlink(path);
    n++;
  }
  if (d) closedir(d);
  rmdir(dir);
  return n;
}

static void put(const char *path, const void *bytes, size_t n)
{
  FILE *f = fopen(path, "wb");
  cr_assert_not_null(f);
  cr_assert_eq(fwrite(bytes, 1, n, f), n);
  fclose(f);
}

static size_t get(const char *path, char *bytes, size_t size)
{
  FILE *f = fopen(path, "rb");
  if (!f) return 0;
  size_t n = fread(bytes, 1, size, f);
  fclose(f);
  return n;
}

/* Round trips. */

typedef struct trip {
  char dir[64];
  _Atomic int failures;
} trip;

/* x, written and read back, is x, on every rank. */
static void expect_back(trip *t, tsr_array x, const char *name)
{
  char path[128];
  snprintf(path, sizeof path, "%s/%s", t->dir, name);
  tsr_dims a = tsr_shape(x);
  size_t bytes = (size_t)tsr_size(x) * tsr__dtype_size(tsr_dtype_of(x));
  char *before = calloc(1, bytes + 1), *after = calloc(1, bytes + 1);
  bool ok = tsr_save_npy(x, path) == TSR_OK;
  tsr_array y = tsr_load_npy(path);
  tsr_dims b = tsr_shape(y);
  ok = ok && tsr_dtype_of(x) == tsr_dtype_of(y) && a.ndim == b.ndim &&
       !memcmp(a.n, b.n, (size_t)a.ndim * sizeof a.n[0]);
  ok = ok && tsr_to_host(x, before) == TSR_OK && tsr_to_host(y, after) == TSR_OK;
  if (!ok || memcmp(before, after, bytes)) {
    t->failures++;
    fprintf(stderr, "%s: not what was written; %s", name, tsr_last_error());
  }
  free(before);
  free(after);
}

static void round_trips(void *arg, int rank)
{
  trip *t = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array i = tsr_arange(0, 37, 1), j = tsr_arange(0, 65, 1), k = tsr_arange(0, 5, 1);
  tsr_array x = tsr_eval("65.0*i[:, None] + j", i, j);
  tsr_array y = tsr_eval("x[:, :, None] + k/8", x, k);
  for (int d = 0; d < TSR_N_DTYPES; d++) expect_back(t, tsr_astype(x, (tsr_dtype)d), "dtype");
  expect_back(t, y, "three");
  expect_back(t, tsr_slice(x, "::-2, 3::7"), "steps");
  expect_back(t, tsr_transpose(y), "turned");
  expect_back(t, tsr_transpose(y, TSR_AXES(1, 0, 2)), "part turned");
  expect_back(t, tsr_broadcast_to(j, TSR_SHAPE(4, 65)), "repeated");
  expect_back(t, tsr_diagonal(x), "diagonal");
  expect_back(t, tsr_slice(x, "11"), "row");
  expect_back(t, tsr_slice(x, "newaxis, 3:4, :, newaxis"), "new axes");
  expect_back(t, tsr_slice(x, "30, 60"), "one");
  expect_back(t, tsr_sum(x), "sum");
  expect_back(t, tsr_slice(x, "5:5"), "empty");
  expect_back(t, tsr_zeros(TSR_SHAPE(), TSR_BOOL), "0-d");
}

Test(files, round_trips, .timeout = 120)
{
  static const char *const tiny[] = {"replicate_max", "0", "tile_min", "1", "threads", "1", NULL};
  for (int n = 1; n <= 4; n++) {
    trip t = {.failures = 0};
    make_dir(t.dir);
    cr_expect_eq(tsr_run_ranks(n, tiny, round_trips, &t), TSR_OK);
    cr_expect_eq(tsr_run_ranks(n, NULL, round_trips, &t), TSR_OK);
    cr_expect_eq(t.failures, 0, "on %d ranks", n);
    cr_expect_eq(remove_dir(t.dir), 13, "no temporary files stay");
  }
}

Test(files, scalars_and_links)
{
  char dir[64], path[128], link[128];
  make_dir(dir);
  snprintf(path, sizeof path, "%s/x.npy", dir);
  snprintf(link, sizeof link, "%s/link.npy", dir);
  cr_expect_eq(symlink(path, link), 0);
  put(path, "old", 3);
  cr_expect_eq(tsr_save_npy(2.5, link), TSR_OK);
  EXPECT_VALUES(tsr_load_npy(path), TSR_SHAPE(), 2.5);
  struct stat st;
  cr_expect(lstat(link, &st) == 0 && S_ISLNK(st.st_mode), "the link stays");
  cr_expect_eq(chmod(path, 0600), 0);
  cr_expect_eq(tsr_save_npy(3.5, link), TSR_OK);
  cr_expect(stat(path, &st) == 0 && (st.st_mode & 07777) == 0600, "who may read it stays");
  cr_expect_eq(unlink(path), 0);
  cr_expect_eq(tsr_save_npy(4.5, link), TSR_OK, "through a link to no file");
  cr_expect(lstat(link, &st) == 0 && S_ISLNK(st.st_mode) && stat(path, &st) == 0);
  cr_expect_eq(remove_dir(dir), 2);
}

/* Heads. */

Test(files, heads_are_numpys)
{
  size_t n;
  char *head = tsr__npy_head(TSR_FLOAT64, &TSR_SHAPE(3, 4), &n);
  char wanted[128];
  memset(wanted, ' ', sizeof wanted);
  memcpy(wanted, "\x93NUMPY\x01\0v\0", 10);
  memcpy(wanted + 10, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }", 59);
  wanted[127] = '\n';
  cr_assert_eq(n, sizeof wanted);
  cr_expect_eq(memcmp(head, wanted, n), 0);
  free(head);
}

/* A file of version 1 with this dict, or of bytes before the dict of their own. */
static size_t make_file(char *file, const char *prelude, const char *dict, size_t n_data)
{
  size_t n = strlen(dict);
  if (prelude) {
    memcpy(file, prelude, 10);
  } else {
    memcpy(file, "\x93NUMPY\x01\0", 8);
    file[8] = (char)(n & 0xff);
    file[9] = (char)(n >> 8);
  }
  memcpy(file + 10, dict, n);
  memset(file + 10 + n, 1, n_data);
  return 10 + n + n_data;
}

#define DESCR "'descr': '<f8', "
#define ORDER "'fortran_order': False, "

Test(files, malformed)
{
  static const struct {
    const char *dict;
    const char *text; /* of the error; NULL: it reads */
    int n_data;
  } cases[] = {
      {"{" DESCR ORDER "'shape': (2,)}", NULL, 16},
      {"  {'shape':(2 , ),\n\"fortran_order\":True , \"descr\" : '=f8' ,}  \n", NULL, 16},
      {"{" DESCR ORDER "'shape': (2L, 0L)}", NULL, 0},
      {"{" DESCR ORDER "'shape': (2,)}", "at byte 72: the file ends; the data is to have 16 bytes",
       7},
      {"", "at byte 10: the header ends where '{' is wanted", 0},
      {"[1]", "at byte 10: '{' is wanted", 0},
      {"{" DESCR ORDER "}", "at byte 10: the key 'shape' is missing", 0},
      {"{" DESCR DESCR "}", "at byte 27: the key 'descr' comes twice", 0},
      {"{'shapes': (2,)}", "at byte 11: an unknown key 'shapes'", 0},
      {"{shape: (2,)}", "at byte 11: a string is wanted", 0},
      {"{'sha", "at byte 11: a string does not end", 0},
      {"{'shape' (2,)}", "at byte 19: ':' is wanted", 0},
      {"{'shape': 2}", "at byte 20: the shape is no tuple", 0},
      {"{'shape': (2)}", "at byte 20: the shape is no tuple", 0},
      {"{'shape': (2 3)}", "at byte 23: ',' or ')' is wanted", 0},
      {"{'shape': (2, -3)}", "at byte 24: a length of the shape is negative", 0},
      {"{'shape': (2, x)}", "at byte 24: a length of the shape is wanted", 0},
      {"{'shape': (2, 99999999999999999999)}", "at byte 24: a length of the shape is over 2^63 - 1",
       0},
      {"{'shape': (1,1,1,1,1,1,1,1,1)}", "at byte 20: the shape has over 8 axes", 0},
      {"{'shape': (03,)}", "at byte 21: a length begins with 0", 0},
      {"{" DESCR ORDER "'shape': (4294967296, 4294967296)}",
       "the shape's product is over 2^63 bytes", 0},
      {"{'fortran_order': 0}", "at byte 28: fortran_order is True or False", 0},
      {"{'descr': [('a', '<f8')]}", "at byte 20: records", 0},
      {"{'descr': '\x01\xff'}",
       "at byte 20: arrays have no type '?"
       "?'",
       0},
      {"{" DESCR "'fortran_order': False 'shape': (2,)}", "at byte 50: ',' or '}' is wanted", 0},
      {"{" DESCR ORDER "'shape': (2,)", "at byte 64: the header ends within its dict", 0},
      {"{" DESCR ORDER "'shape': (2,)} x", "at byte 66: more follows the header's dict", 0},
  };
  char dir[64], path[128], file[512];
  make_dir(dir);
  snprintf(path, sizeof path, "%s/x.npy", dir);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    put(path, file, make_file(file, NULL, cases[k].dict, (size_t)cases[k].n_data));
    bool reads = tsr_ok(tsr_load_npy(path));
    cr_expect_eq(reads, cases[k].text == NULL, "%s", cases[k].dict);
    if (!reads)
      EXPECT_ERROR(strstr(cases[k].text, "no type") ? TSR_ERR_DTYPE : TSR_ERR_IO, "cannot read `",
                   path, "`: ", cases[k].text ? cases[k].text : "");
  }
  size_t n_file = make_file(file, NULL, "{'descr': '<f8'}", 0);
  *strchr(file + 10, '<') = 0;
  put(path, file, n_file);
  cr_expect_not(tsr_ok(tsr_load_npy(path)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "at byte 20: arrays have no type");
  static const struct {
    const char *bytes;
    size_t n;
    const char *text;
  } preludes[] = {
      {"", 0, "at byte 0: the file ends within its first 6 bytes"},
      {"\x93NUMPX\x01\0v\0", 10, "at byte 5: this is no .npy file: it begins otherwise"},
      {"\x93NUM", 4, "at byte 4: the file ends within its first 6 bytes"},
      {"\x93NUMPY\x04\0v\0", 10,
       "at byte 6: version 4.0 of the format; 1.0, 2.0 and 3.0 are known"},
      {"\x93NUMPY\x01\0v", 9, "at byte 9: the file ends before its header"},
      {"\x93NUMPY\x02\0v\0\0", 11, "at byte 11: the file ends before its header"},
      {"\x93NUMPY\x01\0\x11\x27", 10, "at byte 8: a header of 10001 bytes; at most 10000 are read"},
      {"\x93NUMPY\x03\0\0\0\0\x01", 12, "at byte 8: a header of 16777216 bytes"},
      {"\x93NUMPY\x01\0v\0{", 11, "at byte 11: the file ends within its header of 118 bytes"},
  };
  for (size_t k = 0; k < sizeof preludes / sizeof *preludes; k++) {
    put(path, preludes[k].bytes, preludes[k].n);
    cr_expect(!tsr_ok(tsr_load_npy(path)));
    EXPECT_ERROR(TSR_ERR_IO, "cannot read `", preludes[k].text, "`tsr_load_npy`");
  }
  remove_dir(dir);
}

/* Cut anywhere and changed anywhere, a head either reads or is refused with a byte within the file.
 */
Test(files, garbled_heads)
{
  const char letters[] = "0123456789(),:'\"{}L-<>|= \n\\TrueFals\x00\xff";
  char whole[256], file[256];
  size_t n_whole = make_file(whole, NULL, "{" DESCR ORDER "'shape': (2, 1, )}   \n", 16);
  uint64_t random = 88172645463325252u;
  int n_read = 0, n_refused = 0;
  for (int round = 0; round < 20000; round++) {
    size_t n = n_whole;
    memcpy(file, whole, n);
    for (int change = 0; change < 1 + round % 3; change++) {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      if (round % 5 == 0)
        n = (random >> 8) % (n + 1);
      else if (n > 0)
        file[(random >> 8) % n] = letters[(random >> 40) % (sizeof letters - 1)];
    }
    char *exact = malloc(n + 1); /* so that a read beyond it is seen */
    memcpy(exact, file, n);
    tsr_npy head;
    tsr_npy_error error = {0};
    if (tsr__npy_parse(exact, n, (int64_t)n, &head, &error)) {
      n_read++;
      cr_expect(head.offset >= 10 && head.offset <= (int64_t)n);
    } else {
      n_refused++;
      cr_expect(error.status < 0 && error.why[0] && error.at >= 0 && error.at <= (int64_t)n,
                "byte %d: %s", (int)error.at, error.why);
    }
    free(exact);
  }
  cr_expect(n_read > 100 && n_refused > 1000, "%d read, %d refused", n_read, n_refused);
}

/* Failures. */

static void load_nothing(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  cr_expect(!tsr_ok(tsr_load_npy("/nonexistent/x.npy")));
  EXPECT_ERROR(TSR_ERR_IO,
               "error[TSR0502]: cannot read `/nonexistent/x.npy`: No such file or directory",
               "`tsr_load_npy`", "test_files.c");
  cr_expect(!tsr_ok(tsr_load_npy("/tmp")));
  EXPECT_ERROR(TSR_ERR_IO, "cannot read `/tmp`: it is a directory");
  cr_expect(!tsr_ok(tsr_load_npy("/dev/null")));
  EXPECT_ERROR(TSR_ERR_IO, "cannot read `/dev/null`: it is not a regular file");
  cr_expect(!tsr_ok(tsr_load_npy(NULL)));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "cannot read `(null)`: the path is NULL");
}

static void save_nowhere(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_arange(0, 5, 1);
  cr_expect_eq(tsr_save_npy(x, "/nonexistent/x.npy"), TSR_ERR_IO);
  EXPECT_ERROR(TSR_ERR_IO,
               "error[TSR0502]: cannot write `/nonexistent/x.npy`: No such file or directory",
               "`tsr_save_npy`", "test_files.c");
  cr_expect_eq(tsr_save_npy(x, "/tmp"), TSR_ERR_IO);
  EXPECT_ERROR(TSR_ERR_IO, "cannot write `/tmp`: it is a directory");
  cr_expect_eq(tsr_save_npy(x, "/dev/null"), TSR_ERR_IO);
  EXPECT_ERROR(TSR_ERR_IO, "cannot write `/dev/null`: it is not a regular file");
  cr_expect_eq(tsr_save_npy(x, NULL), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "cannot write `(null)`: the path is NULL");
  cr_expect_eq(tsr_save_npy(x, ""), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "cannot write ``: the path is empty");
  cr_expect_eq(tsr_save_npy(tsr_null(), "x"), TSR_ERR_HANDLE);
  cr_expect_str_eq(tsr_last_error(), "");
}

Test(files, names_that_fail)
{
  for (int n = 1; n <= 3; n++) {
    cr_expect_eq(tsr_run_ranks(n, NULL, load_nothing, NULL), TSR_OK);
    cr_expect_eq(tsr_run_ranks(n, NULL, save_nowhere, NULL), TSR_OK);
  }
}

Test(files, other_types)
{
  char dir[64], path[128], file[512];
  make_dir(dir);
  snprintf(path, sizeof path, "%s/x.npy", dir);
  put(path, file, make_file(file, NULL, "{'descr': '<U5', " ORDER "'shape': (2,)}", 40));
  cr_expect(!tsr_ok(tsr_load_npy(path)));
  EXPECT_ERROR(TSR_ERR_DTYPE, "at byte 20: arrays have no type '<U5'", "help: the types are bool, ",
               "float64", "numpy.ndarray.astype");
  remove_dir(dir);
}

static void save_too_much(void *path, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_add(tsr_zeros(TSR_SHAPE(300, 300)), 1);
  cr_expect_eq(tsr_save_npy(x, path), TSR_ERR_IO);
  EXPECT_ERROR(TSR_ERR_IO, "cannot write `", path, "`: File too large");
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 90000, "the array is as it was");
}

/* The system refuses bytes beyond a size, as a full disk does: on several ranks only some fail. */
Test(files, a_failed_write_leaves_what_was_there)
{
  static const char *const tiny[] = {"replicate_max", "0", "tile_min", "1", NULL};
  char dir[64], path[128], bytes[16];
  make_dir(dir);
  snprintf(path, sizeof path, "%s/x.npy", dir);
  put(path, "as before", 9);
  signal(SIGXFSZ, SIG_IGN);
  const struct rlimit limit = {400000, RLIM_INFINITY}; /* of 720,000 and the head */
  struct rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  for (int n = 1; n <= 3; n++) {
    setrlimit(RLIMIT_FSIZE, &limit);
    tsr_status status = tsr_run_ranks(n, tiny, save_too_much, path);
    setrlimit(RLIMIT_FSIZE, &before);
    cr_expect_eq(status, TSR_OK);
    cr_expect_eq(get(path, bytes, sizeof bytes), 9);
    cr_expect_eq(memcmp(bytes, "as before", 9), 0);
  }
  cr_expect_eq(remove_dir(dir), 1, "no temporary files stay");
}

static void save_over_protected(void *path, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  cr_expect_eq(tsr_save_npy(tsr_arange(0, 1000, 1), path), TSR_ERR_IO);
  EXPECT_ERROR(TSR_ERR_IO, "cannot write `", path, "`: Permission denied");
}

/* As numpy.save, which opens it to write. */
Test(files, a_protected_file_is_not_replaced)
{
  enum { NOBODY = 65534 };
  char dir[64], path[128], bytes[16];
  if (geteuid() == 0) cr_assert_eq(seteuid(NOBODY), 0); /* root may write all files */
  make_dir(dir);
  snprintf(path, sizeof path, "%s/x.npy", dir);
  put(path, "as before", 9);
  cr_assert_eq(chmod(path, 0444), 0);
  for (int n = 1; n <= 2; n++)
    RUN_RANKS(n, save_over_protected, path, "replicate_max", "0", "tile_min", "1");
  cr_expect_eq(get(path, bytes, sizeof bytes), 9);
  cr_expect_eq(remove_dir(dir), 1);
}

/* Writers that die. */

enum { N_WRITERS = 3 };

/* A process that has begun a file beside `path` and waits for its end. */
static pid_t start_writer(const char *path)
{
  int ends[2];
  char ready = 0;
  cr_assert_eq(pipe(ends), 0);
  const pid_t child = fork_child();
  if (child == 0) {
    tsr_temporary t;
    tsr_outcome o = {.status = TSR_OK};
    int fd;
    ready = tsr__temporary_open(path, &fd, &t, &o) && write(fd, "half", 4) == 4;
    if (write(ends[1], &ready, 1) == 1) pause();
    _exit(1);
  }
  close(ends[1]);
  cr_assert(read(ends[0], &ready, 1) == 1 && ready);
  close(ends[0]);
  return child;
}

static int count_files(const char *dir)
{
  int n = 0;
  DIR *d = opendir(dir);
  for (struct dirent *e; (e = readdir(d));)
    n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
  closedir(d);
  return n;
}

static void save_small(void *path, int rank)
{
  cr_expect_eq(tsr_save_npy(tsr_arange(0, 10, 1), path), TSR_OK);
}

/* What is being written by others stays; what dead ones left goes with the next file beside it. */
Test(files, what_dead_writers_left_is_removed, .timeout = 60)
{
  char dir[64], path[128], foreign[160];
  make_dir(dir);
  snprintf(path, sizeof path, "%s/x.npy", dir);
  snprintf(foreign, sizeof foreign, "%s/.tessera-no.such.host-0.tmp", dir);
  put(foreign, "half", 4);
  pid_t writers[N_WRITERS];
  for (int i = 0; i < N_WRITERS; i++) writers[i] = start_writer(path);
  cr_expect_eq(count_files(dir), 1 + N_WRITERS);
  cr_expect_eq(tsr_run_ranks(2, NULL, save_small, path), TSR_OK);
  cr_expect_eq(count_files(dir), 2 + N_WRITERS, "they live");
  for (int i = 0; i < N_WRITERS; i++) {
    kill(writers[i], SIGKILL);
    waitpid(writers[i], NULL, 0);
    cr_expect_eq(count_files(dir), i == 0 ? 2 + N_WRITERS : 1 + N_WRITERS, "%d", i);
    if (i > 0) continue;
    cr_expect_eq(tsr_run_ranks(1, NULL, save_small, path), TSR_OK);
    cr_expect_eq(count_files(dir), 1 + N_WRITERS, "one is dead");
  }
  cr_expect_eq(tsr_run_ranks(1, NULL, save_small, path), TSR_OK);
  cr_expect_eq(count_files(dir), 2, "all are dead; the file, and that of another host");
  cr_expect_eq(unlink(foreign), 0);
  cr_expect_eq(remove_dir(dir), 1);
}

/* Also where the ones before it have ended well, and their names are free. */
Test(files, what_the_last_of_three_writers_left_is_removed, .timeout = 60)
{
  char dir[64], path[128];
  make_dir(dir);
  snprintf(path, sizeof path, "%s/x.npy", dir);
  pid_t writers[N_WRITERS];
  for (int i = 0; i < N_WRITERS; i++) writers[i] = start_writer(path);
  cr_expect_eq(count_files(dir), N_WRITERS);
  for (int i = 0; i < N_WRITERS; i++) {
    char name[256], host[64] = "";
    kill(writers[i], SIGKILL);
    waitpid(writers[i], NULL, 0);
    cr_assert_eq(gethostname(host, sizeof host - 1), 0);
    snprintf(name, sizeof name, "%s/.tessera-%s-%d.tmp", dir, host, i);
    if (i < N_WRITERS - 1) cr_expect_eq(unlink(name), 0);
  }
  cr_expect_eq(tsr_run_ranks(1, NULL, save_small, path), TSR_OK);
  cr_expect_eq(count_files(dir), 1, "the file");
  cr_expect_eq(remove_dir(dir), 1);
}

/* Nothing that is not such a file is touched. */
Test(files, names_in_the_way_of_temporary_files)
{
  char dir[64], path[128], name[256], host[64] = "";
  make_dir(dir);
  snprintf(path, sizeof path, "%s/x.npy", dir);
  cr_assert_eq(gethostname(host, sizeof host - 1), 0);
  snprintf(name, sizeof name, "%s/.tessera-%s-0.tmp", dir, host);
  cr_assert_eq(mkdir(name, 0700), 0);
  snprintf(name, sizeof name, "%s/.tessera-%s-1.tmp", dir, host);
  cr_assert_eq(symlink("/dev/null", name), 0);
  snprintf(name, sizeof name, "%s/.tessera-%s-2.tmp", dir, host);
  cr_assert_eq(mkfifo(name, 0600), 0);
  cr_expect_eq(tsr_run_ranks(1, NULL, save_small, path), TSR_OK);
  cr_expect_eq(count_files(dir), 4);
  cr_expect_eq(unlink(name), 0);
  snprintf(name, sizeof name, "%s/.tessera-%s-1.tmp", dir, host);
  cr_expect_eq(unlink(name), 0);
  snprintf(name, sizeof name, "%s/.tessera-%s-0.tmp", dir, host);
  cr_expect_eq(rmdir(name), 0);
  cr_expect_eq(remove_dir(dir), 1);
}
