/* tried_forms.c - see tried_forms.h. */
#include "tried_forms.h"

#include "memory.h"

#include <stdio.h>
#include <string.h>

static size_t add(pl_tried_form *forms, size_t n, pl_variant variant, int stages,
                  const char *joint) {
  if (n == PL_MOST_TRIED)
    return n;
  const char *name = pl_variant_name(variant);
  forms[n] = (pl_tried_form){.variant = variant, .stages = stages};
  if (stages)
    snprintf(forms[n].label, sizeof forms[n].label, "%s%s%d", name, joint, stages);
  else
    snprintf(forms[n].label, sizeof forms[n].label, "%s", name);
  return n + 1;
}

static size_t add_variant(pl_tried_form *forms, size_t n, pl_variant variant,
                          int deepest, const char *joint) {
  int least = pl_variant_least(variant), most = pl_variant_most(variant);
  if (least == most)
    return add(forms, n, variant, 0, joint);
  for (int stages = least; stages <= most && stages <= deepest; stages++)
    n = add(forms, n, variant, stages, joint);
  return n;
}

size_t pl_tried_forms(pl_tried_form *forms, int deepest, const char *joint) {
  size_t n = 0;
  for (pl_variant v = PL_VARIANT_AUTO + 1; v < PL_VARIANTS; v++)
    if (pl_variant_is_tried(v))
      n = add_variant(forms, n, v, deepest, joint);
  return n;
}

size_t pl_with_asked_form(pl_tried_form *forms, size_t n, pl_variant variant,
                          int deepest, const char *joint) {
  bool asked = variant != PL_VARIANT_AUTO && !pl_variant_is_tried(variant);
  return asked ? add_variant(forms, n, variant, deepest, joint) : n;
}

/* Of the first `of`, each once more under a longer label. */
static size_t with_each(pl_tried_form *forms, size_t n, size_t of, const char *suffix) {
  for (size_t i = 0; i < of && n < PL_MOST_TRIED; i++) {
    pl_tried_form *form = &forms[n++];
    *form = forms[i];
    size_t length = strnlen(form->label, 20);
    form->bounds = strcmp(suffix, "-lb") == 0;
    form->padding = strcmp(suffix, "-rp") == 0;
    memcpy(form->label + length, suffix, strlen(suffix) + 1);
  }
  return n;
}

size_t pl_with_axes(pl_tried_form *forms, size_t n, bool bounds, bool padding) {
  size_t all = bounds ? with_each(forms, n, n, "-lb") : n;
  return padding ? with_each(forms, all, n, "-rp") : all;
}

bool pl_tried_label(const char *label, const char *joint, pl_tried_form *form) {
  pl_tried_form all[PL_MOST_TRIED];
  for (pl_variant v = PL_VARIANT_AUTO; v < PL_VARIANTS; v++) {
    size_t n = add_variant(all, 0, v, pl_variant_most(v), joint);
    n = pl_with_axes(all, n, true, true);
    for (size_t i = 0; i < n; i++)
      if (strcmp(label, all[i].label) == 0) {
        *form = all[i];
        return true;
      }
  }
  return false;
}

pl_kernel_shape *pl_shapes_of_result(const pl_result *result, size_t *n) {
  size_t count;
  const pl_kernel_report *kernels = pl_result_kernels(result, &count);
  pl_kernel_shape *list = pl_alloc(count + 1, sizeof *list);
  *n = 0;
  for (size_t i = 0; i < count; i++) {
    const char *colon = strrchr(kernels[i].name, ':');
    if (kernels[i].dynamic_smem || kernels[i].layers > 1)
      list[(*n)++] =
          (pl_kernel_shape){.name = colon ? colon + 1 : kernels[i].name,
                            .bytes = kernels[i].dynamic_smem,
                            .layers = kernels[i].layers};
  }
  return list;
}
