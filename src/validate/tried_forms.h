/* tried_forms.h - the forms that are proven, or measured, where none is named.
 *
 * A variant of one number of stages is one form, called as the variant is; of one
 * that has some, each number is: "cp.async-s3". */
#ifndef PL_TRIED_FORMS_H
#define PL_TRIED_FORMS_H

#include "launch.h"
#include "pipelinify.h"

typedef struct pl_tried_form {
  pl_variant variant;
  int stages; /* 0: the variant's own */
  bool bounds; /* with launch bounds; the label ends with "-lb" */
  bool padding; /* with --row-padding=auto: "-rp" */
  char label[32];
} pl_tried_form;

enum { PL_MOST_TRIED = 96 };

/* Those of up to `deepest` stages into an array of PL_MOST_TRIED, and how many;
 * `joint` stands between the variant's name and its stages: "-s". */
size_t pl_tried_forms(pl_tried_form *forms, int deepest, const char *joint);
/* Adds each of them with launch bounds that leave more registers, and each with padding
 * behind the rows of tiles; how many there are then. */
size_t pl_with_axes(pl_tried_form *forms, size_t n, bool bounds, bool padding);
/* Adds those of a variant that is asked for and is not tried by itself; how many there
 * are then. */
size_t pl_with_asked_form(pl_tried_form *forms, size_t n, pl_variant variant,
                          int deepest, const char *joint);
/* What such a label stands for; false: it is none. */
bool pl_tried_label(const char *label, const char *joint, pl_tried_form *form);
/* The kernels that are launched in another way once they are rewritten, and how many.
 * Free with free; its strings are the result's. */
pl_kernel_shape *pl_shapes_of_result(const pl_result *result, size_t *n);

#endif
