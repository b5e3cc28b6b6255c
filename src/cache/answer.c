/* answer.c - see answer.h. */
#include "answer.h"

#include <string.h>

/* What is added to these structures belongs into the functions below, or it
 * would be lost on its way through the cache. */
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(pl_note) == 24, "see note_fields");
_Static_assert(sizeof(pl_loop_report) == 224, "see loop_fields");
_Static_assert(sizeof(pl_kernel_report) == 96, "see kernel_fields");
_Static_assert(sizeof(pl_parameter) == 16, "see parameter_fields");
_Static_assert(sizeof(pl_pragma_report) == 32, "see pragma_fields");
_Static_assert(sizeof(pl_gap) == 48, "see gap_fields");
_Static_assert(sizeof(pl_edit) == 24, "see edit_fields");
#endif

pl_answer pl_answer_from(const pl_result *result) {
  pl_answer answer = {.dump = pl_result_dump(result)};
  answer.text = pl_result_text(result, &answer.length);
  answer.kernels = pl_result_kernels(result, &answer.nkernels);
  answer.pragmas = pl_result_pragmas(result, &answer.npragmas);
  answer.gaps = pl_result_gaps(result, &answer.ngaps);
  answer.edits = pl_result_edits(result, &answer.nedits);
  answer.headers = pl_result_headers(result, &answer.nheaders);
  return answer;
}

/* Codes each item of an array: a copy, so that what is written stays const. */
#define CODE_ITEMS(codec, type, member, count, fields)                         \
  do {                                                                         \
    type *items = pl_code_array(codec, member, &(count), sizeof *items);       \
    for (size_t item = 0; item < (count); item++) {                            \
      type copy = items[item];                                                 \
      fields(codec, &copy);                                                    \
      if ((codec)->reading)                                                    \
        items[item] = copy;                                                    \
    }                                                                          \
    member = items;                                                            \
  } while (0)

static void note_fields(pl_codec *c, pl_note *note) {
  pl_code_unsigned(c, &note->line);
  pl_code_unsigned(c, &note->column);
  pl_code_u32(c, &note->begin);
  pl_code_u32(c, &note->end);
  pl_code_text(c, &note->message);
}

static void verdict_field(pl_codec *c, pl_verdict *verdict) {
  uint32_t number = c->reading ? 0 : (uint32_t)*verdict;
  pl_code_u32(c, &number);
  c->bad |= number > PL_VERDICT_NOT_A_TILE_LOOP;
  *verdict = (pl_verdict)number;
}

static void variant_field(pl_codec *c, pl_variant *variant) {
  uint32_t number = c->reading ? 0 : (uint32_t)*variant;
  pl_code_u32(c, &number);
  c->bad |= number >= PL_VARIANTS;
  *variant = (pl_variant)number;
}

static void loop_place_fields(pl_codec *c, pl_loop_report *loop) {
  pl_code_unsigned(c, &loop->line);
  pl_code_unsigned(c, &loop->column);
  pl_code_u32(c, &loop->begin);
  pl_code_u32(c, &loop->end);
  pl_code_unsigned(c, &loop->at_line);
  pl_code_unsigned(c, &loop->at_column);
  pl_code_u32(c, &loop->at_begin);
  pl_code_u32(c, &loop->at_end);
}

static void loop_figure_fields(pl_codec *c, pl_loop_report *loop) {
  pl_code_i64(c, &loop->smem_before);
  pl_code_i64(c, &loop->smem_after);
  pl_code_i64(c, &loop->smem_limit);
  pl_code_int(c, &loop->registers_before);
  pl_code_int(c, &loop->registers_after);
  pl_code_bool(c, &loop->registers_known);
  pl_code_int(c, &loop->blocks_before);
  pl_code_int(c, &loop->blocks_after);
  pl_code_int(c, &loop->barriers_before);
  pl_code_int(c, &loop->barriers_after);
  pl_code_i64(c, &loop->threads);
  pl_code_i64(c, &loop->loading);
  pl_code_i64(c, &loop->staging_bytes);
  pl_code_double(c, &loop->ratio);
}

