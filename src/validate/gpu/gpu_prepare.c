/* gpu_prepare.c - see gpu_prepare.h. */
#include "gpu_prepare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bundle.h"
#include "grids.h"
#include "launch_input.h"
#include "launch_taken.h"
#include "memory.h"
#include "output.h"
#include "precompiled.h"
#include "proof_flags.h"
#include "settings.h"
#include "text.h"
#include "tried_forms.h"

enum { FORMS = PL_MOST_TRIED + 1, DEEPEST = 8 };


/* What only a bundle has: kernels of which one side is left, to be timed. */
static const struct {
  pl_side only;
  const char *label;
} all_sides[] = {{PL_SIDE_LOADS, "loads-alone"},
                 {PL_SIDE_COMPUTE, "compute-alone"}};

enum { SIDES = sizeof all_sides / sizeof *all_sides };

typedef struct preparer {
  const pl_command *command;
  /* Whose labels the bundle has. */
  pl_tried_form tried[PL_MOST_TRIED], named[PL_VARIANTS];
  size_t n_tried;
  pl_options options;
  pl_precompiled *precompiled;
  pl_validate_flags flags;
  pl_bundle *bundle;
  pl_gpu_packing *packing;
  pl_streams streams;
  size_t files, forms; /* that went in */
  int worst;
} preparer;

/* One input and what it is rewritten to. */
typedef struct input {
  const char *path;
  pl_bytes source;
  pl_launch_list *launches;
  pl_result *results[FORMS];
  pl_bundle_form forms[FORMS];
  bool *launch_flags[FORMS];
  pl_bundle_barriers *barriers[FORMS];
  pl_kernel_shape *shapes[FORMS];
  size_t n;
  pl_result *side_results[SIDES];
  pl_bundle_side sides[SIDES];
  bool *side_flags[SIDES];
  size_t n_sides;
  int64_t blocks;    /* of the smallest target, a multiprocessor */
  int64_t in_flight[3][PL_VARIANTS]; /* tiles of a multiprocessor, of the deepest form */
} input;

static void say_error(preparer *p, int code, const char *path,
                      const char *reason) {
  fprintf(p->streams.err, "pipelinify: error: %s: %s\n", path, reason);
  pl_note_exit(&p->worst, code);
}

static void say_note(preparer *p, const char *path, const char *text) {
  if (!p->command->quiet)
    fprintf(p->streams.err, "%s: note: %s\n", path, text);
}

/* --- forms ---------------------------------------------------------------- */

/* The first loop of a kernel that was rewritten; NULL: none was. */
static const pl_loop_report *first_pipelined(const pl_kernel_report *kernel) {
  for (size_t i = 0; i < kernel->nloops; i++)
    if (kernel->loops[i].verdict == PL_VERDICT_PIPELINED)
      return &kernel->loops[i];
  return NULL;
}

/* May the launch meet a rewritten loop? Any kernel may call any function. */
static bool is_reached(const pl_kernel_report *kernel, const pl_launch *l) {
  return first_pipelined(kernel) &&
         (!kernel->is_global ||
          strcmp(pl_unqualified(kernel->name), l->name) == 0);
}

static bool *reached_launches(const input *in, const pl_result *result) {
  size_t n;
  const pl_kernel_report *kernels = pl_result_kernels(result, &n);
  bool *reached = pl_alloc(in->launches->n + 1, sizeof *reached);
  for (size_t i = 0; i < in->launches->n; i++)
    for (size_t k = 0; k < n; k++)
      reached[i] |= is_reached(&kernels[k], &in->launches->launches[i]);
  return reached;
}

/* A loop beside the pipelined ones may be the machine code's main loop. */
static bool encloses_pipelined(const pl_kernel_report *kernel,
                               const pl_loop_report *outer) {
  for (size_t i = 0; i < kernel->nloops; i++)
    if (kernel->loops[i].verdict == PL_VERDICT_PIPELINED &&
        kernel->loops[i].begin > outer->begin &&
        kernel->loops[i].end <= outer->end)
      return true;
  return false;
}

/* What all pipelined loops of a kernel agree on; false: they do not, or there
 * are loops that were left. */
