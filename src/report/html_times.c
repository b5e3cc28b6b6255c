/* html_times.c - see html_times.h. */
#include "html_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_svg.h"
#include "memory.h"
#include "report_tree.h"
#include "text.h"

enum { WIDTH = 300, HEIGHT = 16 };

static void escape(FILE *out, const char *text) {
  pl_html_escape(out, text, strlen(text));
}

static double longest(const pl_bar *bars, size_t count, double bound) {
  double most = isnan(bound) ? 0 : bound;
  for (size_t i = 0; i < count; i++)
    most = fmax(most, fmax(bars[i].ms, bars[i].ms_max));
  return most;
}

/* The form that is proven and takes the least, if it beats the original. */
static size_t best_of(const pl_bar *bars, size_t count) {
  size_t best = 0;
  for (size_t i = 1; i < count; i++)
    if (bars[i].kind == PL_BAR_FORM && bars[i].ms < bars[best].ms)
      best = i;
  return best;
}

static const char *class_of(const pl_bar *bar, bool best) {
  static const char *const names[] = {"original", "form", "side", "bad"};
  return best && bar->kind == PL_BAR_FORM ? "best" : names[bar->kind];
}

static void print_rect(FILE *out, const char *class, double x, double width,
                       int y, int height) {
  fprintf(out,
          "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\""
          " height=\"%d\"/>",
          class, x, y, width, height);
}

/* The figures stand beside it: nothing for a reader that sees no picture. */
static void print_bar(FILE *out, const pl_bar *bar, const char *class,
                      double most, double bound) {
  double scale = (WIDTH - 2) / most;
  fprintf(out, "<svg viewBox=\"0 0 %d %d\" aria-hidden=\"true\""
               " style=\"max-width:%dpx\">", WIDTH, HEIGHT, WIDTH);
  print_rect(out, class, 0, fmax(bar->ms * scale, 1), 2, HEIGHT - 4);
  if (bar->ms_max > bar->ms_min)
    print_rect(out, "mark", bar->ms_min * scale,
               (bar->ms_max - bar->ms_min) * scale, HEIGHT / 2, 1);
  if (!isnan(bound))
    print_rect(out, "mark bound", bound * scale, 2, 0, HEIGHT);
  fputs("</svg>", out);
}

static void print_row(FILE *out, const pl_bar *bar, bool best, double most,
                      const pl_bar *bars, double bound) {
  fputs("<tr><th scope=\"row\">", out);
  escape(out, bar->name);
  fputs(bar->is_auto ? " *</th><td>" : "</th><td>", out);
  if (bar->ms > 0)
    print_bar(out, bar, class_of(bar, best), most, bound);
  fputs("</td><td class=\"figures\">", out);
  if (bar->ms > 0)
    fprintf(out, "%.4g ms", bar->ms);
  else
    fputs("not timed", out);
  if (bar->kind == PL_BAR_FORM && bar->ms > 0 && bars->ms > 0)
    fprintf(out, "%s %.2fx%s", best ? " <b>" : "", bars->ms / bar->ms,
            best ? "</b>" : "");
  if (bar->note) {
    fputs("<br><span class=\"note\">", out);
    escape(out, bar->note);
    fputs("</span>", out);
  }
  fputs("</td></tr>\n", out);
}

void pl_html_times(FILE *out, const char *caption, const pl_bar *bars,
                   size_t count, double bound) {
  double most = longest(bars, count, bound);
  size_t best = best_of(bars, count);
  fputs("<table class=\"times\"><caption>", out);
  escape(out, caption);
  fputs("</caption>\n", out);
  for (size_t i = 0; i < count; i++)
    print_row(out, &bars[i], i == best, most, bars, bound);
  if (!isnan(bound))
    fprintf(out, "<tr><th scope=\"row\">overlap bound</th><td></td>"
                 "<td class=\"figures\">%.4g ms</td></tr>\n", bound);
  fputs("</table>\n", out);
}

void pl_html_times_legend(FILE *out, bool has_bound) {
  fprintf(out, "<p class=\"small\">The median of a launch: shorter is faster."
               " Thin line: from the least to the most that was measured. *:"
               " what --variant=auto picks.%s</p>\n",
          has_bound ? " Upright mark: the overlap bound, the longer of loads"
                      " alone and compute alone."
                    : "");
}

/* ---- of a record ------------------------------------------------------------ */

static double number_of(const json_t *row, const char *key) {
  json_t *value = json_object_get(row, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

static pl_bar bar_of(const json_t *row) {
  bool proven = pl_tree_is(row, "verdict", "equal");
  return (pl_bar){
      .kind = proven ? PL_BAR_FORM : PL_BAR_BAD,
      .name = pl_tree_text(row, "variant"),
      .ms = number_of(row, "time_ms"),
      .ms_min = number_of(row, "time_ms_min"),
      .ms_max = number_of(row, "time_ms_max"),
      .note = proven ? NULL : pl_tree_text(row, "verdict"),
      .is_auto = json_is_true(json_object_get(row, "auto"))};
}

static double first_number(double known, double found) {
  return isnan(known) ? found : known;
}

static void print_launch(FILE *out, const json_t *rows, size_t first,
                         size_t end) {
  const json_t *row = json_array_get(rows, first);
  pl_bar *bars = pl_alloc(end - first + 1, sizeof *bars);
  double bound = NAN;
  bars[0] = (pl_bar){.kind = PL_BAR_ORIGINAL, .name = "original", .ms = NAN,
                     .ms_min = NAN, .ms_max = NAN};
  for (size_t i = first; i < end; i++) {
    const json_t *each = json_array_get(rows, i);
    bars[i - first + 1] = bar_of(each);
    bars[0].ms = first_number(bars[0].ms, number_of(each, "time_ms_original"));
    bound = first_number(bound, number_of(each, "bound_ms"));
  }
  char *caption = pl_format("%s, launch %lld", pl_tree_text(row, "kernel"),
                            pl_tree_number(row, "launch"));
  pl_html_times(out, caption, bars, end - first + 1, bound);
  free(caption);
  free(bars);
}

static bool same_launch(const json_t *a, const json_t *b) {
  return pl_tree_number(a, "launch") == pl_tree_number(b, "launch") &&
         pl_tree_is(a, "kernel", pl_tree_text(b, "kernel"));
}

void pl_html_times_of_rows(FILE *out, const json_t *rows) {
  size_t count = json_array_size(rows), first = 0;
  bool has_bound = false;
  for (size_t i = 0; i < count; i++) {
    const json_t *row = json_array_get(rows, i);
    has_bound |= !isnan(number_of(row, "bound_ms"));
    if (i + 1 < count && same_launch(row, json_array_get(rows, i + 1)))
      continue;
    print_launch(out, rows, first, i + 1);
    first = i + 1;
  }
  pl_html_times_legend(out, has_bound);
}
