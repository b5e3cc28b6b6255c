/* emu_verdict.c - from tallies to a verdict for each launch and rewritten form,
 * and how it is told. See emu.h.
 *
 * Before: emu_findings.c. */
#include "emu.h"

#include <stdio.h>
#include <string.h>

#include "program.h"

static const struct {
  const char *name;
  int exit_code;
} PROOFS[] = {
    [PL_PROOF_EQUAL] = {"equal", 0},
    [PL_PROOF_CLEAN] = {"clean", 0},
    [PL_PROOF_NO_CASES] = {"no size set", 4},
    [PL_PROOF_UNDESCRIBED] = {"not described", 4},
    [PL_PROOF_GPU_ONLY] = {"GPU-only: inline asm", 4},
    [PL_PROOF_NOT_BUILT] = {"original does not build for the emulator", 4},
    [PL_PROOF_TOO_LONG] = {"original does not end in the emulator", 4},
    [PL_PROOF_NONDETERMINISTIC] = {"nondeterministic", 4},
    [PL_PROOF_ORIGINAL_FAULTY] = {"original-faulty", 3},
    [PL_PROOF_OTHER_SIGNATURE] = {"other parameters", 2},
    [PL_PROOF_BUILD_FAILED] = {"build-failed", 3},
    [PL_PROOF_UNWRITTEN] = {"unwritten read", 3},
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

/* What of the original stands in the way of every form; PL_PROOF_EQUAL: nothing.
 * What it reads unwritten is its own; where its results hang on that, nothing can
 * be compared. */
static pl_proof original_verdict(const pl_emu_tally *t) {
  if (t->worst > PL_PROOF_UNINITIALISED || t->worst == PL_PROOF_UNWRITTEN ||
      (t->worst == PL_PROOF_UNINITIALISED && t->wavers))
    return PL_PROOF_ORIGINAL_FAULTY;
  if (t->worst == PL_PROOF_NONDETERMINISTIC || t->worst == PL_PROOF_TOO_LONG)
    return t->worst;
  return PL_PROOF_EQUAL;
}

/* A verdict on a launch that no form has a part in; PL_PROOF_EQUAL: there is
 * none. */
static pl_proof launch_verdict(pl_emu *p, size_t launch, pl_str *why) {
  pl_proof built = build_verdict(p, &p->objects[0], true);
  if (built != PL_PROOF_EQUAL) {
    *why = build_error(p, &p->objects[0]);
    return built;
  }
  if (p->case_errors[launch]) {
    *why = (pl_str){p->case_errors[launch], strlen(p->case_errors[launch])};
    return PL_PROOF_UNDESCRIBED;
  }
  if (pl_emu_count_cases(p, launch) == 0) {
    if (p->left_out[launch])
      *why = PL_STR("the other kernel's own 'requires' or grid leaves out all");
    return PL_PROOF_NO_CASES;
  }
  if (!pl_emu_tally_of(p, launch, 0)->runs) {
    *why = PL_STR("the emulator ended before its first run");
    return PL_PROOF_NOT_BUILT;
  }
  return p->n_objects > 1 ? original_verdict(pl_emu_tally_of(p, launch, 0))
                          : PL_PROOF_EQUAL;
}

static pl_proof variant_verdict(pl_emu *p, size_t launch, size_t object_index,
                                pl_str *why) {
  const pl_emu_object *o = &p->objects[object_index];
  pl_proof built = build_verdict(p, o, false);
  if (built != PL_PROOF_EQUAL) {
    *why = build_error(p, o);
    return built;
  }
  pl_proof worst = pl_emu_tally_of(p, launch, object_index)->worst;
  bool inherited =
      worst == PL_PROOF_UNINITIALISED &&
      pl_emu_tally_of(p, launch, 0)->worst == PL_PROOF_UNINITIALISED;
  return inherited ? PL_PROOF_EQUAL : worst;
}

static pl_proof alone_verdict(const pl_emu_tally *t) {
  return t->worst == PL_PROOF_EQUAL ? PL_PROOF_CLEAN : t->worst;
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

static const pl_emu_detail *first_detail(const pl_emu_tally *t) {
  for (size_t i = 0; i < t->n_details; i++)
    if (t->details[i].proof == t->worst)
      return &t->details[i];
  return t->n_details ? &t->details[0] : NULL;
}

/* "in b.cu thread 33 of block 1,0 writes it last: b.cu:40" */
static void print_writer(pl_emu *p, size_t launch, size_t object_index,
                         const pl_emu_writer *w) {
  const char *path = p->objects[object_index].path;
  if (!w->told)
    return;
  fprintf(p->out, "    in %s ", path);
  if (!w->found) {
    fprintf(p->out, "nothing writes it\n");
    return;
  }
  pl_str block = pl_emu_block_text(p, launch, object_index, w->block);
  fprintf(p->out, "thread %d of %.*s writes it last", w->thread, PL_FMT(block));
  if (w->place)
    fprintf(p->out, ": %s", w->place);
  fprintf(p->out, "\n");
}

/* GPUs older than sm_70 may wait for ever there. */
static void print_short(pl_emu *p, size_t object_index, const pl_emu_tally *t) {
  if (!t->short_line || (!p->req->strict && p->req->verbosity < 1))
    return;
  fprintf(p->out,
          "  note: %s:%d: of %d threads %d have ended before the others reach "
          "this barrier%s%.*s%s: sm_70 and newer do not wait for them\n",
          p->objects[object_index].path, t->short_line, t->short_threads,
          t->short_ended, t->short_sizes.n ? " [" : "", PL_FMT(t->short_sizes),
          t->short_sizes.n ? "]" : "");
}

static void print_head(pl_emu *p, size_t launch, const char *label, pl_proof v,
                       const pl_emu_tally *t, pl_str why) {
  fprintf(p->out, "emulated: %s: ", p->launches[launch]->kernel);
  if (label)
    fprintf(p->out, "%s: ", label);
  fprintf(p->out, "%s", PROOFS[v].name);
  if (t->runs)
    fprintf(p->out, " (%u size sets, %u runs)", t->cases, t->runs);
  fprintf(p->out, "\n");
  if (why.n)
    fprintf(p->out, "  %.*s\n", PL_FMT(why));
}

static bool is_quiet(const pl_emu *p, pl_proof v) {
  return p->req->verbosity < 0 && PROOFS[v].exit_code == 0;
}

/* The original is to blame, or nothing could be run: said once, for all forms. */
static void print_launch(pl_emu *p, size_t launch, pl_proof v, pl_str why) {
  const pl_emu_tally *t = pl_emu_tally_of(p, launch, 0);
  print_head(p, launch, NULL, v, t, why);
  if (t->runs)
    print_details(p, t, "original: ");
}

static void print_alone(pl_emu *p, size_t launch, pl_proof v) {
  const pl_emu_tally *t = pl_emu_tally_of(p, launch, 0);
  if (is_quiet(p, v))
    return;
  print_head(p, launch, "alone", v, t, (pl_str){0});
  print_details(p, t, "");
  print_short(p, 0, t);
}

/* "as fast<64> of fast.cu" where a person wrote it. */
static const char *label_of(pl_emu *p, size_t launch, size_t object_index) {
  const pl_emu_object *o = &p->objects[object_index];
  if (!p->req->variants[object_index - 1].launches)
    return o->label;
  const char *kernel = pl_emu_launch_of(p, launch, object_index)->kernel;
  bool same_file = strcmp(o->path, p->objects[0].path) == 0;
  return pl_arena_printf(p->arena, "as %s%s%s", kernel, same_file ? "" : " of ",
                         same_file ? "" : o->path).p;
}

static void print_variant(pl_emu *p, size_t launch, size_t object_index,
                          pl_proof v, pl_str why) {
  const pl_emu_tally *t = pl_emu_tally_of(p, launch, object_index);
  const pl_emu_tally *original = pl_emu_tally_of(p, launch, 0);
  if (is_quiet(p, v))
    return;
  print_head(p, launch, label_of(p, launch, object_index), v, t, why);
  if (p->req->verbosity > 0)
    print_details(p, original, "original: ");
  if (v != PL_PROOF_EQUAL || p->req->verbosity > 0)
    print_details(p, t, "");
  if (v == PL_PROOF_DIFFERS) {
    print_writer(p, launch, object_index, &t->writer);
    print_writer(p, launch, 0, &t->original_writer);
  }
  print_short(p, 0, original);
  print_short(p, object_index, t);
}

/* Where the first finding was seen; a difference, where it was written. */
static pl_counterexample example_of(const pl_emu_detail *d,
                                    const pl_emu_tally *t) {
  pl_counterexample at = d->at;
  if (d->proof == PL_PROOF_DIFFERS && t->writer.found) {
    at.has_block = true;
    memcpy(at.block, t->writer.block, sizeof at.block);
    at.thread = t->writer.thread;
    at.place = t->writer.place;
  }
  return at;
}

/* `blamed`: the object whose findings gave the verdict. */
static void tell(pl_emu *p, size_t launch, size_t object_index, size_t blamed,
                 pl_proof v, pl_str why) {
  const pl_validate_request *req = p->req;
  const pl_emu_tally *t = pl_emu_tally_of(p, launch, blamed);
  const pl_emu_detail *d = why.n ? NULL : first_detail(t);
  pl_counterexample at;
  if (!req->verdict)
    return;
  if (d && d->at.sizes)
    at = example_of(d, t);
  bool shown = d && d->at.sizes && v != PL_PROOF_EQUAL && v != PL_PROOF_CLEAN;
  req->verdict(
      req->context,
      &(pl_verdict_row){
          .launch = p->launches[launch],
          .variant = object_index ? &req->variants[object_index - 1] : NULL,
          .variant_kernel =
              object_index ? pl_emu_launch_of(p, launch, object_index)->kernel
                           : NULL,
          .proof = v,
          .code = PROOFS[v].exit_code,
          .detail = why.n ? pl_arena_cstr(p->arena, why)
                    : d   ? pl_arena_cstr(p->arena, d->text)
                          : "",
          .size_sets = t->cases,
          .runs = t->runs,
          .left_out = p->left_out[launch],
          .ended_line = t->short_line,
          .blocks_watched = req->strict && !t->blocks_ordered,
          .counterexample = shown ? &at : NULL});
}

static void report_launch(pl_emu *p, size_t launch, pl_proof v, pl_str why) {
  print_launch(p, launch, v, why);
  for (size_t o = p->n_objects > 1; o < p->n_objects; o++)
    tell(p, launch, o, 0, v, why);
}

static pl_proof report_object(pl_emu *p, size_t launch, size_t o) {
  pl_str why = {0};
  pl_proof v;
  if (o == 0) {
    v = alone_verdict(pl_emu_tally_of(p, launch, 0));
    print_alone(p, launch, v);
  } else {
    v = variant_verdict(p, launch, o, &why);
    print_variant(p, launch, o, v, why);
  }
  tell(p, launch, o, o, v, why);
  return v;
}

int pl_emu_report(pl_emu *p) {
  int code = 0;
  for (size_t l = 0; l < p->n_launches; l++) {
    pl_str why = {0};
    pl_proof v = launch_verdict(p, l, &why);
    if (v != PL_PROOF_EQUAL)
      report_launch(p, l, v, why);
    for (size_t o = p->n_objects > 1;
         v == PL_PROOF_EQUAL && o < p->n_objects; o++)
      pl_note_exit(&code, PROOFS[report_object(p, l, o)].exit_code);
    pl_note_exit(&code, PROOFS[v].exit_code);
  }
  return code;
}
