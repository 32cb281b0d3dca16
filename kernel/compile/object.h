/* Shared objects that this process has loaded. */
#ifndef TSR_OBJECT_H
#define TSR_OBJECT_H

#include <stdbool.h>
#include "runtime/base/arena.h"

/** A loaded shared object, or an image for a device. */
typedef struct tsr_object {
  void *handle; /* what dlopen returned, or the allocated image */
  int fd;       /* the descriptor that it was loaded through; -1: closed */
  bool is_image;
} tsr_object;
/** Returns whether objects can be loaded, which needs /proc. */
bool tsr__objects_can_load(void);
/** Returns whether the open file is a shared object that is as long as its tables say and has no
 * lost parts. */
bool tsr__object_is_whole(int fd);
/** Loads the open file, which object->fd keeps. Returns false, with the file still open, if it
 * cannot be loaded. */
bool tsr__object_load(int fd, tsr_object *code);
/** Unloads the object and closes its file. */
void tsr__object_unload(tsr_object *code);

typedef struct tsr_objects {
  tsr_arena memory;
  tsr_object *v; /* the objects, each once, in `memory` */
  int32_t n, capacity;
} tsr_objects;
/** Keeps the object until tsr__objects_unload. */
void tsr__objects_keep(tsr_objects *codes, tsr_object code);
void tsr__objects_unload(tsr_objects *codes);

#endif
