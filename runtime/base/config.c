/* All settings, in one table: reading the environment, setting by name, printing and agreeing go
 * over its rows and know no setting by itself. Defaults are text and take the same way as values of
 * the user. */
#include "runtime/base/config.h"
#include "runtime/machine/costs.h"
#include "runtime/device/device.h"
#include "runtime/base/memory.h"
#include "runtime/machine/runtime_int.h"
#include "runtime/transport/transport.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

#define PREFIX "TESSERA_"
#define N_PREFIX (sizeof PREFIX - 1)

typedef enum row_type {
  ROW_INT,    /* int64_t, low..high */
  ROW_SIZE,   /* int64_t, low..high, with an optional suffix K, M, G, T */
  ROW_BOOL,   /* bool */
  ROW_CHOICE, /* char[], one of `choices` */
  ROW_READ,   /* char[], which the row's `reads` takes */
  ROW_TEXT    /* char[] */
} row_type;

/* In the order of the list. */
typedef enum row_group { EVERYDAY, TUNING, TESTING, N_GROUPS } row_group;

typedef struct config_row {
  const char *name; /* of the variable, without the prefix */
  row_group group;
  row_type type;
  bool agreed; /* every rank takes rank 0's value */
  size_t offset, bytes;
  const char *initial;
  int64_t low, high;
  const char *choices; /* separated by ','; of ROW_READ: what it takes, in words */
  const char *help;
  /* ROW_READ: false, where the text is wrong: byte *at, and *why (static) goes on after "byte 2 "
   */
  bool (*reads)(const char *text, size_t *at, const char **why);
} config_row;

static bool reads_devices(const char *text, size_t *at, const char **why)
{
  tsr_device_list list;
  return tsr__device_list_read(text, &list, at, why);
}

static bool reads_costs(const char *text, size_t *at, const char **why)
{
  tsr_costs costs = {.launch_ns = 0};
  return tsr__costs_read(text, &costs, at, why);
}

static bool reads_traits(const char *text, size_t *at, const char **why)
{
  tsr_kernel_traits traits;
  return tsr__traits_read(text, &traits, at, why);
}

#define FIELD(f) .offset = offsetof(tsr_config, f), .bytes = sizeof(((tsr_config *)0)->f)
#define LOCAL .agreed = false
#define AGREED .agreed = true
#define RANGE(a, b) .low = (a), .high = (b)
#define MANY INT64_C(0x3fffffffffffffff)

