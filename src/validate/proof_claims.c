/* proof_claims.c - see proof_claims.h. */
#include "proof_claims.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "program.h"
#include "text.h"

typedef struct claims {
  json_t *proven, *tested, *unknown;
} claims;

static claims new_claims(void) {
  return (claims){pl_made(json_array()), pl_made(json_array()),
                  pl_made(json_array())};
}

/* `text` is taken. Text that came from elsewhere may not be UTF-8, which JSON is. */
static void say(json_t *list, char *text) {
  json_t *value = json_string(text);
  json_array_append_new(list, value ? value : json_string("?"));
  free(text);
}

static void say_all(json_t *list, const char *const *texts, size_t n) {
  for (size_t i = 0; i < n; i++)
    say(list, pl_format("%s", texts[i]));
}

static void keep(json_t *entry, claims c) {
  json_object_set_new(entry, "proven", c.proven);
  json_object_set_new(entry, "tested", c.tested);
  json_object_set_new(entry, "unknown", c.unknown);
}

/* ---- what is known for all sizes ------------------------------------------ */

static bool is_certified(const pl_loop_report *loop) {
  return loop->verdict == PL_VERDICT_PIPELINED && loop->certificate &&
         strcmp(loop->certificate, "shown") == 0;
}

/* "the loop at line 12 is right for every number of tiles (certificate; it rests on: no
 * data race: stated)" */
static char *certificate_text(const pl_loop_report *loop) {
  char *text = pl_format("the loop at line %u is right for every number of tiles "
                         "(certificate", loop->line);
  for (size_t i = 0; i < loop->npremises; i++) {
    char *more = pl_format("%s%s%s", text, i ? "; " : "; it rests on: ",
                           loop->premises[i]);
    free(text);
    text = more;
  }
  char *whole = pl_format("%s)", text);
  free(text);
  return whole;
}

/* Of the loops of the launched kernel, and of functions, which it may call. */
static void add_certificates(claims *c, const pl_result *form,
                             const char *kernel) {
  size_t n;
  const pl_kernel_report *kernels = pl_result_kernels(form, &n);
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < kernels[k].nloops; i++)
      if (is_certified(&kernels[k].loops[i]) &&
          (!kernels[k].is_global || strcmp(pl_unqualified(kernels[k].name), kernel) == 0))
        say(c->proven, certificate_text(&kernels[k].loops[i]));
}

/* ---- the emulator --------------------------------------------------------- */

static const char *const watched[] = {
    "no race between threads of a block",
    "no barrier that a part of a block does not reach",
    "no access out of bounds or misaligned",
    "no byte of a copy in flight is used",
};
static const char *const watched_alone[] = {
    "nothing is read that nothing has written",
    "the results are the same in every order of threads that was run",
};
static const char open_sizes[] = "sizes and inputs that were not run";
static const char *const open_of_blocks[] = {
    "conflicts between blocks",
    "conflicts between blocks, which atomics or fences may order",
};
static const char *const open_of_pairs[] = {
    "whether nvcc rounds a product and its sum alike in both",
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void add_runs(claims *c, const pl_verdict_row *row) {
  if (row->runs)
    say(c->tested, pl_format("%u size sets, %u runs in the emulator",
                             row->size_sets, row->runs));
}

static void add_open_blocks(claims *c, const pl_verdict_row *row) {
  bool is_form = row->variant && !row->variant->launches;
  if (!row->blocks_watched)
    say(c->unknown, pl_format("%s", open_of_blocks[!is_form]));
}

static void add_fine(claims *c, const pl_verdict_row *row) {
  if (row->variant)
    say(c->tested, pl_format("the same bits in every buffer"));
  say_all(c->tested, watched, COUNT(watched));
  if (!row->variant)
    say_all(c->tested, watched_alone, COUNT(watched_alone));
  if (row->blocks_watched)
    say(c->tested, pl_format("no conflict between blocks"));
  say(c->unknown, pl_format("%s", open_sizes));
  add_open_blocks(c, row);
  if (row->variant)
    say_all(c->unknown, open_of_pairs, COUNT(open_of_pairs));
}

static void add_doubts(claims *c, const pl_verdict_row *row) {
  if (row->ended_line)
    say(c->unknown, pl_format("GPUs before sm_70: threads have ended before the "
                              "others reach the barrier at line %d",
                              row->ended_line));
  if (row->left_out)
    say(c->unknown, pl_format("%u size sets that the second kernel's own "
                              "description leaves out", row->left_out));
}

void pl_proof_claims_add(json_t *entry, const pl_verdict_row *row,
                         const pl_result *form) {
  claims c = new_claims();
  int code = row->code;
  if (form)
    add_certificates(&c, form, row->launch->name);
  add_runs(&c, row);
  if (code == PL_EXIT_FINE)
    add_fine(&c, row);
  else if (code == PL_EXIT_PROOF_FAILED)
    say(c.unknown, pl_format("what else is wrong"));
  else
    say(c.unknown, pl_format("whether they are equal: %s%s%s",
                             pl_proof_name(row->proof),
                             row->detail && *row->detail ? ": " : "",
                             row->detail ? row->detail : ""));
  add_doubts(&c, row);
  keep(entry, c);
}

/* ---- a GPU ---------------------------------------------------------------- */

static void add_tools(claims *c, const pl_result_row *row) {
  for (size_t i = 0; i < row->n_tools; i++)
    say(c->tested, pl_format("compute-sanitizer, %s: %s", row->tools[i].tool,
                             row->tools[i].said));
  if (!row->n_tools)
    say(c->unknown, pl_format("races: compute-sanitizer was not asked"));
}

void pl_proof_claims_add_gpu(json_t *entry, const pl_result_row *row,
                             const char *gpu) {
  claims c = new_claims();
  if (row->sizes_run > 0)
    say(c.tested, pl_format("%.0f size sets on %s%s", row->sizes_run,
                            gpu ? gpu : "a GPU",
                            row->outcome == PL_OUTCOME_EQUAL
                                ? ": the same bits in every buffer"
                                : ""));
  add_tools(&c, row);
  if (row->outcome == PL_OUTCOME_EQUAL)
    say_all(c.unknown, (const char *const[]){open_sizes,
                                             "other GPUs and compilers"}, 2);
  else if (row->outcome == PL_OUTCOME_FINDING)
    say(c.unknown, pl_format("what else is wrong"));
  else
    say(c.unknown, pl_format("whether they are equal: %s", row->verdict));
  keep(entry, c);
}

void pl_proof_claims_add_program(json_t *entry, int code, const char *detail) {
  claims c = new_claims();
  if (code == PL_EXIT_FINE)
    say(c.tested, pl_format("launches of the program: %s", detail ? detail : ""));
  say(c.unknown, pl_format(code == PL_EXIT_NOT_PROVEN
                               ? "whether they are equal"
                               : "launches that the program did not make"));
  keep(entry, c);
}
