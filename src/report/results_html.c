/* results_html.c - see results_html.h. */
#define _GNU_SOURCE
#include "results_html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_page.h"
#include "html_svg.h"
#include "html_times.h"
#include "memory.h"
#include "text.h"

static void escape(FILE *out, const char *text) {
  pl_html_escape(out, text, strlen(text));
}

static void print_device(FILE *out, const pl_results *results) {
  static const char *const names[] = {"name", "arch", "cuda", "driver"};
  static const char *const leads[] = {"", ", ", ", CUDA ", ", driver "};
  fputs("<p>", out);
  for (int i = 0; i < 4; i++) {
    const char *text = pl_results_device(results, names[i]);
    if (text) {
      fputs(leads[i], out);
      escape(out, text);
    }
  }
  fputs(pl_results_ran(results) ? "</p>\n" : "Nothing was run on a GPU.</p>\n",
        out);
}

static void print_counts(FILE *out, const pl_results *results) {
  size_t n, counts[3] = {0};
  const pl_result_row *rows = pl_results_rows(results, &n);
  for (size_t i = 0; i < n; i++)
    counts[rows[i].outcome]++;
  fprintf(out,
          "<ul class=\"counts\"><li><b class=\"pipelined\">%zu</b> equal</li>"
          "<li><b class=\"refused\">%zu</b> findings</li><li><b>%zu</b> not"
          " proven</li></ul>\n",
          counts[PL_OUTCOME_EQUAL], counts[PL_OUTCOME_FINDING],
          counts[PL_OUTCOME_OPEN]);
}

/* ---- one launch --------------------------------------------------------------- */

/* Its bars and the notes that they hold. */
typedef struct table {
  pl_bar *bars;
  char **notes;
  size_t count;
} table;

static void add_bar(table *t, pl_bar_kind kind, const char *name,
                    const pl_measured *m, char *note, bool is_auto) {
  t->notes[t->count] = note;
  t->bars[t->count++] = (pl_bar){kind, name, m->ms, m->ms_min, m->ms_max, note,
                                 is_auto};
}

/* How near the form comes to the bound, or why its time says nothing. */
static char *note_of(const pl_results *results, const pl_result_row *row) {
  bool by_tool = row->outcome == PL_OUTCOME_FINDING &&
                 strcmp(row->verdict, "equal") == 0;
  if (row->outcome != PL_OUTCOME_EQUAL)
    return pl_format("%s%s%s", by_tool ? "compute-sanitizer" : row->verdict,
                     row->detail ? ": " : "", row->detail ? row->detail : "");
  pl_overlap overlap = pl_results_overlap(results, row);
  if (isnan(overlap.efficiency))
    return NULL;
  if (isnan(overlap.gain_share))
    return pl_format("efficiency %.2f", overlap.efficiency);
  return pl_format("efficiency %.2f, %.0f%% of the possible gain",
                   overlap.efficiency, 100 * overlap.gain_share);
}

static void add_sides(table *t, const pl_results *results,
                      const pl_result_row *row) {
  for (int i = 0; i < 2; i++) {
    const pl_result_side *side = pl_results_side(results, row, i == 1);
    if (side)
      add_bar(t, PL_BAR_SIDE, i ? "compute alone" : "loads alone",
              &side->figures,
              side->detail ? pl_format("%s", side->detail) : NULL, false);
  }
}

static const pl_result_row *timed(const pl_result_row *rows, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (rows[i].original.ms > 0)
      return &rows[i];
  return rows;
}

static void print_launch(FILE *out, const pl_results *results,
                         const pl_result_row *rows, size_t n) {
  table t = {pl_alloc(n + 3, sizeof *t.bars), pl_alloc(n + 3, sizeof *t.notes),
             0};
  add_bar(&t, PL_BAR_ORIGINAL, "original", &timed(rows, n)->original, NULL,
          false);
  for (size_t i = 0; i < n; i++)
    add_bar(&t,
            rows[i].outcome == PL_OUTCOME_EQUAL ? PL_BAR_FORM : PL_BAR_BAD,
            rows[i].variant, &rows[i].form, note_of(results, &rows[i]),
            rows[i].is_auto);
  add_sides(&t, results, rows);
  char *caption = pl_format("%s, launch %d", rows->kernel, rows->launch);
  pl_html_times(out, caption, t.bars, t.count,
                pl_results_overlap(results, rows).bound);
  free(caption);
  for (size_t i = 0; i < t.count; i++)
    free(t.notes[i]);
  free(t.notes);
  free(t.bars);
}

/* ---- the page ----------------------------------------------------------------- */

static bool same_launch(const pl_result_row *a, const pl_result_row *b) {
  return a->launch == b->launch && strcmp(a->id, b->id) == 0;
}

static void print_rows(FILE *out, const pl_results *results) {
  size_t n, first = 0, sides;
  const pl_result_row *rows = pl_results_rows(results, &n);
  pl_results_sides(results, &sides);
  for (size_t i = 0; i < n; i++) {
    if (i + 1 < n && same_launch(&rows[i], &rows[i + 1]))
      continue;
    if (!first || strcmp(rows[first - 1].id, rows[first].id) != 0) {
      fputs("<h2>", out);
      escape(out, rows[first].id);
      fputs("</h2>\n", out);
    }
    print_launch(out, results, &rows[first], i + 1 - first);
    first = i + 1;
  }
  if (n)
    pl_html_times_legend(out, sides > 0);
}

pl_bytes pl_results_html(const pl_results *results, const char *command,
                         const char *date) {
  pl_bytes text;
  FILE *out = pl_open_text(&text.data, &text.size);
  pl_html_open(out, "pipelinify results");
  pl_html_origin(out, command, date);
  print_device(out, results);
  print_counts(out, results);
  print_rows(out, results);
  pl_html_close(out);
  fclose(out);
  return text;
}
