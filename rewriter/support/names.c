/* names.c - what are variants, verdicts and reasons called?
 *
 * Needs: pipelinify_forms.def, reasons.def, faults.def, the pages of docs/reasons that are
 * compiled in. Gives:
 * their names, and what a name stands for. Raises nothing. */
#include "pipelinify.h"

#include "embedded.h"

#include <stdio.h>
#include <string.h>

static const char *const variant_names[PL_VARIANTS] = {
    "auto",
#define PL_FORM(file, variant, name, least, most, tried) name,
#define PL_FORM_OF(file, variant, least, most)
#include "pipelinify_forms.def"
#undef PL_FORM
#undef PL_FORM_OF
};

const char *pl_variant_name(pl_variant variant) {
  return variant_names[variant];
}

/* What CUDA calls the functions that write cp.async. */
static const char primitives[] = "primitives";

bool pl_variant_parse(const char *name, pl_variant *variant) {
  if (strcmp(name, primitives) == 0)
    name = pl_variant_name(PL_VARIANT_CP_ASYNC);
  for (size_t i = 0; i < sizeof variant_names / sizeof *variant_names; i++)
    if (strcmp(name, variant_names[i]) == 0) {
      *variant = (pl_variant)i;
      return true;
    }
  return false;
}

const char *pl_verdict_name(pl_verdict verdict) {
  static const char *const names[] = {"pipelined",         "kept",
                                      "refused",           "suppressed",
                                      "already-pipelined", "not-a-tile-loop"};
  return names[verdict];
}

static pl_reason reasons[] = {
#define X(number, name, title) {"PL" #number, name, title, NULL, true},
#include "faults.def"
#undef X
#define X(number, name, title) {"PL" #number, name, title, NULL, false},
#include "reasons.def"
#undef X
};

#define REASON_COUNT (sizeof reasons / sizeof *reasons)

const pl_reason *pl_reasons(size_t *count) {
  for (size_t i = 0; i < REASON_COUNT; i++) {
    char name[64];
    snprintf(name, sizeof name, "reasons/%s.md", reasons[i].id);
    const pl_embedded_file *page = pl_embedded_find(name);
    reasons[i].page = page ? page->data : NULL;
  }
  *count = REASON_COUNT;
  return reasons;
}

const pl_reason *pl_reason_find(const char *id_or_name) {
  size_t n;
  const pl_reason *list = pl_reasons(&n);
  for (size_t i = 0; i < n; i++)
    if (strcmp(list[i].id, id_or_name) == 0 ||
        strcmp(list[i].name, id_or_name) == 0)
      return &list[i];
  return NULL;
}
