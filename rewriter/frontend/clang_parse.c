/* clang_parse.c - bytes to model, by way of libclang.
 *
 * The first step: needs the bytes and the user's arguments, gives the pl_unit
 * that every pass reads. All of clang's objects are disposed of before it
 * returns. Raises no reason IDs; what is wrong with the file becomes
 * pl_problems. */
#include "frontend.h"

#include "clang_parts.h"
#include "frontend_args.h"

#include <string.h>

static pl_unit *new_unit(pl_arena *arena, const pl_parse_request *request) {
  pl_unit *unit = PL_NEW(arena, pl_unit);
  unit->arena = arena;
  unit->path = pl_arena_str(arena, request->path, strlen(request->path));
  unit->text = request->text;
  unit->args = request->args;
  unit->nargs = request->nargs;
  unit->arch = request->arch;
  unit->tokens = pl_lex(arena, request->text, &unit->ntokens);
  pl_unit_index(unit);
  return unit;
}

/* The files of memory as libclang wants them. */
static struct CXUnsavedFile *unsaved_files(const pl_clang_call *call) {
  struct CXUnsavedFile *files =
      PL_NEW_ARRAY(call->arena, struct CXUnsavedFile, call->nfiles);
  for (size_t i = 0; i < call->nfiles; i++)
    files[i] = (struct CXUnsavedFile){call->files[i].path, call->files[i].data,
                                      call->files[i].size};
  return files;
}

static enum CXErrorCode run_clang(CXIndex index, const pl_clang_call *call,
                                  unsigned flags, CXTranslationUnit *tu) {
  return clang_parseTranslationUnit2(
      index, call->root, call->args, (int)call->nargs, unsaved_files(call),
      (unsigned)call->nfiles,
      flags | CXTranslationUnit_KeepGoing |
          CXTranslationUnit_DetailedPreprocessingRecord,
      tu);
}

static pl_clang_call call_for(pl_fe *f, const pl_parse_request *request,
                              bool shim) {
  pl_text text = {.arena = f->arena};
  pl_text_add(&text, request->text);
  pl_text_add(&text, pl_explicit_instances(f->unit));
  return pl_clang_call_for(f->unit, request, pl_text_view(&text), shim);
}

/* Parses with the shim or with the toolkit; NULL where clang gives nothing.
 * The index leaves out what a precompiled shim declares: what is used of it is
 * reached from its uses. */
static pl_unit *parse_once(pl_arena *arena, const pl_parse_request *request,
                           bool shim, pl_str *error) {
  pl_fe f = {.arena = arena,
             .unit = new_unit(arena, request),
             .wanted = request->wanted};
  f.unit->used_toolkit = !shim;
  f.unit->used_usual = request->with_usual_headers;
  f.source.unit = f.unit;
  if (request->precompiled_shim)
    pl_add_shim_macros(f.unit);
  pl_clang_call call = call_for(&f, request, shim);
  f.main_name = call.main_name;
  f.root = call.root;
  CXIndex index = clang_createIndex(1, 0);
  enum CXErrorCode code = run_clang(index, &call, 0, &f.tu);
  bool read = true;
  if (code == CXError_Success) {
    read = pl_arena_try(arena, pl_fe_read_unit, &f);
    clang_disposeTranslationUnit(f.tu);
  }
  clang_disposeIndex(index);
  if (!read)
    pl_arena_out_of_memory(arena);
  if (code == CXError_Success)
    return f.unit;
  *error = pl_arena_printf(
      arena, "clang gives no translation unit (libclang's code %d)", (int)code);
  return NULL;
}

bool pl_frontend_save_shim(pl_arena *arena, const pl_parse_request *request,
                           const char *path) {
  if (pl_frontend_load())
    return false;
  pl_clang_call call = pl_shim_call_for(arena, request);
  CXTranslationUnit tu;
  CXIndex index = clang_createIndex(0, 0);
  bool saved = run_clang(index, &call,
                         CXTranslationUnit_Incomplete |
                             CXTranslationUnit_ForSerialization,
                         &tu) == CXError_Success;
  if (saved) {
    saved = clang_getNumDiagnostics(tu) == 0 &&
            clang_saveTranslationUnit(tu, path, 0) == CXSaveError_None;
    clang_disposeTranslationUnit(tu);
  }
  clang_disposeIndex(index);
  return saved;
}

static bool is_ours(const pl_func *func) {
  return func->in_main && (func->is_global || func->is_device);
}