static bool common_barriers(const pl_kernel_report *kernel,
                            pl_bundle_barriers *b) {
  for (size_t i = 0; i < kernel->nloops; i++) {
    const pl_loop_report *loop = &kernel->loops[i];
    if (loop->verdict != PL_VERDICT_PIPELINED) {
      if (!encloses_pipelined(kernel, loop))
        return false;
      continue;
    }
    bool other = b->before && (b->before != loop->barriers_before ||
                               b->after != loop->barriers_after);
    if (!loop->barriers_before || other)
      return false;
    *b = (pl_bundle_barriers){loop->barriers_before, loop->barriers_after};
  }
  return true;
}

/* Of each launch, as far as all loops that it may meet agree. */
static pl_bundle_barriers *find_barriers(const input *in,
                                         const pl_result *result) {
  size_t n;
  const pl_kernel_report *kernels = pl_result_kernels(result, &n);
  pl_bundle_barriers *all = pl_alloc(in->launches->n + 1, sizeof *all);
  for (size_t i = 0; i < in->launches->n; i++) {
    bool known = true;
    for (size_t k = 0; k < n; k++)
      if (is_reached(&kernels[k], &in->launches->launches[i]))
        known = known && common_barriers(&kernels[k], &all[i]);
    if (!known)
      all[i] = (pl_bundle_barriers){0, 0};
  }
  return all;
}

static const pl_loop_report *first_loop(const pl_result *result) {
  size_t n;
  const pl_kernel_report *kernels = pl_result_kernels(result, &n);
  const pl_loop_report *loop = NULL;
  for (size_t k = 0; k < n && !loop; k++)
    loop = first_pipelined(&kernels[k]);
  return loop;
}

static bool is_same(const pl_bundle_form *f, const char *text, size_t len) {
  return f->len == len && memcmp(f->text, text, len) == 0;
}

/* The form of the same text among those that are there; NULL: a new one. */
static pl_bundle_form *find_form(input *in, const char *text, size_t len) {
  for (size_t i = 0; i < in->n; i++)
    if (is_same(&in->forms[i], text, len))
      return &in->forms[i];
  return NULL;
}

static bool is_unchanged(const input *in, const char *text, size_t len) {
  return len == in->source.size && memcmp(text, in->source.data, len) == 0;
}

/* Takes over the result. */
static void keep_form(input *in, const pl_tried_form *wanted, pl_result *result,
                      const char *text, size_t len) {
  const pl_loop_report *loop = first_loop(result);
  in->launch_flags[in->n] = reached_launches(in, result);
  in->barriers[in->n] = find_barriers(in, result);
  in->results[in->n] = result;
  size_t n_shapes;
  in->shapes[in->n] = pl_shapes_of_result(result, &n_shapes);
  in->forms[in->n] = (pl_bundle_form){
      .label = wanted->label,
      .text = text,
      .len = len,
      .stages = loop ? loop->stages : 0,
      .copy_bytes = loop ? loop->copy_bytes : NULL,
      .n_copies = loop ? loop->ncopies : 0,
      .launches = in->launch_flags[in->n],
      .barriers = in->barriers[in->n],
      .shapes = in->shapes[in->n],
      .n_shapes = n_shapes,
  };
  in->n++;
}

/* About as many as large GPUs have; it is not known which one it will be. */
enum { MULTIPROCESSORS = 128 };

/* Blocks that a multiprocessor gets of a launch, if it holds so many; one where
 * that is not known. */
static int64_t blocks_of_target(const pl_launch *launch) {
  pl_arena *arena = pl_new_arena();
  pl_launch_error error;
  pl_case at;
  int64_t blocks = 1;
  if (pl_launch_target(arena, launch, &at, &error) == PL_CASE_OK)
    blocks = at.grid[0] * at.grid[1] * at.grid[2] / MULTIPROCESSORS + 1;
  pl_arena_free(arena);
  return blocks;
}

static int64_t least_blocks(const pl_launch_list *launches) {
  int64_t least = INT64_MAX;
  for (size_t i = 0; i < launches->n; i++) {
    int64_t blocks = blocks_of_target(&launches->launches[i]);
    least = blocks < least ? blocks : least;
  }
  return least;
}

