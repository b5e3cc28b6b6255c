/* explain.c - see explain.h. */
#include "explain.h"

#include <string.h>
#include <strings.h>

#include "pipelinify.h"
#include "text.h"

/* The ID or name that the user may have meant, or NULL. */
static const char *nearest_reason(const char *id) {
  size_t count;
  const pl_reason *reasons = pl_reasons(&count);
  pl_suggestion suggestion = {.wanted = id};
  for (size_t i = 0; i < count; i++) {
    pl_suggest(&suggestion, reasons[i].id);
    pl_suggest(&suggestion, reasons[i].name);
  }
  return suggestion.best;
}

/* A heading without its marks, in bold; other lines as they are. The pages are
 * filled to 80 columns already. */
static void print_bold(const char *line, size_t length, FILE *out) {
  size_t marks = strspn(line, "#");
  if (!marks || line[marks] != ' ') {
    fwrite(line, 1, length, out);
    return;
  }
  size_t skipped = marks + 1;
  fprintf(out, "\033[1m%.*s\033[0m", (int)(length - skipped),
          line + skipped);
}

static void print_bold_page(const char *page, FILE *out) {
  while (*page) {
    size_t length = strcspn(page, "\n");
    print_bold(page, length, out);
    fputs(page[length] ? "\n" : "", out);
    page += length + (page[length] != '\0');
  }
}

static void print_page(const pl_reason *reason, bool bold, FILE *out) {
  if (reason->page && bold)
    print_bold_page(reason->page, out);
  else if (reason->page)
    fputs(reason->page, out);
  else
    fprintf(out, "# %s: %s (%s)\n", reason->id, reason->title, reason->name);
}

/* "PL2003", "pl2003" and "2003" are one. */
static const pl_reason *find_reason(const char *id) {
  size_t count;
  const pl_reason *reasons = pl_reasons(&count);
  const char *number = strncasecmp(id, "PL", 2) == 0 ? id + 2 : id;
  for (size_t i = 0; i < count; i++)
    if (strcmp(reasons[i].id + 2, number) == 0)
      return &reasons[i];
  return pl_reason_find(id);
}

int pl_explain(const char *id, bool bold, FILE *out, FILE *err) {
  const pl_reason *reason = find_reason(id);
  if (reason) {
    print_page(reason, bold, out);
    return 0;
  }
  const char *nearest = nearest_reason(id);
  fprintf(err, "pipelinify: error: no reason '%s'", id);
  if (nearest)
    fprintf(err, "; did you mean '%s'?", nearest);
  else
    fputs("; remarks end with one, such as PL3001", err);
  fputc('\n', err);
  return 2;
}
