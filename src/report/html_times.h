/* html_times.h - measured times as bars: every form against the original, and the
 * bound that overlap cannot pass. */
#ifndef PL_HTML_TIMES_H
#define PL_HTML_TIMES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum pl_bar_kind {
  PL_BAR_ORIGINAL,
  PL_BAR_FORM,
  PL_BAR_SIDE, /* loads or compute alone */
  PL_BAR_BAD   /* a form that is not proven: its time says nothing */
} pl_bar_kind;

typedef struct pl_bar {
  pl_bar_kind kind;
  const char *name;
  double ms, ms_min, ms_max; /* NAN: not timed, or the spread is not known */
  const char *note;          /* behind the figures; NULL */
  bool is_auto;              /* what --variant=auto picks */
} pl_bar;

/* A table, a bar a row. The first is the original's; `bound` in ms, NAN: not
 * known. `caption` is escaped here. */
void pl_html_times(FILE *out, const char *caption, const pl_bar *bars,
                   size_t count, double bound);

/* What the bars mean, once a page or a group of tables. */
void pl_html_times_legend(FILE *out, bool has_bound);

/* Tables of the rows of a record (docs/records.md), one a launch. */
void pl_html_times_of_rows(FILE *out, const json_t *rows);

#endif
