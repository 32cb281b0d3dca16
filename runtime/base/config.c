/* Reading the environment, setting by name, printing and agreeing go over the rows of the table of
 * settings (machine/settings.c) and know no setting by itself. Defaults are text and take the same
 * way as values of the user. */
#include "runtime/base/config.h"
#include "runtime/base/config_row.h"
#include "runtime/base/launcher_env.h"
#include "runtime/base/alloc.h"
#include "runtime/base/text.h"

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

/* Writes 16384 as "16K", and the like, where that is exact. */
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

/* Writes what the row takes as a value, for messages. */
static void takes_text(const tsr_config_row *row, char *buf, size_t n)
{
  bool open = row->high == TSR_CONFIG_MANY;
  switch (row->type) {
  case TSR_CONFIG_INT:
    if (open)
      snprintf(buf, n, "a whole number, %" PRId64 " or more", row->low);
    else
      snprintf(buf, n, "a whole number from %" PRId64 " to %" PRId64, row->low, row->high);
    break;
  case TSR_CONFIG_SIZE:
    snprintf(buf, n,
             "a whole number, %" PRId64
             " or more, with an optional suffix K, M, G or T (1K = 1024)",
             row->low);
    break;
  case TSR_CONFIG_BOOL:
    snprintf(buf, n, "1, true, yes, on or 0, false, no, off");
    break;
  case TSR_CONFIG_CHOICE: {
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
  case TSR_CONFIG_READ:
    snprintf(buf, n, "%s, in %zu bytes", row->choices, row->bytes - 1);
    break;
  case TSR_CONFIG_TEXT:
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

/* The byte at which the text is wrong; -1 if the row takes it. */
static int wrong_byte(const tsr_config_row *row, const char *value, const char **why)
{
  size_t at;
  return row->reads(value, &at, why) ? -1 : (int)at;
}

/* False, with *config untouched, if the row does not take the value. */
static bool row_set(const tsr_config_row *row, tsr_config *config, const char *value)
{
  char *field = (char *)config + row->offset;
  switch (row->type) {
  case TSR_CONFIG_INT:
  case TSR_CONFIG_SIZE: {
    int64_t number;
    if (!parse_number(value, row->type == TSR_CONFIG_SIZE, &number)) return false;
    if (number < row->low || number > row->high) return false;
    memcpy(field, &number, sizeof number);
    return true;
  }
  case TSR_CONFIG_BOOL: {
    bool flag;
    if (!parse_bool(value, &flag)) return false;
    memcpy(field, &flag, sizeof flag);
    return true;
  }
  case TSR_CONFIG_CHOICE:
    if (!is_choice(row->choices, value)) return false;
    break;
  case TSR_CONFIG_READ:
    if (wrong_byte(row, value, &(const char *){NULL}) >= 0) return false;
    break;
  case TSR_CONFIG_TEXT:
    break;
  }
  size_t n = strlen(value);
  if (n >= row->bytes) return false;
  memset(field, 0, row->bytes);
  memcpy(field, value, n);
  return true;
}

static void row_text(const tsr_config_row *row, const tsr_config *config, char *buf, size_t n)
{
  const char *field = (const char *)config + row->offset;
  int64_t number;
  switch (row->type) {
  case TSR_CONFIG_INT:
    memcpy(&number, field, sizeof number);
    snprintf(buf, n, "%" PRId64, number);
    break;
  case TSR_CONFIG_SIZE:
    memcpy(&number, field, sizeof number);
    size_text(number, buf, n);
    break;
  case TSR_CONFIG_BOOL:
    snprintf(buf, n, "%d", *(const bool *)field);
    break;
  case TSR_CONFIG_CHOICE:
  case TSR_CONFIG_READ:
  case TSR_CONFIG_TEXT:
    snprintf(buf, n, "%s", field);
    break;
  }
}

/* The row of a name without the prefix; if there is none, NULL, with the nearest row in *nearest.
 */
static const tsr_config_row *find_row(const char *name, bool any_case,
                                      const tsr_config_row **nearest)
{
  char upper[64] = {0};
  for (size_t i = 0; i + 1 < sizeof upper && name[i]; i++)
    upper[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
  size_t least = SIZE_MAX;
  for (size_t i = 0; tsr__config_rows[i].name; i++) {
    if (!strcmp(tsr__config_rows[i].name, any_case ? upper : name)) return &tsr__config_rows[i];
    size_t distance = tsr__edit_distance(upper, tsr__config_rows[i].name);
    if (distance < least) {
      least = distance;
      *nearest = &tsr__config_rows[i];
    }
  }
  return NULL;
}

static tsr_status refuse_value(const tsr_config_row *row, const char *value, char *message,
                               size_t size)
{
  char takes[240];
  takes_text(row, takes, sizeof takes);
  const char *why = NULL;
  const int at = row->type == TSR_CONFIG_READ ? wrong_byte(row, value, &why) : -1;
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
  const tsr_config_row *nearest = NULL;
  const tsr_config_row *row = find_row(bare, true, &nearest);
  if (!row) {
    snprintf(message, size, "unknown setting \"%.80s\"; the nearest is " PREFIX "%s", name,
             nearest->name);
    return TSR_ERR_CONFIG;
  }
  return row_set(row, config, value) ? TSR_OK : refuse_value(row, value, message, size);
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
    const tsr_config_row *nearest = NULL;
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
  memset(&read, 0, sizeof read); /* the padding, too, because its bytes are broadcast */
  for (size_t i = 0; tsr__config_rows[i].name; i++)
    row_set(&tsr__config_rows[i], &read, tsr__config_rows[i].initial);
  if (tsr__launcher_is_first()) warn_unknown();
  for (size_t i = 0; tsr__config_rows[i].name; i++) {
    char name[64];
    snprintf(name, sizeof name, PREFIX "%s", tsr__config_rows[i].name);
    const char *value = getenv(name);
    if (!value || !value[0]) continue;
    if (!row_set(&tsr__config_rows[i], &read, value))
      return refuse_value(&tsr__config_rows[i], value, message, size);
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
      if (n == 0) n = (int)strcspn(text, " "); /* a word that is longer than a line */
    }
    tsr__text_add(out, "%*s%.*s\n", indent, "", n, text);
    text += n;
    text += strspn(text, " ");
  }
}

static void add_row(tsr_text *out, const tsr_config_row *row, const tsr_config *config, int columns)
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
  static const char *const titles[TSR_CONFIG_N_GROUPS] = {
      "Everyday settings (* marks what is not the default)", "Tuning", "Testing"};
  tsr_text out = {0};
  for (tsr_config_group group = 0; group < TSR_CONFIG_N_GROUPS; group++) {
    tsr__text_add(&out, "%s%s\n", group ? "\n" : "", titles[group]);
    for (size_t i = 0; tsr__config_rows[i].name; i++)
      if (tsr__config_rows[i].group == group) add_row(&out, &tsr__config_rows[i], config, columns);
  }
  return out.s;
}

void tsr__config_adopt(tsr_config *mine, const tsr_config *rank0)
{
  for (size_t i = 0; tsr__config_rows[i].name; i++)
    if (tsr__config_rows[i].agreed)
      memcpy((char *)mine + tsr__config_rows[i].offset,
             (const char *)rank0 + tsr__config_rows[i].offset, tsr__config_rows[i].bytes);
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
