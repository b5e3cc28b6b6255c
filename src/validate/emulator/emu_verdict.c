/* emu_verdict.c - from tallies to a verdict for each launch and rewritten form,
 * and how it is told. See emu.h.
 *
 * Before: emu_findings.c. */
#include "emu.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  int exit_code;
} PROOFS[] = {
    [PL_PROOF_EQUAL] = {"equal", 0},
    [PL_PROOF_NO_CASES] = {"no size set", 4},
    [PL_PROOF_UNDESCRIBED] = {"not described", 4},
    [PL_PROOF_GPU_ONLY] = {"GPU-only: inline asm", 4},
    [PL_PROOF_NOT_BUILT] = {"original does not build for the emulator", 4},
    [PL_PROOF_TOO_LONG] = {"original does not end in the emulator", 4},
    [PL_PROOF_NONDETERMINISTIC] = {"nondeterministic", 4},
    [PL_PROOF_ORIGINAL_FAULTY] = {"original-faulty", 3},
    [PL_PROOF_BUILD_FAILED] = {"build-failed", 3},
    [PL_PROOF_UNINITIALISED] = {"uninitialised shared read", 3},
    [PL_PROOF_DIFFERS] = {"differs", 3},
    [PL_PROOF_RACE] = {"race", 3},
    [PL_PROOF_IN_FLIGHT] = {"in-flight", 3},
    [PL_PROOF_DIVERGENCE] = {"divergence", 3},
    [PL_PROOF_OUT_OF_BOUNDS] = {"out-of-bounds", 3},
    [PL_PROOF_FAULT] = {"fault", 3},
};

const char *pl_proof_name(pl_proof p) { return PROOFS[p].name; }

int pl_proof_exit_code(pl_proof p) { return PROOFS[p].exit_code; }

/* The first error line of a compiler's log. */
static pl_str first_error(pl_emu *p, const pl_emu_object *o) {
  pl_str log;
  if (!pl_emu_read(p->arena, o->log, &log))
    return PL_STR("no compiler output");
  char *text = pl_arena_cstr(p->arena, log);
  char *error = strstr(text, "error:");
  char *from = error ? error : text;
  while (from > text && from[-1] != '\n')
    from--;
  return (pl_str){from, strcspn(from, "\n")};
}

/* The error, and the toolkit's headers that it may come from. */
static pl_str build_error(pl_emu *p, const pl_emu_object *o) {
  pl_text text = {.arena = p->arena};
  pl_text_add(&text, first_error(p, o));
  for (size_t i = 0; i < p->n_unknown; i++)
    pl_text_printf(&text, "%s<%.*s>",
                   i ? ", " : "; what the emulator does not have: ",
                   PL_FMT(p->unknown[i]));
  return pl_text_view(&text);
}

static bool is_asm_error(pl_emu *p, const pl_emu_object *o) {
  pl_str log;
  return o->has_asm && pl_emu_read(p->arena, o->log, &log) &&
         pl_str_has(log, "pl_ptx_");
}

static pl_proof build_verdict(pl_emu *p, const pl_emu_object *o,
                              bool original) {
  if (o->built)
    return PL_PROOF_EQUAL;
  if (is_asm_error(p, o))
    return PL_PROOF_GPU_ONLY;
  return original ? PL_PROOF_NOT_BUILT : PL_PROOF_BUILD_FAILED;
}

/* Uninitialised reads that the original makes too are the original's own; where
 * its results hang on them, nothing can be compared. */
static pl_proof variant_verdict(const pl_emu_tally *original,
                                const pl_emu_tally *variant) {
  bool faulty = original->worst > PL_PROOF_UNINITIALISED;
  if (faulty ||
      (original->worst == PL_PROOF_UNINITIALISED && original->wavers))
    return PL_PROOF_ORIGINAL_FAULTY;
  if (original->worst == PL_PROOF_NONDETERMINISTIC ||
      original->worst == PL_PROOF_TOO_LONG)
    return original->worst;
  if (variant->worst == PL_PROOF_UNINITIALISED &&
      original->worst == PL_PROOF_UNINITIALISED)
    return PL_PROOF_EQUAL;
  return variant->worst;
}

