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

void pl_svg_open(FILE *out, int width, int height, const char *label) {
  fprintf(out,
          "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\""
          " style=\"max-width:%dpx\">\n",
          width, height, label, width);
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

static void print_meter(FILE *out, const json_t *row, long long bytes,
                        bool target) {
  long long limit = pl_tree_number(row, "smem_block_static");
  long long whole = pl_tree_number(row, "smem_sm");
  char *used = size_text(bytes), *most = size_text(limit);
  char *all = size_text(whole);
  int width = 300;
  long long bar = smaller(bytes * width / whole, width);
  long long mark = smaller(limit * width / whole, width - 2);
  fprintf(out, "<tr%s><th scope=\"row\">sm_%lld%s</th><td>",
          target ? " class=\"target\"" : "", pl_tree_number(row, "arch"),
          target ? " <span class=\"small\">(target)</span>" : "");
  pl_svg_open(out, width, 16, "share of the multiprocessor's shared memory");
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

/* Bytes of a block as it was written. */
static long long written_bytes(const json_t *loop, const json_t *row) {
  long long written = pl_tree_number(loop, "smem_after");
  long long stages = pl_tree_number(loop, "stages");
  return written >= 0 ? written : cost_of(row, stages > 0 ? stages : 1);
}

static bool is_target(const json_t *row, long long target) {
  return target > 0 && pl_tree_number(row, "arch") == target;
}

static bool has_target(const json_t *rows, long long target) {
  size_t i;
  json_t *row;
  json_array_foreach(rows, i, row) {
    if (is_target(row, target))
      return true;
  }
  return false;
}

static void print_meters(FILE *out, const json_t *loop, long long target) {
  size_t i;
  json_t *row;
  fputs("<table class=\"budget\"><caption>Shared memory of a block; the mark"
        " is what a block may take statically</caption>\n",
        out);
  json_array_foreach(json_object_get(loop, "budget"), i, row)
    print_meter(out, row, written_bytes(loop, row), is_target(row, target));
  fputs("</table>\n", out);
}

/* The target's alone, where it is known; the others are folded away. */
void pl_svg_budget(FILE *out, const json_t *loop, long long target) {
  json_t *rows = json_object_get(loop, "budget"), *row;
  bool known = has_target(rows, target);
  size_t i;
  if (!json_array_size(rows))
    return;
  if (!known) {
    print_meters(out, loop, 0);
    return;
  }
  fputs("<table class=\"budget\">\n", out);
  json_array_foreach(rows, i, row) {
    if (is_target(row, target))
      print_meter(out, row, written_bytes(loop, row), true);
  }
  fputs("</table>\n<details><summary>Shared memory on every architecture"
        "</summary><div class=\"body\">\n",
        out);
  print_meters(out, loop, target);
  fputs("</div></details>\n", out);
}
