/* html_svg.c - see html_svg.h. */
#include "html_svg.h"

#include <stdlib.h>
#include <string.h>

#include "report_tree.h"
#include "text.h"
#include "utf8.h"

void pl_html_escape(FILE *out, const char *text, size_t length) {
  bool utf8 = pl_is_utf8(text, length);
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    switch (c) {
    case '&': fputs("&amp;", out); break;
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '"': fputs("&quot;", out); break;
    default: fputc(c >= 0x80 && !utf8 ? '?' : c, out);
    }
  }
}

/* One drawing unit is a hundredth of the time that one compute takes. */
enum {
  TILES = 4, LOAD_TIME = 120, COMPUTE_TIME = 100,
  LEFT = 74, ROW = 22, BAR = 18, UNIT_PERCENT = 68
};

/* When each load and compute begins. */
typedef struct schedule {
  int load[TILES], compute[TILES];
  int lanes; /* loads in flight at once */
  int end;
} schedule;

static int later(int a, int b) { return a > b ? a : b; }

/* With `ahead` tiles in flight before the compute of one: 0 is the original,
 * where a load waits for the compute before it. */
static schedule make_schedule(int ahead) {
  schedule s = {.lanes = ahead > 1 ? ahead : 1};
  if (s.lanes > TILES)
    s.lanes = TILES;
  int free_at = 0;
  for (int i = 0; i < TILES; i++) {
    if (!ahead)
      s.load[i] = free_at;
    else
      s.load[i] = i < ahead ? 0 : s.compute[i - ahead];
    s.compute[i] = later(s.load[i] + LOAD_TIME, free_at);
    free_at = s.compute[i] + COMPUTE_TIME;
  }
  s.end = free_at;
  return s;
}

static int x_of(int time) { return LEFT + time * UNIT_PERCENT / 100; }

static void print_bar(FILE *out, const char *class, int time, int length,
                      int y, int tile) {
  int x = x_of(time), width = x_of(time + length) - x - 2;
  fprintf(out,
          "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\""
          " rx=\"3\"/><text class=\"in\" x=\"%d\" y=\"%d\">%d</text>\n",
          class, x, y, width, BAR, x + width / 2, y + 13, tile);
}

static int print_lanes(FILE *out, const schedule *s, int y) {
  int compute_y = y + s->lanes * ROW;
  fprintf(out, "<text x=\"0\" y=\"%d\">load</text>"
               "<text x=\"0\" y=\"%d\">compute</text>\n",
          y + 13, compute_y + 13);
  for (int i = 0; i < TILES; i++) {
    print_bar(out, "load", s->load[i], LOAD_TIME, y + i % s->lanes * ROW, i);
    print_bar(out, "compute", s->compute[i], COMPUTE_TIME, compute_y, i);
  }
  return compute_y + ROW;
}

static void open_svg(FILE *out, int width, int height, const char *label) {
  fprintf(out,
          "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\""
          " style=\"max-width:%dpx\">\n",
          width, height, label, width);
}

static int tiles_ahead(const json_t *loop) {
  long long stages = pl_tree_number(loop, "stages");
  return stages > 1 ? (int)stages - 1 : 1;
}

static void print_picture(FILE *out, const char *title, const schedule *s,
                          int width, const char *label) {
  int height = (s->lanes + 1) * ROW;
  fprintf(out, "<figure><figcaption>%s</figcaption>", title);
  open_svg(out, width, height, label);
  print_lanes(out, s, 0);
  fputs("</svg></figure>\n", out);
}

void pl_svg_timeline(FILE *out, const json_t *loop) {
  schedule before = make_schedule(0), after = make_schedule(tiles_ahead(loop));
  int width = x_of(before.end) + 4;
  print_picture(out, "Before", &before, width,
                "each load waits for the compute before it");
  print_picture(out, "After", &after, width,
                "loads of later tiles run beside the compute");
  fputs("<p class=\"small\">The order of the first four tiles; lengths are not"
        " measured.</p>\n",
        out);
}

/* "48 KiB" where it is whole, else bytes. */
static char *size_text(long long bytes) {
  return bytes % 1024 ? pl_format("%lld B", bytes)
                      : pl_format("%lld KiB", bytes / 1024);
}

/* Bytes of a block with `stages` in one architecture's row; -1: not there. */
static long long cost_of(const json_t *row, long long stages) {
  size_t i;
  json_t *cost;
  json_array_foreach(json_object_get(row, "costs"), i, cost)
    if (pl_tree_number(cost, "stages") == stages)
      return pl_tree_number(cost, "smem");
  return -1;
}

static long long smaller(long long a, long long b) { return a < b ? a : b; }

static void print_meter(FILE *out, const json_t *row, long long bytes) {
  long long limit = pl_tree_number(row, "smem_block_static");
  long long whole = pl_tree_number(row, "smem_sm");
  char *used = size_text(bytes), *most = size_text(limit);
  char *all = size_text(whole);
  int width = 300;
  long long bar = smaller(bytes * width / whole, width);
  long long mark = smaller(limit * width / whole, width - 2);
  fprintf(out, "<tr><th scope=\"row\">sm_%lld</th><td>",
          pl_tree_number(row, "arch"));
  open_svg(out, width, 16, "share of the multiprocessor's shared memory");
  fprintf(out,
          "<rect class=\"track\" width=\"%d\" height=\"16\" rx=\"3\"/>"
          "<rect class=\"%s\" width=\"%lld\" height=\"16\" rx=\"3\"/>"
          "<rect class=\"mark\" x=\"%lld\" width=\"2\" height=\"16\"/></svg>"
          "</td><td class=\"figures\">%s of %s <span class=\"small\">(%s a"
          " multiprocessor)</span></td></tr>\n",
          width, bytes > limit ? "over" : "compute",
          bar > 2 ? bar : 2, mark,
          used, most, all);
  free(used);
  free(most);
  free(all);
}

void pl_svg_budget(FILE *out, const json_t *loop) {
  size_t i;
  json_t *row, *rows = json_object_get(loop, "budget");
  long long stages = pl_tree_number(loop, "stages");
  long long written = pl_tree_number(loop, "smem_after");
  if (!json_array_size(rows))
    return;
  fputs("<table class=\"budget\"><caption>Shared memory of a block; the mark"
        " is what a block may take statically</caption>\n",
        out);
  json_array_foreach(rows, i, row)
    print_meter(out, row, written >= 0 ? written
                                       : cost_of(row, stages > 0 ? stages : 1));
  fputs("</table>\n", out);
}