/* Tiles on their way to a multiprocessor, the sum over all loops; -1 where one's
 * blocks are not known. */
static int64_t tiles_in_flight(const input *in, const pl_result *result) {
  size_t n;
  const pl_kernel_report *kernels = pl_result_kernels(result, &n);
  int64_t tiles = 0;
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < kernels[k].nloops; i++) {
      const pl_loop_report *loop = &kernels[k].loops[i];
      if (loop->verdict != PL_VERDICT_PIPELINED ||
          !pl_variant_is_async(loop->variant))
        continue;
      if (loop->blocks_after <= 0)
        return -1;
      int64_t fit = loop->blocks_after;
      tiles += (fit < in->blocks ? fit : in->blocks) * (loop->stages - 1);
    }
  return tiles;
}

/* Stages cost blocks: a deeper form is worth its time only where more tiles are
 * in flight than before. */
static bool is_too_deep(input *in, const pl_tried_form *wanted,
                        const pl_result *result) {
  int64_t tiles = tiles_in_flight(in, result);
  if (!pl_variant_is_async(wanted->variant) || tiles < 0)
    return false;
  int axis = wanted->padding ? 2 : wanted->bounds;
  if (tiles <= in->in_flight[axis][wanted->variant])
    return true;
  in->in_flight[axis][wanted->variant] = tiles;
  return false;
}

/* Rewrites to one form, and keeps it where nothing before was the same. The
 * form of that text, NULL for the source's own. */
static pl_bundle_form *add_form(preparer *p, input *in, const pl_tried_form *wanted) {
  pl_options options = p->options;
  options.variant_fixed |= wanted->variant != PL_VARIANT_AUTO;
  options.stages_fixed |= wanted->stages != 0;
  options.variant = wanted->variant;
  options.stages = wanted->stages;
  options.launch_bounds |= wanted->bounds;
  if (wanted->padding)
    options.row_padding = PL_ROW_PADDING_AUTO;
  pl_result *result =
      pl_rewrite(in->path, in->source.data, in->source.size, &options);
  size_t len = 0;
  const char *error = pl_result_error(result);
  const char *text = error ? NULL : pl_result_text(result, &len);
  if (error)
    say_error(p, PL_EXIT_ERROR, in->path, error);
  bool usable = text && !is_unchanged(in, text, len) &&
                !is_too_deep(in, wanted, result);
  pl_bundle_form *known = usable ? find_form(in, text, len) : NULL;
  if (!usable || known) {
    pl_result_free(result);
    return known;
  }
  keep_form(in, wanted, result, text, len);
  return &in->forms[in->n - 1];
}

/* The one form that the command line asks for. */
static void add_named_form(preparer *p, input *in) {
  pl_tried_form *named = &p->named[p->command->variant];
  *named = (pl_tried_form){.variant = p->command->variant,
                            .stages = p->command->stages};
  snprintf(named->label, sizeof named->label, "%s",
           pl_variant_name(named->variant));
  add_form(p, in, named);
}

/* With --stages=N, of the forms that have a number of stages those of N. */
static bool is_asked_for(const preparer *p, const pl_tried_form *form) {
  return !pl_option_given(p->command, "stages") || !form->stages ||
         form->stages == p->command->stages;
}

/* Every form, and a mark on the one that the cost model picks. */
static void add_forms(preparer *p, input *in) {
  static const pl_tried_form auto_form = {.variant = PL_VARIANT_AUTO, .label = "auto"};
  int before = p->worst;
  for (size_t i = 0; i < p->n_tried && p->worst == before; i++)
    if (is_asked_for(p, &p->tried[i]))
      add_form(p, in, &p->tried[i]);
  pl_bundle_form *picked =
      p->worst == before ? add_form(p, in, &auto_form) : NULL;
  if (picked)
    picked->is_auto = true;
}

/* Where one side cannot be written, nothing is missing but a figure. `tune`
 * asks which form is fastest, not why. */