/* How many kernels and device functions the main file has. */
static unsigned device_functions(const pl_unit *unit) {
  unsigned count = 0;
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    count += is_ours(unit->funcs[i]);
  return count;
}

/* Whether a problem is a name that the shim does not have either. */
static bool is_strange_name(const pl_problem *problem) {
  static const char *const heads[] = {"use of undeclared identifier '", "unknown type name '",
                                      "no template named '", "no type named '",
                                      "no member named '"};
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    if (pl_str_starts(problem->message, heads[i]))
      return !pl_shim_says(pl_first_word((pl_str){problem->message.p + strlen(heads[i]),
                                                  problem->message.n - strlen(heads[i])}));
  return false;
}

static bool is_any(const pl_problem *problem) { return problem->range.end > 0; }

/* How many of them hold a problem of a kind. */
static unsigned functions_with(const pl_unit *unit, bool (*is_one)(const pl_problem *)) {
  unsigned broken = 0;
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    bool found = false;
    for (uint32_t j = 0; is_ours(func) && j < unit->nproblems && !found; j++)
      found = pl_range_inside(unit->problems[j].range, func->range) &&
              is_one(&unit->problems[j]);
    broken += found;
  }
  return broken;
}

static unsigned broken_functions(const pl_unit *unit) { return functions_with(unit, is_any); }

/* Whether the file launches a template of its own, and the parse does not see what
 * with: the headers that say so have errors in them. */
static bool misses_instances(const pl_unit *unit) {
  bool missed = false;
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    missed |= func->in_main && func->is_global && func->is_template &&
              func->nlaunches && !func->ninstances;
  }
  return missed && unit->nproblems > 0;
}

/* What a parse that was given up has opened decided as well. */
static void add_headers(pl_unit *unit, const pl_unit *other) {
  size_t n = unit->nheaders + other->nheaders;
  const char **all = PL_NEW_ARRAY(unit->arena, const char *, n + 1);
  for (size_t i = 0; i < n; i++)
    all[i] = i < unit->nheaders ? unit->headers[i]
                                : other->headers[i - unit->nheaders];
  unit->headers = all;
  unit->nheaders = n;
}

/* Parses with the shim, by way of its precompiled form where that is good. */
static pl_unit *parse_with_shim(pl_arena *arena,
                                const pl_parse_request *request,
                                pl_str *error) {
  pl_parse_request plain = *request;
  plain.precompiled_shim = NULL;
  pl_unit *unit = parse_once(arena, request, true, error);
  if (request->precompiled_shim && (!unit || unit->shim_is_bad))
    return parse_once(arena, &plain, true, error);
  return unit;
}

/* The parse with fewer functions that hold an error; of equals the second, if
 * that one knows more. Not one that lost functions: without its toolkit's headers
 * clang does not know what `__global__` is. */
static pl_unit *better_of(pl_unit *first, pl_unit *second, bool knows_more) {
  if (!first || !second)
    return first ? first : second;
  add_headers(second, first);
  add_headers(first, second);
  bool better = device_functions(second) >= device_functions(first) &&
                broken_functions(second) < broken_functions(first) + knows_more;
  return better ? second : first;
}

pl_unit *pl_parse(pl_arena *arena, const pl_parse_request *request,
                  pl_str *error) {
  const char *missing = pl_frontend_load();
  *error = missing ? (pl_str){missing, strlen(missing)} : (pl_str){NULL, 0};
  if (missing)
    return NULL;
  if (request->text.n > (size_t)INT32_MAX / 2) {
    *error = PL_STR("the file is too large");
    return NULL;
  }
  const pl_unit *like = request->like;
  if (request->cuda_path && (request->force_toolkit || (like && like->used_toolkit)))
    return parse_once(arena, request, false, error);
  pl_parse_request usual = *request;
  usual.with_usual_headers = like && like->used_usual;
  pl_unit *unit = parse_with_shim(arena, &usual, error);
  bool enough = unit && like && broken_functions(unit) <= like->nbroken;
  usual.with_usual_headers = true;
  if (unit && !enough && unit->nabsent &&
      broken_functions(unit) > functions_with(unit, is_strange_name))
    unit = better_of(unit, parse_with_shim(arena, &usual, error), true);
  bool missed = unit && misses_instances(unit);
  if (request->cuda_path && !enough && (!unit || broken_functions(unit) || missed))
    unit = better_of(unit, parse_once(arena, request, false, error), missed);
  if (unit)
    unit->nbroken = broken_functions(unit);
  return unit;
}
