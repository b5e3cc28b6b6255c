/* html_diff.c - see html_diff.h.
 *
 * Needs the source and the edits that the report keeps beside its tree. Gives the
 * diff that --diff prints, a class a kind of line. Raises nothing. */
#include "html_diff.h"

#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "html_svg.h"
#include "memory.h"

/* The source with its edits made. */
static pl_bytes rewritten(pl_bytes source, const pl_report_edit *edits,
                          size_t count) {
  pl_bytes text;
  FILE *out = pl_open_text(&text.data, &text.size);
  size_t at = 0;
  for (size_t i = 0; i < count; i++) {
    fwrite(source.data + at, 1, edits[i].offset - at, out);
    fwrite(edits[i].text.data, 1, edits[i].text.size, out);
    at = edits[i].offset + edits[i].length;
  }
  fwrite(source.data + at, 1, source.size - at, out);
  fclose(out);
  return text;
}

static const char *class_of(const char *line) {
  switch (*line) {
  case '+': return "add";
  case '-': return "del";
  case '@': return "hunk";
  default: return NULL;
  }
}

static void print_line(FILE *out, const char *line, size_t length) {
  const char *class = class_of(line);
  if (class)
    fprintf(out, "<span class=\"%s\">", class);
  pl_html_escape(out, line, length);
  fputs(class ? "</span>\n" : "\n", out);
}

/* The first two lines name the file, which the heading does. */
static void print_lines(FILE *out, const char *text) {
  for (int number = 0; *text; number++) {
    size_t n = strcspn(text, "\n"), length = n;
    while (length && text[length - 1] == '\r')
      length--;
    if (number > 1)
      print_line(out, text, length);
    text += n + (text[n] == '\n');
  }
}

static void print_diff(FILE *out, const char *path, pl_bytes before,
                       pl_bytes after) {
  char *text;
  size_t size;
  FILE *diff = pl_open_text(&text, &size);
  bool differs = pl_diff_print(diff, path, before.data, before.size, after.data,
                               after.size);
  fclose(diff);
  if (differs) {
    fputs("<details><summary>What changed in this file</summary>"
          "<div class=\"body\"><pre class=\"diff\" tabindex=\"0\">",
          out);
    print_lines(out, text);
    fputs("</pre></div></details>\n", out);
  }
  free(text);
}

void pl_html_diff(FILE *out, const pl_report *report, size_t file) {
  const json_t *object = json_array_get(pl_report_files(report), file);
  pl_bytes source = pl_report_source(report, file);
  size_t count;
  if (!source.data)
    return;
  pl_report_edit *edits = pl_report_edits(report, file, &count);
  pl_bytes after = rewritten(source, edits, count);
  if (count)
    print_diff(out, pl_tree_text(object, "path"), source, after);
  free(after.data);
  pl_report_edits_free(edits, count);
  free(source.data);
}
