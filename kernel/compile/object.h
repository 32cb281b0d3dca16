/* Shared objects that this process has loaded. */
#ifndef TSR_OBJECT_H
#define TSR_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

/** A shared object of this process. */
typedef struct tsr_object {
  void *handle; /* the handle that dlopen gave */
  int fd;       /* the descriptor that it was loaded through; -1: no longer open */
} tsr_object;
/** Is there what objects are loaded through, /proc? */
bool tsr__objects_can_load(void);
/** Is the open file a shared object, as long as its own tables say, and without lost parts? */
bool tsr__object_is_whole(int fd);
/** Load the open file, which object->fd keeps. False, with the file open, if it cannot be. */
bool tsr__object_load(int fd, tsr_object *code);
/** Unload the object and close its file. */
void tsr__object_unload(tsr_object *code);

typedef struct tsr_objects {
  tsr_object *v; /* the objects, each once */
  size_t n, capacity;
} tsr_objects;
/** Take over the object, until tsr__objects_unload. */
void tsr__objects_keep(tsr_objects *codes, tsr_object code);
void tsr__objects_unload(tsr_objects *codes);

#endif