static void add_sides(preparer *p, input *in) {
  for (size_t i = 0; in->n && !p->command->tune && i < SIDES; i++) {
    pl_options options = p->options;
    size_t len = 0;
    options.only = all_sides[i].only;
    pl_result *result =
        pl_rewrite(in->path, in->source.data, in->source.size, &options);
    const char *text =
        pl_result_error(result) ? NULL : pl_result_text(result, &len);
    if (!text || is_unchanged(in, text, len)) {
      pl_result_free(result);
      continue;
    }
    size_t n = in->n_sides++;
    in->side_results[n] = result;
    in->side_flags[n] = reached_launches(in, result);
    in->sides[n] = (pl_bundle_side){all_sides[i].label, text, len,
                                    in->side_flags[n]};
  }
}

/* --- inputs --------------------------------------------------------------- */

/* A kernel that some form may change, of a pl_result. */
static bool may_be_rewritten(const char *kernel, void *context) {
  size_t n;
  const pl_kernel_report *kernels = pl_result_kernels(context, &n);
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < kernels[k].nloops; i++) {
      pl_verdict v = kernels[k].loops[i].verdict;
      if ((v == PL_VERDICT_PIPELINED || v == PL_VERDICT_KEPT) &&
          (!kernels[k].is_global ||
           strcmp(pl_unqualified(kernels[k].name), kernel) == 0))
        return true;
    }
  return false;
}

/* The program's own sizes: a GPU has the time. Where --backend=auto proves on the
 * CPU too, that has said already what was taken. */
static void take_launches(preparer *p, input *in) {
  pl_taken taken;
  pl_result *result =
      pl_rewrite(in->path, in->source.data, in->source.size, &p->options);
  pl_taken_find(&taken, &in->source, PL_TAKEN_OWN, p->flags.defines, p->flags.n_defines,
                may_be_rewritten, result);
  pl_launch_list_free(in->launches);
  in->launches = pl_taken_launches(&taken, PL_TAKEN_OWN, NULL);
  bool said = p->packing->here && !p->command->bench;
  if (!said && !p->command->quiet)
    pl_taken_say(&taken, in->path, NULL, p->streams.err);
  if (in->launches->n == 0) {
    say_error(p, PL_EXIT_NOT_PROVEN, in->path,
              "not prepared: no launch description (--launch, or a comment "
              "'pipelinify: launch')");
    pl_taken_say_missing(&taken, in->path, p->streams.err);
  }
  pl_taken_free(&taken);
  pl_result_free(result);
}

static bool read_launches(preparer *p, input *in) {
  in->launches = pl_read_launches(p->command->launch, in->path, &in->source,
                                  p->streams.err);
  if (!in->launches) {
    pl_note_exit(&p->worst, PL_EXIT_ERROR);
  } else if (in->launches->n == 0) {
    take_launches(p, in);
  }
  return in->launches && in->launches->n;
}

static size_t count_pairs(const input *in) {
  size_t pairs = 0;
  for (size_t i = 0; i < in->n; i++)
    for (size_t k = 0; k < in->launches->n; k++)
      pairs += in->launch_flags[i][k];
  return pairs;
}

static void pack(preparer *p, input *in) {
  size_t pairs = count_pairs(in);
  if (pairs == 0) {
    say_note(p, in->path, in->n ? "nothing to prove: no launch description "
                                  "is of a kernel that was rewritten"
                                : "nothing to prove: no loop was rewritten");
    return;
  }
  size_t n_functions;
  const pl_kernel_report *functions =
      pl_result_kernels(in->results[0], &n_functions);
  pl_bundle_case c = {
      .path = in->path,
      .text = in->source.data,
      .len = in->source.size,
      .forms = in->forms,
      .n_forms = in->n,
      .sides = in->sides,
      .n_sides = in->n_sides,
      .launches = in->launches,
      .functions = functions,
      .n_functions = n_functions,
      .flags = p->flags,
  };
  if (!pl_bundle_add(p->bundle, &c))
    pl_note_exit(&p->worst, PL_EXIT_ERROR);
  p->files++;
  p->forms += in->n;
  p->packing->kernels += pairs;
}

