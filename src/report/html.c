/* html.c - the report as one page that needs no network and no script: where it is
 * from, a table of all loops, then each of them, and what changed. What can be folded is a <details>, which the keyboard opens too. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "html_diff.h"
#include "html_index.h"
#include "html_page.h"
#include "html_svg.h"
#include "html_timeline.h"
#include "html_times.h"
#include "memory.h"
#include "report_tree.h"
#include "text.h"

typedef struct page {
  FILE *out;
  json_t *file;   /* that is open; NULL: none */
  json_t *kernel; /* whose heading stands there */
} page;

static void escape(FILE *out, const char *text) {
  pl_html_escape(out, text, strlen(text));
}

typedef struct tally {
  long long pipelined, refused, other;
} tally;

static void count_loop(void *context, const pl_report_place *place) {
  tally *t = context;
  if (pl_tree_is(place->loop, "verdict", "pipelined"))
    t->pipelined++;
  else if (pl_tree_is(place->loop, "verdict", "refused"))
    t->refused++;
  else
    t->other++;
}

static void print_head(FILE *out, const pl_report *report) {
  tally t = {0, 0, 0};
  pl_report_each_loop(report, count_loop, &t);
  pl_html_open(out, "pipelinify report");
  pl_html_origin(out, pl_report_command(report), pl_report_date(report));
  fprintf(out,
          "<ul class=\"counts\"><li><b>%zu</b> files</li><li><b class=\"pipelined\">%lld</b> loops"
          " pipelined</li><li><b class=\"refused\">%lld</b> refused</li>"
          "<li><b>%lld</b> left as they are</li></ul>\n",
          json_array_size(pl_report_files(report)), t.pipelined,
          t.refused, t.other);
}

/* The start of a line, from 1; NULL behind the last one. */
static const char *find_line(pl_bytes source, long long line) {
  const char *at = source.data, *end = source.data + source.size;
  for (; line > 1 && at; line--) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    at = newline ? newline + 1 : NULL;
  }
  return at && at < end ? at : NULL;
}

static void print_line(FILE *out, pl_bytes source, long long number,
                       bool marked) {
  const char *line = find_line(source, number);
  if (!line)
    return;
  size_t rest = (size_t)(source.data + source.size - line);
  const char *newline = memchr(line, '\n', rest);
  size_t length = newline ? (size_t)(newline - line) : rest;
  while (length && line[length - 1] == '\r')
    length--;
  fprintf(out, "%s%5lld  ", marked ? "<mark>" : "", number);
  pl_html_escape(out, line, length);
  fputs(marked ? "</mark>\n" : "\n", out);
}

enum { CONTEXT_LINES = 3 };

static void print_excerpt(FILE *out, pl_bytes source, long long line) {
  if (!source.data || !find_line(source, line))
    return;
  long long first = line > CONTEXT_LINES ? line - CONTEXT_LINES : 1;
  fputs("<pre tabindex=\"0\">", out);
  for (long long i = first; i <= line + CONTEXT_LINES; i++)
    print_line(out, source, i, i == line);
  fputs("</pre>\n", out);
}

static void print_note(FILE *out, const json_t *note) {
  fprintf(out, "<li>line %lld: ", pl_tree_number(note, "line"));
  escape(out, pl_tree_text(note, "message"));
  fputs("</li>\n", out);
}

static void print_notes(FILE *out, const json_t *loop) {
  json_t *note, *notes = json_object_get(loop, "notes");
  size_t i;
  if (!json_array_size(notes))
    return;
  fputs("<ul>\n", out);
  json_array_foreach(notes, i, note)
    print_note(out, note);
  fputs("</ul>\n", out);
}

static void print_figure(FILE *out, const json_t *loop, const char *title,
                         const char *before, const char *after) {
  long long a = pl_tree_number(loop, before), b = pl_tree_number(loop, after);
  if (a >= 0 && b >= 0)
    fprintf(out, "<tr><th scope=\"row\">%s</th><td>%lld &rarr; %lld</td></tr>"
                 "\n", title, a, b);
}

static void print_figures(FILE *out, const json_t *loop) {
  json_t *ratio = json_object_get(loop, "ratio");
  fputs("<table class=\"facts\">\n", out);
  print_figure(out, loop, "Shared bytes a block", "smem_before", "smem_after");
  print_figure(out, loop, "Blocks a multiprocessor", "blocks_before",
               "blocks_after");
  if (json_is_number(ratio))
    fprintf(out, "<tr><th scope=\"row\">Operations a byte loaded</th>"
                 "<td>%.3g</td></tr>\n", json_number_value(ratio));
  fputs("</table>\n", out);
}

static void print_why(FILE *out, const json_t *loop) {
  const char *why = pl_tree_text(loop, "why");
  if (!*why)
    return;
  fputs("<p>Chosen because: ", out);
  escape(out, why);
  fputs("</p>\n", out);
}

static const char *reason_title(const char *id) {
  const pl_reason *reason = *id ? pl_reason_find(id) : NULL;
  return reason ? reason->title : "";
}