static pl_proof verdict(pl_emu *p, size_t launch, size_t object_index,
                        pl_str *why) {
  pl_proof built = build_verdict(p, &p->objects[0], true);
  const pl_emu_object *blamed = &p->objects[0];
  if (built == PL_PROOF_EQUAL) {
    blamed = &p->objects[object_index];
    built = build_verdict(p, blamed, false);
  }
  if (built != PL_PROOF_EQUAL) {
    *why = build_error(p, blamed);
    return built;
  }
  if (p->case_errors[launch]) {
    *why = (pl_str){p->case_errors[launch], strlen(p->case_errors[launch])};
    return PL_PROOF_UNDESCRIBED;
  }
  if (pl_emu_count_cases(p, launch) == 0)
    return PL_PROOF_NO_CASES;
  if (!pl_emu_tally_of(p, launch, 0)->runs) {
    *why = PL_STR("the emulator ended before its first run");
    return PL_PROOF_NOT_BUILT;
  }
  return variant_verdict(pl_emu_tally_of(p, launch, 0),
                         pl_emu_tally_of(p, launch, object_index));
}

/* Findings of the kind that gave the verdict come first. */
static void print_details(pl_emu *p, const pl_emu_tally *t,
                          const char *prefix) {
  size_t most = p->req->verbosity > 0 ? PL_EMU_DETAILS : 4, shown = 0;
  for (int worst = 1; worst >= 0; worst--)
    for (size_t i = 0; i < t->n_details && shown < most; i++)
      if ((t->details[i].proof == t->worst) == worst) {
        fprintf(p->out, "  %s%.*s\n", prefix, PL_FMT(t->details[i].text));
        shown++;
      }
  if (t->n_details > most)
    fprintf(p->out, "  (%zu more)\n", t->n_details - most);
}

static bool blames_original(pl_proof v) {
  return v == PL_PROOF_ORIGINAL_FAULTY || v == PL_PROOF_NONDETERMINISTIC ||
         v == PL_PROOF_TOO_LONG;
}

static void print_verdict(pl_emu *p, size_t launch, size_t object_index,
                          pl_proof v, pl_str why) {
  const pl_launch *l = p->launches[launch];
  const pl_emu_tally *t = pl_emu_tally_of(p, launch, object_index);
  if (p->req->verbosity < 0 && v == PL_PROOF_EQUAL)
    return;
  fprintf(p->out, "emulated: %s: %s: %s", l->kernel,
          p->objects[object_index].label, PROOFS[v].name);
  if (t->runs)
    fprintf(p->out, " (%u size sets, %u runs)", t->cases, t->runs);
  fprintf(p->out, "\n");
  if (why.n)
    fprintf(p->out, "  %.*s\n", PL_FMT(why));
  const pl_emu_tally *original = pl_emu_tally_of(p, launch, 0);
  if (blames_original(v) || p->req->verbosity > 0)
    print_details(p, original, "original: ");
  if (!blames_original(v) && (v != PL_PROOF_EQUAL || p->req->verbosity > 0))
    print_details(p, t, "");
}

static const char *first_detail(pl_emu *p, const pl_emu_tally *t) {
  size_t best = 0;
  for (size_t i = t->n_details; i-- > 0;)
    if (t->details[i].proof == t->worst)
      best = i;
  return pl_arena_cstr(p->arena, t->details[best].text);
}

static void tell(pl_emu *p, size_t launch, size_t object_index, pl_proof v,
                 pl_str why) {
  const pl_validate_request *req = p->req;
  const pl_emu_tally *t =
      pl_emu_tally_of(p, launch, blames_original(v) ? 0 : object_index);
  const char *text = why.n          ? pl_arena_cstr(p->arena, why)
                     : t->n_details ? first_detail(p, t)
                                    : "";
  if (req->verdict)
    req->verdict(req->context, p->launches[launch],
                 &req->variants[object_index - 1], v, text);
}

/* 3 beats 4 beats 0: a finding is worth more than what could not be run. */
int pl_emu_report(pl_emu *p) {
  bool found = false, unproven = false;
  for (size_t l = 0; l < p->n_launches; l++)
    for (size_t o = 1; o < p->n_objects; o++) {
      pl_str why = {0};
      pl_proof v = verdict(p, l, o, &why);
      print_verdict(p, l, o, v, why);
      tell(p, l, o, v, why);
      found |= pl_proof_exit_code(v) == 3;
      unproven |= pl_proof_exit_code(v) == 4;
    }
  return found ? 3 : unproven ? 4 : 0;
}
