/* taken_proof.c - see taken_proof.h. */
#include "taken_proof.h"

#include <stdlib.h>

#include "memory.h"
#include "text.h"

/* A row whose texts last. */
typedef struct verdict {
  size_t launch;
  pl_verdict_row row;
  char *detail;
} verdict;

/* One run of all launches, and what it said. */
typedef struct trial {
  pl_launch_list *launches;
  verdict *verdicts;
  size_t n;
  char *text;
  size_t size;
  int code;
} trial;

/* It says nothing of the rewritten form: the launch may not be the program's. */
static bool blames_launch(const verdict *v) {
  if (!v->row.variant)
    return pl_proof_exit_code(v->row.proof) != PL_EXIT_FINE;
  switch (v->row.proof) {
  case PL_PROOF_NO_CASES:
  case PL_PROOF_UNDESCRIBED:
  case PL_PROOF_TOO_LONG:
  case PL_PROOF_NONDETERMINISTIC:
  case PL_PROOF_ORIGINAL_FAULTY: return true;
  default: return false;
  }
}

static void note(void *context, const pl_verdict_row *row) {
  trial *t = context;
  t->verdicts = pl_resize(t->verdicts, t->n + 1, sizeof *t->verdicts);
  verdict *v = &t->verdicts[t->n++];
  *v = (verdict){(size_t)(row->launch - t->launches->launches), *row,
                 pl_format("%s", row->detail ? row->detail : "")};
  v->row.detail = v->detail;
  v->row.counterexample = NULL; /* a guess is no launch of the program's */
  if (v->row.code == PL_EXIT_PROOF_FAILED && blames_launch(v))
    v->row.code = PL_EXIT_NOT_PROVEN;
}

static trial run(const pl_validate_request *request, const pl_taken *taken,
                 const pl_taken_form *forms) {
  trial t = {.launches = pl_taken_launches(taken, PL_TAKEN_SMALL, forms)};
  pl_validate_request now = *request;
  now.launches = t.launches;
  now.kernel = NULL;
  now.verdict = note;
  now.context = &t;
  FILE *out = pl_open_text(&t.text, &t.size);
  t.code = pl_validate_cpu(&now, out);
  fclose(out);
  return t;
}

static void free_trial(trial *t) {
  for (size_t i = 0; i < t->n; i++)
    free(t->verdicts[i].detail);
  free(t->verdicts);
  free(t->text);
  pl_launch_list_free(t->launches);
}

/* False: all stay small. */
static bool choose(const trial *t, pl_taken_form *forms) {
  bool again = false;
  for (size_t i = 0; i < t->n; i++)
    if (blames_launch(&t->verdicts[i])) {
      forms[t->verdicts[i].launch] = PL_TAKEN_FEW;
      again = true;
    }
  return again;
}

/* What the original is wrong for may never be launched so. */
static void say_wrong(const pl_validate_request *request, const trial *t,
                      FILE *err) {
  char *file = pl_launch_file_of(request->path);
  bool wrong = false;
  for (size_t i = 0; i < t->n; i++)
    wrong |= t->verdicts[i].row.proof == PL_PROOF_ORIGINAL_FAULTY ||
             (!t->verdicts[i].row.variant && blames_launch(&t->verdicts[i]));
  if (wrong)
    fprintf(err,
            "%s: note: not proven: what was taken is not how the program "
            "launches it, or the kernel is wrong; --init writes %s, to be "
            "corrected\n",
            request->path, pl_base_name(file));
  free(file);
}

static int code_of(const trial *t) {
  bool found = false;
  for (size_t i = 0; i < t->n; i++)
    found |= t->verdicts[i].row.code == PL_EXIT_PROOF_FAILED;
  return t->code == PL_EXIT_PROOF_FAILED && !found ? PL_EXIT_NOT_PROVEN
                                                   : t->code;
}

static void tell(const pl_validate_request *request, const trial *t,
                 const pl_launch *launches) {
  for (size_t i = 0; i < t->n && request->verdict; i++) {
    pl_verdict_row row = t->verdicts[i].row;
    row.launch = &launches[t->verdicts[i].launch];
    request->verdict(request->context, &row);
  }
}

int pl_prove_taken(const pl_validate_request *request, const pl_taken *taken,
                   bool quiet, pl_streams streams) {
  pl_taken_form *forms = pl_alloc(taken->n_whole + 1, sizeof *forms);
  trial t = run(request, taken, forms);
  if (choose(&t, forms)) {
    free_trial(&t);
    t = run(request, taken, forms);
  }
  if (!quiet)
    pl_taken_say(taken, request->path, forms, streams.err);
  fputs(t.text, streams.out);
  if (!quiet)
    say_wrong(request, &t, streams.err);
  tell(request, &t, t.launches->launches);
  int code = code_of(&t);
  free_trial(&t);
  free(forms);
  return code;
}