static void free_input(input *in) {
  for (size_t i = 0; i < in->n; i++) {
    pl_result_free(in->results[i]);
    free(in->launch_flags[i]);
    free(in->barriers[i]);
    free(in->shapes[i]);
  }
  for (size_t i = 0; i < in->n_sides; i++) {
    pl_result_free(in->side_results[i]);
    free(in->side_flags[i]);
  }
  if (in->launches)
    pl_launch_list_free(in->launches);
  free(in->source.data);
}

static void add_texts(preparer *p, input *in) {
  pl_source source = {in->path, in->source.data, in->source.size};
  p->options.precompiled_shim =
      pl_precompiled_for(p->precompiled, NULL, &source, &p->options);
  if (p->packing->one_form) {
    add_named_form(p, in);
  } else {
    add_forms(p, in);
    add_sides(p, in);
  }
}

static void prepare_input(preparer *p, const char *path) {
  input in = {.path = path};
  if (!pl_read_file(path, &in.source)) {
    say_error(p, PL_EXIT_ERROR, path, strerror(errno));
    return;
  }
  pl_grids *grids = pl_grids_new(in.source.data, in.source.size,
                                 p->options.clang_args, p->options.clang_nargs);
  p->options.grid_blocks = pl_grid_blocks;
  p->options.grid_context = grids;
  if (read_launches(p, &in)) {
    in.blocks = least_blocks(in.launches);
    add_texts(p, &in);
    pack(p, &in);
  }
  pl_grids_free(grids);
  free_input(&in);
}

static void say_done(const preparer *p) {
  const char *dir = p->packing->dir;
  if (!p->command->quiet && !p->packing->here)
    fprintf(p->streams.err,
            "%s: %zu files, %zu rewritten forms, %zu proofs; where nvcc and a "
            "GPU are: sh %s/run\n",
            dir, p->files, p->forms, p->packing->kernels, dir);
}

/* As `pipelinify` itself would rewrite that file. */
static void prepare_as_configured(preparer *p, pl_settings *settings,
                                  const pl_environment *env,
                                  pl_selection *selection, const char *path) {
  const pl_command *whole = p->command;
  p->command = pl_settings_of(settings, path, p->streams.err);
  if (p->command) {
    p->options = pl_run_options(p->command, env, selection);
    p->flags = pl_proof_flags(p->command);
    prepare_input(p, path);
    pl_proof_flags_free(&p->flags);
  } else
    pl_note_exit(&p->worst, PL_EXIT_ERROR);
  p->command = whole;
}

static void prepare_inputs(preparer *p, const pl_environment *env,
                           pl_selection *selection) {
  p->bundle =
      pl_bundle_open(p->packing->dir, p->packing->anew, p->streams.err);
  if (!p->bundle) {
    pl_note_exit(&p->worst, PL_EXIT_ERROR);
    return;
  }
  pl_settings *settings = pl_settings_new(p->command);
  for (size_t i = 0; i < p->command->ninputs; i++)
    prepare_as_configured(p, settings, env, selection, p->command->inputs[i]);
  pl_settings_free(settings);
  if (!pl_bundle_close(p->bundle))
    pl_note_exit(&p->worst, PL_EXIT_ERROR);
  else
    say_done(p);
}

int pl_gpu_prepare(const pl_command *command, const pl_environment *env,
                   pl_streams streams, pl_gpu_packing *packing) {
  preparer p = {.command = command, .streams = streams, .packing = packing};
  p.n_tried = pl_tried_forms(p.tried, DEEPEST, "-s");
  p.n_tried = pl_with_asked_form(p.tried, p.n_tried, command->variant, DEEPEST, "-s");
  if (command->tune)
    p.n_tried = pl_with_axes(p.tried, p.n_tried, !command->launch_bounds,
                             !command->row_padding);
  pl_selection *selection =
      pl_selection_new(command->kernels, command->nkernels, streams.err);
  if (!selection)
    return PL_EXIT_ERROR;
  pl_run_say_dropped(command, streams.err);
  p.precompiled = pl_precompiled_new();
  prepare_inputs(&p, env, selection);
  pl_precompiled_free(p.precompiled);
  pl_selection_free(selection);
  return p.worst;
}
