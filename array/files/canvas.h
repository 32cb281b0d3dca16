/* A picture in memory that is painted: rectangles and text over white. */
#ifndef TSR_CANVAS_H
#define TSR_CANVAS_H

#include <stdint.h>

/** Rows of points, the top one first; of each point `channels` bytes: red, green, blue and, of 4,
 * how opaque it is. */
typedef struct tsr_canvas {
  int width, height, channels;
  uint8_t *points; /* allocated by malloc */
} tsr_canvas;

enum { TSR_LETTER_COLUMNS = 5, TSR_LETTER_ROWS = 9 };
/** The letters from 32 to 126 (letters.c). */
extern const uint8_t tsr__letters[95][TSR_LETTER_ROWS];

/** Makes a white canvas of points that malloc gave, which it frees at its end. */
tsr_canvas tsr__canvas_make(uint8_t *points, int width, int height, int channels);
void tsr__canvas_free(tsr_canvas *canvas);
/** Paints a rectangle; what lies outside the canvas is left out. */
void tsr__canvas_fill(tsr_canvas *canvas, int x, int y, int width, int height,
                      const uint8_t *point);
/** Writes black text whose letters' points are size * size; x, y: its upper left corner. A letter
 * that is not ASCII is a `?`. */
void tsr__canvas_text(tsr_canvas *canvas, int x, int y, int size, const char *text);
/** How wide a text is, in points. */
int tsr__text_width(int size, const char *text);

#endif