static void print_summary(FILE *out, const json_t *loop) {
  const char *verdict = pl_tree_text(loop, "verdict");
  const char *id = pl_tree_text(loop, "id");
  char *sentence = pl_tree_sentence(loop);
  fprintf(out, "<summary><span class=\"tag %s\">%s</span> line %lld: ",
          verdict, verdict, pl_tree_number(loop, "line"));
  escape(out, sentence);
  if (*id)
    fprintf(out, " <span class=\"small\">[%s]</span>", id);
  fputs("</summary>\n", out);
  free(sentence);
}

static void print_refusal(FILE *out, const pl_report_place *place) {
  const char *id = pl_tree_text(place->loop, "id");
  pl_bytes source = pl_report_source(place->report, place->file_index);
  long long line = pl_tree_number(place->loop, "at_line");
  print_excerpt(out, source,
                line > 0 ? line : pl_tree_number(place->loop, "line"));
  print_notes(out, place->loop);
  if (*id)
    fprintf(out, "<p class=\"small\">%s: %s. <code>pipelinify --explain %s"
                 "</code> says what helps.</p>\n",
            id, reason_title(id), id);
  free(source.data);
}

static void print_pipelined(FILE *out, const pl_report_place *place) {
  const json_t *loop = place->loop;
  print_why(out, loop);
  pl_html_timeline(out, loop);
  print_figures(out, loop);
  pl_svg_budget(out, loop, pl_tree_number(place->file, "arch"));
  print_notes(out, loop);
}

/* "cp.async, 3 stages, 1.50x" */
static void print_choice(FILE *out, const json_t *measured) {
  long long stages = pl_tree_number(measured, "stages");
  double speedup = json_number_value(json_object_get(measured, "speedup"));
  escape(out, pl_tree_text(measured, "variant"));
  if (stages > 0)
    fprintf(out, ", %lld stages", stages);
  if (speedup > 0 && !pl_tree_is(measured, "variant", "original"))
    fprintf(out, ", %.2fx", speedup);
}

static void print_measured(FILE *out, const json_t *measured) {
  if (!json_is_object(measured))
    return;
  fputs("<details open><summary><span class=\"tag\">measured</span> on ", out);
  escape(out, pl_tree_text(measured, "gpu"));
  fputs(", CUDA ", out);
  escape(out, pl_tree_text(measured, "cuda"));
  fputs(": ", out);
  print_choice(out, measured);
  fputs("</summary><div class=\"body\">\n", out);
  pl_html_times_of_rows(out, json_object_get(measured, "rows"));
  fputs("</div></details>\n", out);
}

static void open_kernel(page *p, const pl_report_place *place) {
  if (p->kernel == place->kernel)
    return;
  p->kernel = place->kernel;
  fputs("<h3><code>", p->out);
  escape(p->out, pl_tree_text(place->kernel, "name"));
  fprintf(p->out, "</code> <span class=\"small\">line %lld</span></h3>\n",
          pl_tree_number(place->kernel, "line"));
  print_measured(p->out, json_object_get(place->kernel, "measured"));
}

static void print_loop(page *p, const pl_report_place *place,
                       const char *anchor) {
  bool pipelined = pl_tree_is(place->loop, "verdict", "pipelined");
  bool refused = pl_tree_is(place->loop, "verdict", "refused");
  open_kernel(p, place);
  fprintf(p->out, "<details id=\"%s\"%s>", anchor,
          pipelined || refused ? " open" : "");
  print_summary(p->out, place->loop);
  fputs("<div class=\"body\">\n", p->out);
  if (pipelined)
    print_pipelined(p->out, place);
  else
    print_refusal(p->out, place);
  fputs("</div></details>\n", p->out);
}

static void print_loops(page *p, pl_report_place place) {
  size_t k, i;
  json_array_foreach(json_object_get(place.file, "kernels"), k, place.kernel)
    json_array_foreach(json_object_get(place.kernel, "loops"), i, place.loop) {
      char *anchor = pl_html_anchor(place.file_index, k, i);
      print_loop(p, &place, anchor);
      free(anchor);
    }
}

static void print_file(page *p, pl_report_place place) {
  const char *error = pl_tree_text(place.file, "error");
  fprintf(p->out, "<h2 id=\"f%zu\">", place.file_index);
  escape(p->out, pl_tree_text(place.file, "path"));
  fputs("</h2>\n", p->out);
  if (*error) {
    fputs("<p><span class=\"tag failed\">failed</span> ", p->out);
    escape(p->out, error);
    fputs("</p>\n", p->out);
  }
  print_notes(p->out, place.file);
  print_loops(p, place);
  pl_html_diff(p->out, place.report, place.file_index);
}

pl_bytes pl_html_text(const pl_report *report) {
  pl_bytes text;
  page p = {.out = pl_open_text(&text.data, &text.size)};
  pl_report_place place = {.report = report};
  print_head(p.out, report);
  pl_html_index(p.out, report);
  json_array_foreach(pl_report_files(report), place.file_index, place.file)
    if (pl_html_has_part(place.file))
      print_file(&p, place);
  pl_html_close(p.out);
  fclose(p.out);
  return text;
}
