/* select.c - see select.h. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "select.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

enum { MATCH_LIMIT = 100000 };

typedef struct pattern {
  const char *text;
  pcre2_code *code; /* NULL: a name */
} pattern;

struct pl_selection {
  pattern *patterns;
  size_t count;
  pcre2_match_context *limits;
  const char *failed;
};

static const char regex_mark[] = "regex:";

static void say_why(const char *text, int code, size_t offset, FILE *err) {
  PCRE2_UCHAR reason[256];
  pcre2_get_error_message(code, reason, sizeof reason);
  fprintf(err, "pipelinify: error: '%s', character %zu: %s\n", text,
          offset + 1, (const char *)reason);
}

static bool compile(pattern *p, const char *text, FILE *err) {
  p->text = text;
  if (!pl_starts_with(text, regex_mark))
    return true;
  int code;
  PCRE2_SIZE offset;
  const char *expression = text + strlen(regex_mark);
  p->code = pcre2_compile((PCRE2_SPTR)expression, PCRE2_ZERO_TERMINATED, 0,
                          &code, &offset, NULL);
  if (!p->code)
    say_why(expression, code, offset, err);
  return p->code;
}

/* So that no expression takes longer than a moment. */
static pcre2_match_context *new_limits(void) {
  pcre2_match_context *limits = pl_made(pcre2_match_context_create(NULL));
  pcre2_set_match_limit(limits, MATCH_LIMIT);
  return limits;
}

pl_selection *pl_selection_new(const char *const *patterns, size_t count,
                               FILE *err) {
  pl_selection *selection = pl_alloc(1, sizeof *selection);
  selection->patterns = pl_alloc(count, sizeof *selection->patterns);
  selection->count = count;
  selection->limits = new_limits();
  for (size_t i = 0; i < count; i++)
    if (!compile(&selection->patterns[i], patterns[i], err)) {
      pl_selection_free(selection);
      return NULL;
    }
  return selection;
}

void pl_selection_free(pl_selection *selection) {
  if (!selection)
    return;
  for (size_t i = 0; i < selection->count; i++)
    pcre2_code_free(selection->patterns[i].code);
  pcre2_match_context_free(selection->limits);
  free(selection->patterns);
  free(selection);
}

/* `gemm` for `ns::gemm`. */
static const char *unqualified(const char *name) {
  const char *last = name;
  for (const char *colons; (colons = strstr(last, "::"));)
    last = colons + 2;
  return last;
}

static bool regex_matches(pl_selection *selection, const pattern *p,
                          const char *name) {
  pcre2_match_data *data =
      pl_made(pcre2_match_data_create_from_pattern(p->code, NULL));
  int found = pcre2_match(p->code, (PCRE2_SPTR)name, PCRE2_ZERO_TERMINATED, 0,
                          0, data, selection->limits);
  pcre2_match_data_free(data);
  if (found < 0 && found != PCRE2_ERROR_NOMATCH)
    selection->failed = p->text;
  return found >= 0;
}

static bool pattern_matches(pl_selection *selection, const pattern *p,
                            const char *name) {
  if (p->code)
    return regex_matches(selection, p, name);
  return strcmp(name, p->text) == 0 || strcmp(unqualified(name), p->text) == 0;
}

bool pl_selection_matches(const char *name, void *context) {
  pl_selection *selection = context;
  for (size_t i = 0; i < selection->count; i++)
    if (pattern_matches(selection, &selection->patterns[i], name))
      return true;
  return selection->count == 0;
}

const char *pl_selection_failed(const pl_selection *selection) {
  return selection->failed;
}