/* clang-format off */
static const config_row rows[] = {
  {"THREADS", EVERYDAY, ROW_INT, LOCAL, FIELD(threads), "0", RANGE(0, 4096), NULL,
   "computing threads per rank; 0: this rank's share of the cores"},
  {"WINDOW_OPS", TUNING, ROW_SIZE, AGREED, FIELD(window_ops), "64", RANGE(1, MANY), NULL,
   "operations that wait before an assignment or the end of a scope runs them"},
  {"WINDOW_CAP", TUNING, ROW_SIZE, AGREED, FIELD(window_cap), "1K", RANGE(1, MANY), NULL,
   "operations that wait before any call runs them"},
  {"REPLICATE_MAX", TUNING, ROW_SIZE, AGREED, FIELD(replicate_max), "16K", RANGE(0, MANY), NULL,
   "elements of the largest array that every rank keeps whole"},
  {"TILE_MIN", TUNING, ROW_SIZE, AGREED, FIELD(tile_min), "16K", RANGE(1, MANY), NULL,
   "fewest elements of a tile"},
  {"RANKS_PER_CORE", TUNING, ROW_INT, AGREED, FIELD(ranks_per_core), "0", RANGE(0, 4096), NULL,
   "ranks that share a core: REPLICATE_MAX is divided by it, and small arrays are cut over one rank "
   "per core; 0: as on rank 0's node"},
  {"CHUNK_BYTES", TUNING, ROW_SIZE, LOCAL, FIELD(chunk_bytes), "512K", RANGE(1, MANY), NULL,
   "bytes that one task touches"},
  {"INLINE_ELEMS", TUNING, ROW_SIZE, LOCAL, FIELD(inline_elems), "256K", RANGE(0, MANY), NULL,
   "elements times operations of the largest pass up to which a plan runs on the calling thread"},
  {"MEMORY", EVERYDAY, ROW_SIZE, LOCAL, FIELD(memory_bytes), "0", RANGE(0, MANY), NULL,
   "bytes of array memory per rank, the least of all ranks' counts; ranks that share a device share "
   "them, unless DEVICE_MEMORY is set; buffers of messages up to 1 MB, and those that it has no room for, come on "
   "top; 0: 80 % of a share of what is available on the node when the program starts"},
  {"DEVICE_MEMORY", EVERYDAY, ROW_SIZE, AGREED, FIELD(device_memory_bytes), "0", RANGE(0, MANY), NULL,
   "bytes of array memory on each device, of all ranks that share it, but of the host; what does not fit "
   "lies in the host's memory and is brought over piece by piece; 0: as MEMORY"},
  {"STALL_S", EVERYDAY, ROW_INT, LOCAL, FIELD(stall_s), "10", RANGE(0, 86400), NULL,
   "seconds that a rank waits for another before it says so on stderr, and then every minute; 0: never"},
  {"SPILL_DIR", EVERYDAY, ROW_TEXT, AGREED, FIELD(spill_dir), "", RANGE(0, 0), NULL,
   "directory for files with the arrays that memory has no room for; empty: that is an error"},
  {"HALO_MAX", TUNING, ROW_INT, AGREED, FIELD(halo_max), "64", RANGE(0, 4096), NULL,
   "widest ghost margin kept in a tile's own buffer, in elements"},
  {"WARN_ARRAYS", EVERYDAY, ROW_SIZE, LOCAL, FIELD(warn_arrays), "10000", RANGE(1, MANY), NULL,
   "arrays alive from one line of the program that earn a warning"},
  {"SEED", TESTING, ROW_INT, LOCAL, FIELD(seed), "0", RANGE(0, MANY), NULL,
   "order of tasks and deliveries in tests; 0: natural"},
  {"DEBUG", EVERYDAY, ROW_INT, LOCAL, FIELD(debug), "0", RANGE(0, 3), NULL,
   "notes on stderr; 0: none, 1: notes, 2: passes, 3: tasks"},
  {"FUSION", TUNING, ROW_BOOL, AGREED, FIELD(fusion), "1", RANGE(0, 1), NULL,
   "run chains of operations as one pass over memory"},
  {"RECOMPUTE", TUNING, ROW_BOOL, AGREED, FIELD(recompute), "1", RANGE(0, 1), NULL,
   "compute cheap temporaries that are read displaced again for each reader, where that saves a pass"},
  {"ALIGN_ROWS", TUNING, ROW_SIZE, AGREED, FIELD(align_rows), "768", RANGE(1, MANY), NULL,
   "bytes of the shortest row of an array with axes that begins at a cache line"},
  {"RENAME", TUNING, ROW_BOOL, AGREED, FIELD(rename), "1", RANGE(0, 1), NULL,
   "write a new value to a second buffer where that saves a pass"},
  {"RENAME_MAX", TUNING, ROW_SIZE, AGREED, FIELD(rename_max), "0", RANGE(0, MANY), NULL,
   "bytes of second buffers per rank; what needs more is written in place, in strips; 0: what "
   "the memory limit leaves"},
  {"MEMO", TUNING, ROW_BOOL, LOCAL, FIELD(memo), "1", RANGE(0, 1), NULL,
   "remember plans and replay them"},
  {"INORDER", TESTING, ROW_BOOL, AGREED, FIELD(inorder), "0", RANGE(0, 1), NULL,
   "run each operation at once, one task at a time"},
  {"GUARD", TUNING, ROW_BOOL, AGREED, FIELD(guard), "1", RANGE(0, 1), NULL,
   "check at blocking reads that all ranks made the same calls"},
  {"BIND", TUNING, ROW_BOOL, LOCAL, FIELD(bind), "1", RANGE(0, 1), NULL,
   "keep worker threads, and ranks that share cores, to this rank's share of the cores"},
  {"REPLAN", TESTING, ROW_BOOL, AGREED, FIELD(replan), "0", RANGE(0, 1), NULL,
   "plan every window twice, run each plan in two memories, and compare (tests)"},
  {"DEVICE", EVERYDAY, ROW_CHOICE, AGREED, FIELD(device), "cpu", RANGE(0, 0), "cpu,check,null",
   "what arrays live on; check: a pretend accelerator (tests), null: nothing is computed, only plans"},
  {"DEVICES", EVERYDAY, ROW_READ, AGREED, FIELD(devices), "", RANGE(0, 0),
   "a count (4) or numbers of devices (0,2,3; `2,` for one)",
   "how many devices of that kind a node's ranks share (4), or their numbers (0,2,3); empty: all "
   "there are", reads_devices},
  {"PLACEMENT", TUNING, ROW_CHOICE, AGREED, FIELD(placement), "auto", RANGE(0, 0), "auto,cost,all",
   "what runs on a device; cost: what is faster there with its data, all: everything that it can; "
   "auto: by cost, but on check all"},
  {"COSTS", TUNING, ROW_READ, AGREED, FIELD(costs), "", RANGE(0, 0),
   "some of host_gbs, host_gips, device_gbs, device_gips, launch_us, link_us and link_gbs "
   "(launch_us=5,link_gbs=25)",
   "costs that placement goes by, instead of measured ones: GB/s and 10^9 instructions/s of host "
   "and device, launch of a kernel, latency and GB/s between the memories", reads_costs},
  {"REFUSE", TESTING, ROW_READ, AGREED, FIELD(refuse), "", RANGE(0, 0),
   "some of random, task, user, float16 and complex (task,float16)",
   "kernels that check does not run, so that the host does (tests)", reads_traits},
  {"PLACES", EVERYDAY, ROW_INT, AGREED, FIELD(places), "0", RANGE(0, 16), NULL,
   "devices per rank, or parts of the host's memory, each with its own tile of every array; 0: the "
   "rank's share of the node's devices"},
  {"JIT", TUNING, ROW_CHOICE, LOCAL, FIELD(jit), "lazy", RANGE(0, 0), "off,lazy,eager",
   "compile kernels; lazy: in the background, eager: wait for the compiler (tests)"},
  {"JIT_AFTER", TUNING, ROW_SIZE, LOCAL, FIELD(jit_after), "1M", RANGE(0, MANY), NULL,
   "points times instructions that a kernel runs before it is compiled"},
  {"JIT_LIMIT_S", TUNING, ROW_INT, LOCAL, FIELD(jit_limit_s), "60", RANGE(1, 3600), NULL,
   "seconds of processor time that a run of the compiler may take; after ten times as many it is "
   "ended in any case"},
  {"COMPILER", EVERYDAY, ROW_TEXT, LOCAL, FIELD(compiler), "cc", RANGE(0, 0), NULL,
   "C compiler for kernels, gcc or clang: a name to be found in PATH, or a path"},
  {"CACHE", EVERYDAY, ROW_TEXT, LOCAL, FIELD(cache), "", RANGE(0, 0), NULL,
   "directory for compiled kernels; empty: tessera in XDG_CACHE_HOME or ~/.cache"},
  {"CACHE_BYTES", EVERYDAY, ROW_SIZE, LOCAL, FIELD(cache_bytes), "256M", RANGE(0, MANY), NULL,
   "most that compiled kernels take on disk"},
  {"MATMUL", EVERYDAY, ROW_CHOICE, AGREED, FIELD(matmul), "exact", RANGE(0, 0), "exact,blas",
   "products of matrices of floats; exact: the same bits everywhere, blas: by OpenBLAS, whose bits depend on "
   "the processor, the ranks and the tiles"},
  {"BLAS", EVERYDAY, ROW_TEXT, LOCAL, FIELD(blas), "libopenblas.so.0", RANGE(0, 0), NULL,
   "file of OpenBLAS for MATMUL=blas, a name that the loader finds or a path"},
  {"TRANSPORT", TUNING, ROW_CHOICE, LOCAL, FIELD(transport), "auto", RANGE(0, 0), "auto,self,mpi",
   "how ranks exchange data; auto: MPI where the program was started by it"},
  {"DUMP", TUNING, ROW_TEXT, LOCAL, FIELD(dump), "", RANGE(0, 0), NULL,
   "directory for windows, groups and plans as text; empty: none"},
};
/* clang-format on */
enum { N_ROWS = sizeof rows / sizeof rows[0] };

