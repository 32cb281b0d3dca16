/* The picture of the cavity: the speed with streamlines, and beside it the profiles over Ghia's
 * points. */
#ifndef TESSERA_EXAMPLES_CAVITY_PICTURE_H
#define TESSERA_EXAMPLES_CAVITY_PICTURE_H

#include "tessera.h"

enum { CAVITY_SIDE = 512 }; /* points of the picture of the speed along a side */

/** One profile: where its line is, 0 to 1, and the values there. */
typedef struct cavity_profile {
  const char *title;
  double (*value)(const void *of, double at);
  const void *of;
  const double *points, *table; /* Ghia's n_points; NULL: there are none */
  int n_points;
} cavity_profile;

/** The picture, to be saved by tsr_save_png. speed: [n, n], at the cells' centres; stream: [n, n +
 * 1], the stream function at the upper ends of the upright faces; row 0 is the bottom. profiles:
 * two. */
tsr_array cavity_picture(tsr_array speed, tsr_array stream, const cavity_profile *profiles);

#endif
