/* denials.c - what an attempt asks for, where its loops are, what is denied to them.
 *
 * Needs an attempt. Gives the request for a parse of its text, the text with edits, and
 * loops that may not be rewritten. Raises nothing: who denies says why. */
#include "attempt.h"

pl_parse_request pl_request_for(const char *path, pl_str text,
                                const pl_options *options) {
  return (pl_parse_request){.path = path,
                            .text = text,
                            .args = options->clang_args,
                            .nargs = options->clang_nargs,
                            .cuda_path = options->cuda_path,
                            .arch = options->arch ? options->arch : 80,
                            .precompiled_shim = options->precompiled_shim};
}

pl_str pl_apply_edits(pl_arena *arena, pl_str text, const pl_edit *edits,
                      size_t n) {
  pl_text out = {.arena = arena};
  uint32_t at = 0;
  for (size_t i = 0; i < n; i++) {
    pl_text_add(&out, (pl_str){text.p + at, edits[i].offset - at});
    pl_text_add(&out, (pl_str){edits[i].text, edits[i].text_length});
    at = edits[i].offset + edits[i].length;
  }
  pl_text_add(&out, (pl_str){text.p + at, text.n - at});
  return pl_text_view(&out);
}

pl_range pl_range_in(const pl_attempt *a, const pl_loop *loop) {
  pl_range range = loop->node->range;
  if (loop->unit == a->unit || !a->expanded)
    return range;
  uint32_t begin = pl_offset_in(a->expanded, range.begin);
  return (pl_range){begin, begin + (range.end - range.begin)};
}

void pl_deny(const pl_attempt *a, const pl_loop *loop, bool any,
             const char *id, pl_str message, pl_denials *denied) {
  pl_denial denial = {.loop = loop->node->range.begin, .id = id,
                      .message = message};
  if (loop->condition.end)
    denial.at = loop->condition;
  if (!any && a->options->only == PL_SIDE_BOTH &&
      !loop->denied[loop->variant].n)
    denial.variant = loop->variant;
  PL_PUSH(a->arena, denied->items, denied->n, denied->cap, denial);
}