/* "16K" for 16384 and the like, where that is exact. */
static void size_text(int64_t value, char *buf, size_t n)
{
  static const char suffix[] = " KMGT";
  int k = 0;
  while (k < 4 && value >= 1024 && value % 1024 == 0) value /= 1024, k++;
  if (k)
    snprintf(buf, n, "%" PRId64 "%c", value, suffix[k]);
  else
    snprintf(buf, n, "%" PRId64, value);
}

/* What a row takes, for messages. */
static void takes_text(const config_row *row, char *buf, size_t n)
{
  bool open = row->high == MANY;
  switch (row->type) {
  case ROW_INT:
    if (open)
      snprintf(buf, n, "a whole number, %" PRId64 " or more", row->low);
    else
      snprintf(buf, n, "a whole number from %" PRId64 " to %" PRId64, row->low, row->high);
    break;
  case ROW_SIZE:
    snprintf(buf, n,
             "a whole number, %" PRId64
             " or more, with an optional suffix K, M, G or T (1K = 1024)",
             row->low);
    break;
  case ROW_BOOL:
    snprintf(buf, n, "1, true, yes, on or 0, false, no, off");
    break;
  case ROW_CHOICE: {
    size_t used = 0;
    for (const char *c = row->choices; *c && used < n; c += strcspn(c, ",")) {
      if (*c == ',') c++;
      int length = (int)strcspn(c, ",");
      const char *joint = c == row->choices ? "" : c[length] ? ", " : " or ";
      int k = snprintf(buf + used, n - used, "%s%.*s", joint, length, c);
      if (k > 0) used += (size_t)k;
    }
    break;
  }
  case ROW_READ:
    snprintf(buf, n, "%s, in %zu bytes", row->choices, row->bytes - 1);
    break;
  case ROW_TEXT:
    snprintf(buf, n, "a text of at most %zu bytes", row->bytes - 1);
    break;
  }
}

