/* explain.c - see explain.h. */
#include "explain.h"

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

static void print_page(const pl_reason *reason, FILE *out) {
  if (reason->page)
    fputs(reason->page, out);
  else
    fprintf(out, "# %s: %s (%s)\n", reason->id, reason->title, reason->name);
}

int pl_explain(const char *id, FILE *out, FILE *err) {
  const pl_reason *reason = pl_reason_find(id);
  if (reason) {
    print_page(reason, out);
    return 0;
  }
  const char *nearest = nearest_reason(id);
  fprintf(err, "pipelinify: error: no reason '%s'", id);
  if (nearest)
    fprintf(err, "; did you mean '%s'?", nearest);
  fputc('\n', err);
  return 2;
}