static void loop_fields(pl_codec *c, pl_loop_report *loop) {
  loop_place_fields(c, loop);
  verdict_field(c, &loop->verdict);
  pl_code_bool(c, &loop->certain);
  pl_code_text(c, &loop->id);
  pl_code_text(c, &loop->message);
  CODE_ITEMS(c, pl_note, loop->notes, loop->nnotes, note_fields);
  variant_field(c, &loop->variant);
  pl_code_int(c, &loop->stages);
  CODE_ITEMS(c, int, loop->copy_bytes, loop->ncopies, pl_code_int);
  loop_figure_fields(c, loop);
  pl_code_text(c, &loop->measured);
  pl_code_text(c, &loop->why);
  pl_code_text(c, &loop->certificate);
  CODE_ITEMS(c, const char *, loop->premises, loop->npremises, pl_code_text);
}

static void parameter_fields(pl_codec *c, pl_parameter *parameter) {
  pl_code_text(c, &parameter->name);
  pl_code_text(c, &parameter->type);
}

static void kernel_fields(pl_codec *c, pl_kernel_report *kernel) {
  pl_code_text(c, &kernel->name);
  pl_code_unsigned(c, &kernel->line);
  CODE_ITEMS(c, const char *, kernel->instantiations, kernel->ninstantiations,
             pl_code_text);
  pl_code_bool(c, &kernel->is_global);
  pl_code_text(c, &kernel->fingerprint);
  CODE_ITEMS(c, pl_parameter, kernel->parameters, kernel->nparameters,
             parameter_fields);
  CODE_ITEMS(c, pl_loop_report, kernel->loops, kernel->nloops, loop_fields);
  pl_code_text(c, &kernel->dynamic_smem);
  pl_code_int(c, &kernel->layers);
}

static void pragma_fields(pl_codec *c, pl_pragma_report *pragma) {
  pl_code_unsigned(c, &pragma->line);
  pl_code_unsigned(c, &pragma->column);
  pl_code_u32(c, &pragma->begin);
  pl_code_u32(c, &pragma->end);
  pl_code_text(c, &pragma->message);
  pl_code_bool(c, &pragma->unmet);
}

static void gap_fields(pl_codec *c, pl_gap *gap) {
  uint32_t kind = c->reading ? 0 : (uint32_t)gap->kind;
  pl_code_u32(c, &kind);
  c->bad |= kind > PL_GAP_STOP;
  gap->kind = (pl_gap_kind)kind;
  pl_code_unsigned(c, &gap->line);
  pl_code_unsigned(c, &gap->column);
  pl_code_u32(c, &gap->begin);
  pl_code_u32(c, &gap->end);
  pl_code_text(c, &gap->what);
  pl_code_text(c, &gap->kernels);
  pl_code_text(c, &gap->flags);
}

static void edit_fields(pl_codec *c, pl_edit *edit) {
  pl_code_u32(c, &edit->offset);
  pl_code_u32(c, &edit->length);
  pl_code_bytes(c, &edit->text, &edit->text_length);
}

void pl_answer_fields(pl_codec *c, pl_answer *answer) {
  CODE_ITEMS(c, pl_kernel_report, answer->kernels, answer->nkernels,
             kernel_fields);
  CODE_ITEMS(c, pl_pragma_report, answer->pragmas, answer->npragmas,
             pragma_fields);
  CODE_ITEMS(c, pl_gap, answer->gaps, answer->ngaps, gap_fields);
  CODE_ITEMS(c, pl_edit, answer->edits, answer->nedits, edit_fields);
  CODE_ITEMS(c, const char *, answer->headers, answer->nheaders,
             pl_code_text);
}

/* Edits in order, inside of the source. */
static bool edits_fit(const pl_answer *answer, size_t length, size_t *grown) {
  size_t at = 0;
  *grown = length;
  for (size_t i = 0; i < answer->nedits; i++) {
    const pl_edit *edit = &answer->edits[i];
    if (edit->offset < at || edit->offset > length ||
        edit->length > length - edit->offset)
      return false;
    at = (size_t)edit->offset + edit->length;
    *grown += edit->text_length - edit->length;
  }
  return true;
}

bool pl_answer_make_text(pl_answer *answer, const pl_source *source,
                         pl_arena *arena) {
  size_t at = 0;
  if (!edits_fit(answer, source->length, &answer->length))
    return false;
  char *text = pl_arena_alloc(arena, answer->length + 1), *out = text;
  for (size_t i = 0; i < answer->nedits; i++) {
    const pl_edit *edit = &answer->edits[i];
    memcpy(out, source->text + at, edit->offset - at);
    out += edit->offset - at;
    memcpy(out, edit->text, edit->text_length);
    out += edit->text_length;
    at = (size_t)edit->offset + edit->length;
  }
  memcpy(out, source->text + at, source->length - at);
  answer->text = text;
  return true;
}
