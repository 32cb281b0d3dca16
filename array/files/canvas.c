/* Painting pictures in memory. See canvas.h. */
#include "array/files/canvas.h"

#include <stdlib.h>
#include <string.h>

tsr_canvas tsr__canvas_make(uint8_t *points, int width, int height, int channels)
{
  memset(points, 255, (size_t)width * (size_t)height * (size_t)channels);
  return (tsr_canvas){width, height, channels, points};
}

void tsr__canvas_free(tsr_canvas *canvas)
{
  free(canvas->points);
  canvas->points = NULL;
}

static int at_least(int a, int b)
{
  return a > b ? a : b;
}

static int at_most(int a, int b)
{
  return a < b ? a : b;
}

void tsr__canvas_fill(tsr_canvas *canvas, int x, int y, int width, int height, const uint8_t *point)
{
  const int left = at_least(x, 0), right = at_most(x + width, canvas->width);
  for (int row = at_least(y, 0); row < at_most(y + height, canvas->height); row++)
    for (int column = left; column < right; column++)
      memcpy(canvas->points +
                 ((size_t)row * (size_t)canvas->width + (size_t)column) * (size_t)canvas->channels,
             point, (size_t)canvas->channels);
}

/* The index in tsr__letters of the letter at *text, which moves on behind it: the bytes of a letter
 * that UTF-8 writes in several are one. */
static int next_letter(const char **text)
{
  const unsigned char first = (unsigned char)*(*text)++;
  while ((**text & 0xc0) == 0x80) (*text)++;
  return first >= 32 && first < 127 ? first - 32 : '?' - 32;
}

void tsr__canvas_text(tsr_canvas *canvas, int x, int y, int size, const char *text)
{
  static const uint8_t black[4] = {0, 0, 0, 255};
  for (; *text; x += (TSR_LETTER_COLUMNS + 1) * size) {
    const uint8_t *rows = tsr__letters[next_letter(&text)];
    for (int row = 0; row < TSR_LETTER_ROWS; row++)
      for (int column = 0; column < TSR_LETTER_COLUMNS; column++)
        if (rows[row] >> (TSR_LETTER_COLUMNS - 1 - column) & 1)
          tsr__canvas_fill(canvas, x + column * size, y + row * size, size, size, black);
  }
}

int tsr__text_width(int size, const char *text)
{
  int n = 0;
  while (*text) {
    next_letter(&text);
    n++;
  }
  return n ? (n * (TSR_LETTER_COLUMNS + 1) - 1) * size : 0;
}
