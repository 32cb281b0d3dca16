/* Code by the system's compiler: shared objects, which this process loads. */
#include "kernel/compile/jit_int.h"
#include "runtime/base/launcher_env.h"
#include "runtime/base/library.h"
#include "runtime/transport/transport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool find(tsr_jit *jit, tsr_text *identity)
{
  if (!tsr__objects_can_load()) { /* without it neither cached nor new code can be loaded */
    if (tsr__launcher_is_first())
      fprintf(stderr, "tessera: warning: compiled kernels are loaded through /proc, which is not "
                      "there; kernels stay interpreted\n");
    return false;
  }
  char path[TSR_PATH_BYTES], *real = NULL;
  struct stat st;
  if (tsr__program_find(jit->config.compiler, path, sizeof path)) real = realpath(path, NULL);
  if (!real || stat(real, &st) < 0) {
    /* The setting names a compiler, so the user is warned if it is missing. */
    if (strcmp(jit->config.compiler, "cc") && tsr__launcher_is_first())
      fprintf(stderr,
              "tessera: warning: TESSERA_COMPILER=%s is no program that can be run; kernels "
              "stay interpreted\n",
              jit->config.compiler);
    else
      tsr__jit_note(jit, "no C compiler, kernels stay interpreted: ", jit->config.compiler);
    free(real);
    return false;
  }
  snprintf(jit->compiler, sizeof jit->compiler, "%s", path);
  tsr__text_add(identity, "%s %lld %lld.%09ld\n%s\n%s %s", real, (long long)st.st_size,
                (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, tsr__compile_flags,
                jit->target->name, jit->target->flags);
  free(real);
  return true;
}

static tsr_compiler start(tsr_jit *jit, const char *dir)
{
  return tsr__compile_start(jit->compiler, jit->target, dir, jit->config.jit_limit_s);
}

static tsr_compile_result wait_for(tsr_jit *jit, tsr_compiler run)
{
  return tsr__compile_wait(run, jit->config.jit_limit_s, &jit->stop);
}

static tsr_code find_code(tsr_object object, const char *name)
{
  tsr_code code;
  tsr__library_find(object.handle, name, &code);
  return code;
}

const tsr_code_maker tsr__maker_cc = {
    .suffix = ".so",
    .find = find,
    .start = start,
    .wait = wait_for,
    .is_whole = tsr__object_is_whole,
    .load = tsr__object_load,
    .find_code = find_code,
};

const tsr_code_maker tsr__maker_cc_image = {
    .suffix = ".so",
    .find = find,
    .start = start,
    .wait = wait_for,
    .is_whole = tsr__object_is_whole,
    .load = tsr__image_load,
    .find_code = tsr__image_find,
};
