/* CUDA C beside users' tasks: what the program gave, and the texts that calls make of it. */
#include "array/user/function.h"
#include "program/task_cuda.h"
#include "runtime/base/alloc.h"
#include "runtime/machine/machine.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct tsr_task_texts {
  tsr_task_source source;
  tsr_task_kernel *texts; /* the newest first */
};

static tsr_task_texts *code_new(const tsr_task_source *source)
{
  tsr_task_texts *code = tsr__calloc(1, sizeof *code);
  code->source = *source;
  code->source.entry = tsr__strdup(source->entry);
  code->source.text = tsr__strdup(source->text);
  return code;
}

void tsr__task_code_destroy(tsr_task_texts *code)
{
  if (!code) return;
  for (tsr_task_kernel *c = code->texts, *next; c; c = next) {
    next = c->next;
    free(c->text);
    free(c);
  }
  free(code->source.entry);
  free(code->source.text);
  free(code);
}

const tsr_task_kernel *tsr__task_code_of(const tsr_context *c, const tsr_user_kernel *f,
                                         const tsr_task_form *form, size_t data_bytes)
{
  if (!f->code || tsr__world_is_host(&c->world)) return NULL;
  const int32_t data_words = tsr__task_data_words(data_bytes);
  char *text = tsr__task_cuda_text(form, &f->code->source, data_words);
  if (!text) return NULL;
  const tsr_task_kernel *known = f->code->texts;
  while (known && (known->data_words != data_words || strcmp(known->text, text) != 0))
    known = known->next;
  if (known) {
    free(text);
    return known;
  }
  tsr_task_kernel *made = tsr__calloc(1, sizeof *made);
  made->next = f->code->texts;
  made->number = made->next ? made->next->number + 1 : 1;
  made->text = text;
  made->data_words = data_words;
  made->is_raw = f->code->source.is_raw;
  tsr__task_tile(form, &f->code->source, made->tile);
  f->code->texts = made;
  return made;
}

static bool is_name(const char *text)
{
  if (!isalpha((unsigned char)*text) && *text != '_') return false;
  while (isalnum((unsigned char)*text) || *text == '_') text++;
  return *text == 0;
}

static bool are_same(const tsr_task_source *a, const tsr_task_source *b)
{
  if (strcmp(a->entry, b->entry) != 0 || strcmp(a->text, b->text) != 0 || a->is_raw != b->is_raw ||
      a->n_tile != b->n_tile)
    return false;
  return memcmp(a->tile, b->tile, (size_t)a->n_tile * sizeof *a->tile) == 0;
}

/* Gives a task its text. source: borrowed; its texts may be NULL. */
static tsr_status give_text(const tsr_location *where, tsr_function task,
                            const tsr_task_source *source)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_user_kernel *k = (tsr_user_kernel *)(uintptr_t)tsr__function(c, where, task);
  if (!k) return TSR_ERR_HANDLE;
  if (!source->entry || !source->text)
    return tsr__fail(c, where, TSR_ERR_ARGUMENT, "a text is NULL");
  if (!k->run)
    return tsr__fail_on(c, where, TSR_ERR_ARGUMENT, 0, NULL,
                        "devices run its text already, whatever it says",
                        "kernel %s is no task, so it takes no CUDA C", k->name);
  if (!is_name(source->entry))
    return tsr__fail_on(c, where, TSR_ERR_ARGUMENT, 0, NULL,
                        "the name of a function of the source, \"smooth\"",
                        "the entry of task %s is no name: `%s`", k->name, source->entry);
  if (k->code) {
    if (are_same(&k->code->source, source)) return TSR_OK;
    return tsr__fail_on(c, where, TSR_ERR_ARGUMENT, 0, NULL,
                        "make a task of another name for other code",
                        "task %s has other CUDA C already", k->name);
  }
  k->code = code_new(source);
  tsr__recent_calls_destroy(k->recent); /* they have none */
  k->recent = tsr__recent_calls_new();
  return TSR_OK;
}

tsr_status tsr_task_cuda_at(const tsr_location *where, tsr_function task, const char *entry,
                            const char *source)
{
  const tsr_task_source plain = {
      .entry = (char *)(uintptr_t)entry, .text = (char *)(uintptr_t)source, .where = where};
  return give_text(where, task, &plain);
}

tsr_status tsr_kernel_raw_at(const tsr_location *where, tsr_function task, const char *entry,
                             const char *source, tsr_dims tile)
{
  enum { MOST = 1 << 20 };
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  if (tile.ndim < 0 || tile.ndim > TSR_MAX_NDIM)
    return tsr__fail(c, where, TSR_ERR_ARGUMENT, "a tile of %d axes", tile.ndim);
  for (int k = 0; k < tile.ndim; k++)
    if (tile.n[k] < 1 || tile.n[k] > MOST)
      return tsr__fail(c, where, TSR_ERR_ARGUMENT,
                       "the tile has %lld points along its axis %d; from 1 to %d there may be",
                       (long long)tile.n[k], k, MOST);
  tsr_task_source raw = {.entry = (char *)(uintptr_t)entry,
                         .text = (char *)(uintptr_t)source,
                         .is_raw = true,
                         .n_tile = tile.ndim,
                         .where = where};
  memcpy(raw.tile, tile.n, sizeof raw.tile);
  return give_text(where, task, &raw);
}
