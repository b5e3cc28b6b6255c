/* html_index.c - see html_index.h.
 *
 * Needs the report's tree. Gives a table and a folded list. Raises nothing. */
#include "html_index.h"

#include <stdlib.h>
#include <string.h>

#include "html_svg.h"
#include "text.h"

static void escape(FILE *out, const char *text) {
  pl_html_escape(out, text, strlen(text));
}

static bool has_loops(const json_t *file) {
  size_t k;
  json_t *kernel;
  json_array_foreach(json_object_get(file, "kernels"), k, kernel) {
    if (json_array_size(json_object_get(kernel, "loops")))
      return true;
  }
  return false;
}

bool pl_html_has_part(const json_t *file) {
  return has_loops(file) || *pl_tree_text(file, "error") ||
         json_array_size(json_object_get(file, "notes"));
}

char *pl_html_anchor(size_t file, size_t kernel, size_t loop) {
  return pl_format("f%zuk%zul%zu", file, kernel, loop);
}

/* ---- rows ------------------------------------------------------------------- */

/* A file's own row, above those of its loops. */
static void print_file(FILE *out, const json_t *file, size_t index, int columns) {
  fprintf(out, "<tr><th scope=\"rowgroup\" colspan=\"%d\"><a href=\"#f%zu\">",
          columns, index);
  escape(out, pl_tree_text(file, "path"));
  fputs("</a>", out);
  if (*pl_tree_text(file, "error"))
    fputs(" <span class=\"tag failed\">failed</span>", out);
  fputs("</th></tr>\n", out);
}

static void print_form(FILE *out, const json_t *loop) {
  long long stages = pl_tree_number(loop, "stages");
  const char *id = pl_tree_text(loop, "id");
  if (pl_tree_is(loop, "verdict", "pipelined")) {
    escape(out, pl_tree_text(loop, "variant"));
    if (stages > 0)
      fprintf(out, ", %lld stage%s", stages, stages == 1 ? "" : "s");
  } else if (*id) {
    escape(out, id);
  }
}

static void print_shared(FILE *out, const json_t *loop) {
  long long before = pl_tree_number(loop, "smem_before");
  long long after = pl_tree_number(loop, "smem_after");
  if (before >= 0 && after >= 0 && before != after)
    fprintf(out, "%lld &rarr; %lld B", before, after);
}

static void print_speedup(FILE *out, const json_t *kernel) {
  json_t *measured = json_object_get(kernel, "measured");
  double speedup = json_number_value(json_object_get(measured, "speedup"));
  if (speedup > 0)
    fprintf(out, "%.2fx", speedup);
}

static void print_row(FILE *out, const json_t *kernel, const json_t *loop,
                      const char *anchor, bool measured) {
  const char *verdict = pl_tree_text(loop, "verdict");
  fprintf(out, "<tr><td><a href=\"#%s\"><code>", anchor);
  escape(out, pl_tree_text(kernel, "name"));
  fprintf(out, "</code></a> <span class=\"small\">line %lld</span></td>",
          pl_tree_number(loop, "line"));
  fprintf(out, "<td><span class=\"tag %s\">%s</span></td><td>", verdict, verdict);
  print_form(out, loop);
  fputs("</td><td class=\"wide figures\">", out);
  print_shared(out, loop);
  fputs("</td>", out);
  if (measured) {
    fputs("<td class=\"figures\">", out);
    print_speedup(out, kernel);
    fputs("</td>", out);
  }
  fputs("</tr>\n", out);
}

static void print_loops(FILE *out, const json_t *file, size_t index,
                        bool measured) {
  size_t k, i;
  json_t *kernel, *loop;
  json_array_foreach(json_object_get(file, "kernels"), k, kernel)
    json_array_foreach(json_object_get(kernel, "loops"), i, loop) {
      char *anchor = pl_html_anchor(index, k, i);
      print_row(out, kernel, loop, anchor, measured);
      free(anchor);
    }
}

/* ---- files without a loop ---------------------------------------------------- */

static void print_rest(FILE *out, const pl_report *report) {
  size_t i, n = 0;
  json_t *file;
  json_array_foreach(pl_report_files(report), i, file)
    n += !pl_html_has_part(file);
  if (!n)
    return;
  fprintf(out, "<details><summary>%zu file%s without a tile loop</summary>"
               "<div class=\"body\"><ul>\n", n, n == 1 ? "" : "s");
  json_array_foreach(pl_report_files(report), i, file) {
    if (pl_html_has_part(file))
      continue;
    fputs("<li>", out);
    escape(out, pl_tree_text(file, "path"));
    if (json_is_true(json_object_get(file, "ignored")))
      fputs(" <span class=\"small\">(.pipelinify-ignore names it)</span>", out);
    fputs("</li>\n", out);
  }
  fputs("</ul></div></details>\n", out);
}

/* What the table needs to know of all files. */
typedef struct extent {
  bool listed, measured; /* any */
} extent;

static extent look(const pl_report *report) {
  extent e = {false, false};
  size_t i, k;
  json_t *file, *kernel;
  json_array_foreach(pl_report_files(report), i, file) {
    e.listed |= pl_html_has_part(file);
    json_array_foreach(json_object_get(file, "kernels"), k, kernel)
      e.measured |= json_is_object(json_object_get(kernel, "measured"));
  }
  return e;
}

static void print_table(FILE *out, const pl_report *report, bool measured) {
  size_t i;
  json_t *file;
  fputs("<table class=\"index\"><thead><tr><th scope=\"col\">Kernel</th>"
        "<th scope=\"col\">Loop</th><th scope=\"col\">Form</th>"
        "<th scope=\"col\" class=\"wide\">Shared memory</th>",
        out);
  fprintf(out, "%s</tr></thead><tbody>\n",
          measured ? "<th scope=\"col\">Measured</th>" : "");
  json_array_foreach(pl_report_files(report), i, file) {
    if (!pl_html_has_part(file))
      continue;
    print_file(out, file, i, measured ? 5 : 4);
    print_loops(out, file, i, measured);
  }
  fputs("</tbody></table>\n", out);
}

void pl_html_index(FILE *out, const pl_report *report) {
  extent e = look(report);
  if (e.listed)
    print_table(out, report, e.measured);
  print_rest(out, report);
}