static bool parse_number(const char *s, bool suffix, int64_t *out)
{
  if (!(*s >= '0' && *s <= '9') && *s != '-') return false;
  char *end;
  errno = 0;
  long long value = strtoll(s, &end, 10);
  if (errno || end == s) return false;
  int64_t scale = 1;
  if (suffix && *end) {
    static const char letters[] = "KMGT";
    const char *letter = strchr(letters, *end >= 'a' ? *end - 'a' + 'A' : *end);
    if (!letter) return false;
    scale = INT64_C(1) << (10 * (letter - letters + 1));
    end++;
    if (*end == 'i' && end[1] == 'B') end++;
    if (*end == 'B') end++;
  }
  if (*end) return false;
  return !__builtin_mul_overflow((int64_t)value, scale, out);
}

static bool parse_bool(const char *s, bool *out)
{
  static const char *const words[] = {"0", "1", "false", "true", "no", "yes", "off", "on"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (!strcasecmp(s, words[i])) {
      *out = i % 2;
      return true;
    }
  return false;
}

static bool is_choice(const char *choices, const char *s)
{
  size_t n = strlen(s);
  for (const char *c = choices;; c++) {
    size_t length = strcspn(c, ",");
    if (length == n && !memcmp(c, s, n)) return true;
    c += length;
    if (!*c) return false;
  }
}

/* Where the text is wrong; -1: nowhere. */
static int wrong_byte(const config_row *row, const char *value, const char **why)
{
  size_t at;
  return row->reads(value, &at, why) ? -1 : (int)at;
}

/* False, with *config untouched, if the row does not take the value. */
static bool row_set(const config_row *row, tsr_config *config, const char *value)
{
  char *field = (char *)config + row->offset;
  switch (row->type) {
  case ROW_INT:
  case ROW_SIZE: {
    int64_t number;
    if (!parse_number(value, row->type == ROW_SIZE, &number)) return false;
    if (number < row->low || number > row->high) return false;
    memcpy(field, &number, sizeof number);
    return true;
  }
  case ROW_BOOL: {
    bool flag;
    if (!parse_bool(value, &flag)) return false;
    memcpy(field, &flag, sizeof flag);
    return true;
  }
  case ROW_CHOICE:
    if (!is_choice(row->choices, value)) return false;
    break;
  case ROW_READ:
    if (wrong_byte(row, value, &(const char *){NULL}) >= 0) return false;
    break;
  case ROW_TEXT:
    break;
  }
  size_t n = strlen(value);
  if (n >= row->bytes) return false;
  memset(field, 0, row->bytes);
  memcpy(field, value, n);
  return true;
}

static void row_text(const config_row *row, const tsr_config *config, char *buf, size_t n)
{
  const char *field = (const char *)config + row->offset;
  int64_t number;
  switch (row->type) {
  case ROW_INT:
    memcpy(&number, field, sizeof number);
    snprintf(buf, n, "%" PRId64, number);
    break;
  case ROW_SIZE:
    memcpy(&number, field, sizeof number);
    size_text(number, buf, n);
    break;
  case ROW_BOOL:
    snprintf(buf, n, "%d", *(const bool *)field);
    break;
  case ROW_CHOICE:
  case ROW_READ:
  case ROW_TEXT:
    snprintf(buf, n, "%s", field);
    break;
  }
}

/* The row of a name without the prefix; NULL, with the nearest row in *nearest, if there is none.
 */
static const config_row *find_row(const char *name, bool any_case, const config_row **nearest)
{
  char upper[64] = {0};
  for (size_t i = 0; i + 1 < sizeof upper && name[i]; i++)
    upper[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < N_ROWS; i++) {
    if (!strcmp(rows[i].name, any_case ? upper : name)) return &rows[i];
    size_t distance = tsr__edit_distance(upper, rows[i].name);
    if (distance < least) {
      least = distance;
      *nearest = &rows[i];
    }
  }
  return NULL;
}

static tsr_status refuse(const config_row *row, const char *value, char *message, size_t size)
{
  char takes[240];
  takes_text(row, takes, sizeof takes);
  const char *why = NULL;
  const int at = row->type == ROW_READ ? wrong_byte(row, value, &why) : -1;
  if (at >= 0)
    snprintf(message, size, PREFIX "%s is \"%.80s\": byte %d %s\nhelp: it takes %s", row->name,
             value, at, why, takes);
  else
    snprintf(message, size, PREFIX "%s is \"%.80s\"; it takes %s", row->name, value, takes);
  return TSR_ERR_CONFIG;
}

tsr_status tsr__config_set(tsr_config *config, const char *name, const char *value, char *message,
                           size_t size)
{
  const char *bare = strncmp(name, PREFIX, N_PREFIX) ? name : name + N_PREFIX;
  const config_row *nearest = NULL;
  const config_row *row = find_row(bare, true, &nearest);
  if (!row) {
    snprintf(message, size, "unknown setting \"%.80s\"; the nearest is " PREFIX "%s", name,
             nearest->name);
    return TSR_ERR_CONFIG;
  }
  return row_set(row, config, value) ? TSR_OK : refuse(row, value, message, size);
}

const char *tsr__environment(const char *name)
{
  return getenv(name);
}

int tsr__config_variables(const char **names, int capacity)
{
  int n = 0;
  for (char **entry = environ; entry && *entry; entry++) {
    if (strncmp(*entry, PREFIX, N_PREFIX)) continue;
    if (n < capacity) names[n] = *entry;
    n++;
  }
  return n;
}

static void warn_unknown(void)
{
  for (char **entry = environ; entry && *entry; entry++) {
    if (strncmp(*entry, PREFIX, N_PREFIX)) continue;
    char name[64];
    const char *bare = *entry + N_PREFIX;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
    const config_row *nearest = NULL;
    if (find_row(name, false, &nearest)) continue;
    fprintf(stderr,
            "warning[TSR0501]: unknown setting " PREFIX "%s; the nearest is " PREFIX "%s\n"
            "help: `tessera info --config` lists all settings\n",
            name, nearest->name);
  }
}

tsr_status tsr__config_read(tsr_config *config, char *message, size_t size)
{
  tsr_config read;
  memset(&read, 0, sizeof read); /* the padding too: its bytes are broadcast */
  for (size_t i = 0; i < N_ROWS; i++) row_set(&rows[i], &read, rows[i].initial);
  if (tsr__launcher_is_first()) warn_unknown();
  for (size_t i = 0; i < N_ROWS; i++) {
    char name[64];
    snprintf(name, sizeof name, PREFIX "%s", rows[i].name);
    const char *value = getenv(name);
    if (!value || !value[0]) continue;
    if (!row_set(&rows[i], &read, value)) return refuse(&rows[i], value, message, size);
  }
  const char *no_color = getenv("NO_COLOR");
  read.plain = no_color && no_color[0];
  memcpy(config, &read, sizeof read);
  return TSR_OK;
}

/* Appends the text in lines of at most `columns` bytes, each behind `indent` blanks. */
static void add_wrapped(tsr_text *out, const char *text, int indent, int columns)
{
  const int most = columns > indent + 16 ? columns - indent : 16;
  while (*text) {
    int n = (int)strlen(text);
    if (n > most) {
      for (n = most; n > 0 && text[n] != ' '; n--) continue;
      if (n == 0) n = (int)strcspn(text, " "); /* a word that no line holds */
    }
    tsr__text_add(out, "%*s%.*s\n", indent, "", n, text);
    text += n;
    text += strspn(text, " ");
  }
}

static void add_row(tsr_text *out, const config_row *row, const tsr_config *config, int columns)
{
  tsr_config initial;
  char value[sizeof(tsr_config)], takes[240];
  memset(&initial, 0, sizeof initial);
  row_set(row, &initial, row->initial);
  const bool changed = memcmp((const char *)config + row->offset,
                              (const char *)&initial + row->offset, row->bytes) != 0;
  row_text(row, config, value, sizeof value);
  takes_text(row, takes, sizeof takes);
  tsr_text setting = {0}, help = {0};
  tsr__text_add(&setting, "%c " PREFIX "%s=%s", changed ? '*' : ' ', row->name, value);
  tsr__text_add(&help, "(default %s) %s. It takes %s.", row->initial[0] ? row->initial : "empty",
                row->help, takes);
  if (columns > 0) {
    tsr__text_add(out, "%s\n", setting.s);
    add_wrapped(out, help.s, 6, columns);
  } else {
    tsr__text_add(out, "%-30s %s\n", setting.s, help.s);
  }
  tsr__text_free(&setting);
  tsr__text_free(&help);
}

char *tsr__config_text(const tsr_config *config, int columns)
{
  static const char *const titles[N_GROUPS] = {
      "Everyday settings (* marks what is not the default)", "Tuning", "Testing"};
  tsr_text out = {0};
  for (row_group group = 0; group < N_GROUPS; group++) {
    tsr__text_add(&out, "%s%s\n", group ? "\n" : "", titles[group]);
    for (size_t i = 0; i < N_ROWS; i++)
      if (rows[i].group == group) add_row(&out, &rows[i], config, columns);
  }
  return out.s;
}

void tsr__config_adopt(tsr_config *mine, const tsr_config *rank0)
{
  for (size_t i = 0; i < N_ROWS; i++)
    if (rows[i].agreed)
      memcpy((char *)mine + rows[i].offset, (const char *)rank0 + rows[i].offset, rows[i].bytes);
}

static bool is_program(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

bool tsr__program_find(const char *name, char *buf, size_t size)
{
  if (strchr(name, '/')) {
    const int n = snprintf(buf, size, "%s", name);
    return n > 0 && (size_t)n < size && is_program(buf);
  }
  const char *path = getenv("PATH");
  for (const char *dir = path ? path : ""; *dir;) {
    const int length = (int)strcspn(dir, ":");
    const int n = snprintf(buf, size, "%.*s/%s", length, dir, name);
    if (dir[0] == '/' && (size_t)n < size && is_program(buf)) return true;
    dir += length;
    if (*dir) dir++;
  }
  return false;
}

char *const *tsr__child_environment(void)
{
  static const char *const names[] = {"PATH", "LD_LIBRARY_PATH", "TMPDIR"};
  enum { N_NAMES = sizeof names / sizeof names[0] };
  tsr_text text = {0};
  size_t at[N_NAMES + 1];
  int n = 0;
  for (size_t i = 0; i < N_NAMES; i++) {
    const char *value = getenv(names[i]);
    if (!value) continue;
    at[n++] = text.n;
    tsr__text_add(&text, "%s=%s%c", names[i], value, 0);
  }
  at[n++] = text.n;
  tsr__text_add(&text, "LC_ALL=C");
  const size_t n_pointers = (size_t)n + 1;
  char **all = tsr__calloc(1, n_pointers * sizeof *all + text.n + 1);
  char *texts = (char *)(all + n_pointers);
  memcpy(texts, text.s, text.n + 1);
  for (int i = 0; i < n; i++) all[i] = texts + at[i];
  tsr__text_free(&text);
  return all;
}
