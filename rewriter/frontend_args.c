/* frontend_args.c - see frontend_args.h. Before the parse: needs the request,
 * gives the arguments and the files that clang sees. Raises no reason IDs. */
#include "frontend_args.h"

#include "embedded.h"
#include "frontend_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- arguments ----------------------------------------------------------- */

static void add_arg(pl_clang_call *call, const char *arg) {
  PL_PUSH(call->arena, call->args, call->nargs, call->args_cap, arg);
}

static void add_format(pl_clang_call *call, const char *format,
                       const char *value) {
  add_arg(call, pl_arena_cstr(call->arena,
                              pl_arena_printf(call->arena, "%s%s", format,
                                              value)));
}

static void add_common_args(pl_clang_call *call,
                            const pl_parse_request *request) {
  static const char *const common[] = {"-x",
                                       "cuda",
                                       "--cuda-host-only",
                                       "-nocudalib",
                                       "-ferror-limit=0",
                                       "-w",
                                       "-fno-spell-checking",
                                       "-ftemplate-depth=256",
                                       "-Xclang",
                                       "-target-sdk-version=12.5"};
  for (size_t i = 0; i < sizeof common / sizeof *common; i++)
    add_arg(call, common[i]);
  char arch[32];
  snprintf(arch, sizeof arch, "%d",
           request->arch > 0 ? request->arch * 10 : 800);
  add_format(call, "-D__CUDA_ARCH__=", arch);
}

/* No toolkit and no compiler of the machine has a part in this parse: clang
 * need not search the disk for them. */
static void add_shim_args(pl_clang_call *call) {
  static const char *const args[] = {
      "--cuda-path=" PL_SHIM_DIR, "--gcc-toolchain=" PL_SHIM_DIR, "-nocudainc",
      "-nostdinc", "-nostdinc++", "-I" PL_SHIM_DIR};
  for (size_t i = 0; i < sizeof args / sizeof *args; i++)
    add_arg(call, args[i]);
}

static void add_prelude(pl_clang_call *call, const char *precompiled) {
  add_arg(call, precompiled ? "-include-pch" : "-include");
  add_arg(call, precompiled ? precompiled : PL_SHIM_DIR "/pl_prelude.h");
}

/* What PyTorch's headers and those of many projects bring along. */
static void add_usual_headers(pl_clang_call *call) {
  static const char *const names[] = {
      PL_SHIM_DIR "/pl_std.h", PL_SHIM_DIR "/cuda_fp16.h",
      PL_SHIM_DIR "/cuda_bf16.h", PL_SHIM_DIR "/cooperative_groups.h"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    add_arg(call, "-include");
    add_arg(call, names[i]);
  }
}

/* Debian's libclang guesses a resource directory that is not there. */
static void add_resource_dir(pl_clang_call *call) {
  char version[128];
  pl_frontend_version(version, sizeof version);
  const char *digits = strstr(version, "version ");
  int major = digits ? atoi(digits + 8) : 0;
  pl_str path = pl_arena_printf(call->arena, "/usr/lib/llvm-%d/lib/clang/%d",
                                major, major);
  char *directory = pl_arena_cstr(call->arena, path);
  if (access(directory, F_OK) != 0)
    return;
  add_arg(call, "-resource-dir");
  add_arg(call, directory);
}

static void add_toolkit_args(pl_clang_call *call, const char *cuda_path) {
  add_format(call, "--cuda-path=", cuda_path);
  add_arg(call, "-isystem");
  add_arg(call, PL_SUPPLEMENT_DIR);
  add_arg(call, "-isystem");
  add_arg(call, pl_arena_cstr(call->arena,
                              pl_arena_printf(call->arena, "%s/include/cccl",
                                              cuda_path)));
  add_resource_dir(call);
}

/* ---- the user's arguments ------------------------------------------------ */

/* One of them with its value, which may be the next one. */
typedef struct user_arg {
  const char *text;
  const char *value; /* the next argument, where it belongs to this one */
  const char *directory; /* of headers; NULL: it is about something else */
} user_arg;

static user_arg user_arg_at(const pl_parse_request *request, size_t i) {
  static const char *const with_value[] = {"-I", "-isystem"};
  user_arg arg = {.text = request->args[i]};
  for (size_t k = 0; k < sizeof with_value / sizeof *with_value; k++)
    if (strcmp(arg.text, with_value[k]) == 0 && i + 1 < request->nargs)
      arg.directory = arg.value = request->args[i + 1];
  if (strncmp(arg.text, "-I", 2) == 0 && arg.text[2])
    arg.directory = arg.text + 2;
  return arg;
}

/* True for a directory that holds CUDA's own headers: they would stand before
 * the shim's. */
static bool is_cuda_include(pl_arena *arena, const char *directory) {
  pl_str path = pl_arena_printf(arena, "%s/cuda_runtime.h", directory);
  return access(pl_arena_cstr(arena, path), F_OK) == 0;
}

/* The user's arguments; under the shim without -I of the toolkit. */
static void add_user_args(pl_clang_call *call, const pl_parse_request *request,
                          bool shim) {
  for (size_t i = 0; i < request->nargs; i++) {
    user_arg arg = user_arg_at(request, i);
    i += arg.value != NULL;
    if (shim && arg.directory && is_cuda_include(call->arena, arg.directory))
      continue;
    add_arg(call, arg.text);
    if (arg.value)
      add_arg(call, arg.value);
  }
}

static bool starts_with_one_of(const char *arg, const char *const *starts) {
  for (; *starts; starts++)
    if (strncmp(arg, *starts, strlen(*starts)) == 0)
      return true;
  return false;
}

/* What changes how the shim's headers are read. */
static bool changes_shim(const char *arg) {
  static const char *const starts[] = {"-D", "-U", "-std=", NULL};
  return starts_with_one_of(arg, starts) && arg[2];
}

/* Whether what is made of the shim's headers alone may stand for their text:
 * none of the arguments is one that we do not know. */
static bool shim_precompiles(const pl_parse_request *request) {
  for (size_t i = 0; i < request->nargs; i++) {
    user_arg arg = user_arg_at(request, i);
    i += arg.value != NULL;
    if (!arg.directory && !changes_shim(arg.text))
      return false;
  }
  return true;
}

static void add_shim_user_args(pl_clang_call *call,
                               const pl_parse_request *request) {
  for (size_t i = 0; i < request->nargs; i++)
    if (changes_shim(request->args[i]))
      add_arg(call, request->args[i]);
}

static void add_standard(pl_clang_call *call,
                         const pl_parse_request *request) {
  for (size_t i = 0; i < request->nargs; i++)
    if (strncmp(request->args[i], "-std=", 5) == 0)
      return;
  add_arg(call, "-std=c++17");
}

/* ---- files in memory ----------------------------------------------------- */

static void add_file(pl_clang_call *call, pl_str path, const char *data,
                     size_t size) {
  pl_memory_file file = {pl_arena_cstr(call->arena, path), data, size};
  PL_PUSH(call->arena, call->files, call->nfiles, call->files_cap, file);
}

/* A line of headers.txt, "NAME OTHER": a header NAME that includes OTHER. */
typedef struct stand_in {
  pl_str name, other;
} stand_in;

/* Takes the first line off the table; false: there is none left. */
static bool take_stand_in(pl_str *table, stand_in *line) {
  while (table->n) {
    const char *end = memchr(table->p, '\n', table->n);
    size_t length = end ? (size_t)(end - table->p) : table->n;
    const char *space = memchr(table->p, ' ', length);
    if (space)
      *line = (stand_in){
          {table->p, (size_t)(space - table->p)},
          {space + 1, (size_t)(table->p + length - space - 1)}};
    size_t taken = length + (end != NULL);
    *table = (pl_str){table->p + taken, table->n - taken};
    if (space)
      return true;
  }
  return false;
}

static pl_str stand_in_table(void) {
  const pl_embedded_file *file = pl_embedded_find("shim/headers.txt");
  return file ? (pl_str){file->data, file->size} : (pl_str){NULL, 0};
}

static void add_stand_ins(pl_clang_call *call) {
  pl_str table = stand_in_table();
  for (stand_in line; take_stand_in(&table, &line);) {
    pl_str text = pl_arena_printf(call->arena, "#include <%.*s>\n",
                                  PL_FMT(line.other));
    add_file(call,
             pl_arena_printf(call->arena, "%s/%.*s", PL_SHIM_DIR,
                             PL_FMT(line.name)),
             text.p, text.n);
  }
}

static const char *shim_name(const pl_embedded_file *file) {
  return strncmp(file->name, "shim/", 5) == 0 ? file->name + 5 : NULL;
}

static void add_shim_files(pl_clang_call *call) {
  for (size_t i = 0; i < pl_embedded_count; i++) {
    const pl_embedded_file *file = &pl_embedded_files[i];
    const char *name = shim_name(file);
    if (name && strcmp(name, "headers.txt") != 0)
      add_file(call,
               pl_arena_printf(call->arena, "%s/%s", PL_SHIM_DIR, name),
               file->data, file->size);
  }
  add_stand_ins(call);
}

/* The name behind `#define ` at the start of a line; nothing elsewhere. */
static pl_str defined_name(pl_str text) {
  static const char define[] = "#define ";
  size_t from = sizeof define - 1, to = from;
  if (text.n <= from || memcmp(text.p, define, from) != 0)
    return (pl_str){NULL, 0};
  while (to < text.n && (isalnum((unsigned char)text.p[to]) ||
                         text.p[to] == '_'))
    to++;
  return (pl_str){text.p + from, to - from};
}

static void add_macros_of(pl_unit *unit, pl_str text) {
  while (text.n) {
    pl_str name = defined_name(text);
    const char *end = memchr(text.p, '\n', text.n);
    size_t line = end ? (size_t)(end - text.p) + 1 : text.n;
    if (name.n && name.p[0] != '_')
      PL_PUSH(unit->arena, unit->macros, unit->nmacros, unit->macros_cap, name);
    text = (pl_str){text.p + line, text.n - line};
  }
}

void pl_add_shim_macros(pl_unit *unit) {
  for (size_t i = 0; i < pl_embedded_count; i++) {
    const pl_embedded_file *file = &pl_embedded_files[i];
    if (shim_name(file))
      add_macros_of(unit, (pl_str){file->data, file->size});
  }
}

/* ---- the calls ----------------------------------------------------------- */

pl_clang_call pl_clang_call_for(pl_arena *arena,
                                const pl_parse_request *request, pl_str text,
                                bool shim) {
  pl_clang_call call = {.arena = arena};
  call.main_name = strcmp(request->path, "-") ? request->path : "stdin.cu";
  add_common_args(&call, request);
  if (shim) {
    add_shim_args(&call);
    add_prelude(&call, request->precompiled_shim);
    if (request->with_usual_headers)
      add_usual_headers(&call);
  }
  add_user_args(&call, request, shim);
  if (!shim)
    add_toolkit_args(&call, request->cuda_path);
  add_standard(&call, request);
  add_file(&call, (pl_str){call.main_name, strlen(call.main_name)},
           text.p ? text.p : "", text.n);
  if (shim)
    add_shim_files(&call);
  else
    add_file(&call, PL_STR(PL_SUPPLEMENT_DIR "/texture_fetch_functions.h"), "",
             0);
  return call;
}

/* The header between the brackets of `#include <...>`. */
static pl_str included(pl_str directive) {
  pl_str none = {NULL, 0};
  const char *end = directive.p + directive.n, *at = directive.p + 1;
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  if ((size_t)(end - at) < 8 || strncmp(at, "include", 7) != 0)
    return none;
  const char *open = memchr(at, '<', (size_t)(end - at));
  const char *close = open ? memchr(open, '>', (size_t)(end - open)) : NULL;
  return close ? (pl_str){open + 1, (size_t)(close - open - 1)} : none;
}

/* The shim's own header behind the name that a source includes. */
static pl_str shim_header(pl_arena *arena, pl_str name) {
  pl_str table = stand_in_table();
  for (stand_in line; name.n && take_stand_in(&table, &line);)
    if (pl_str_eq(line.name, name))
      return line.other;
  pl_str path = pl_arena_printf(arena, "shim/%.*s", PL_FMT(name));
  bool ours = name.n && pl_embedded_find(pl_arena_cstr(arena, path));
  return ours ? name : (pl_str){NULL, 0};
}

/* How many conditional groups a directive opens. */
static int opens(pl_str directive) {
  const char *end = directive.p + directive.n, *at = directive.p + 1;
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  if (end - at >= 2 && strncmp(at, "if", 2) == 0)
    return 1;
  return end - at >= 5 && strncmp(at, "endif", 5) == 0 ? -1 : 0;
}

/* Which of the embedded files a source includes whatever the macros are. */
static bool includes(const pl_unit *unit, const char *name) {
  int depth = 0;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    if (unit->tokens[i].kind != PL_TOK_DIRECTIVE)
      continue;
    pl_str directive = pl_token_text(unit, i);
    depth += opens(directive);
    if (depth == 0 && pl_str_is(shim_header(unit->arena, included(directive)), name))
      return true;
  }
  return false;
}

/* In the order of the embedded files: sources that include the same ones in
 * another order share what is made. */
static pl_str shim_main(pl_arena *arena, pl_str source) {
  pl_text text = {.arena = arena};
  pl_unit unit = {.arena = arena, .text = source};
  unit.tokens = pl_lex(arena, source, &unit.ntokens);
  pl_text_add(&text, PL_STR("#include <pl_prelude.h>\n"));
  for (size_t i = 0; i < pl_embedded_count; i++) {
    const char *name = shim_name(&pl_embedded_files[i]);
    if (name && strcmp(name, "pl_prelude.h") != 0 &&
        includes(&unit, name))
      pl_text_printf(&text, "#include <%s>\n", name);
  }
  return pl_text_view(&text);
}

pl_clang_call pl_shim_call_for(pl_arena *arena,
                               const pl_parse_request *request) {
  pl_clang_call call = {.arena = arena,
                        .main_name = PL_SHIM_DIR "/pl_headers.cu"};
  pl_str text = shim_main(arena, request->text);
  add_common_args(&call, request);
  add_shim_args(&call);
  add_shim_user_args(&call, request);
  add_standard(&call, request);
  add_file(&call, (pl_str){call.main_name, strlen(call.main_name)}, text.p,
           text.n);
  add_shim_files(&call);
  return call;
}

pl_str pl_frontend_shim_key(pl_arena *arena, const pl_parse_request *request) {
  pl_text key = {.arena = arena};
  if (!shim_precompiles(request))
    return (pl_str){NULL, 0};
  pl_clang_call call = pl_shim_call_for(arena, request);
  for (size_t i = 0; i < call.nargs; i++)
    pl_text_printf(&key, "%s\n", call.args[i]);
  pl_text_add(&key, (pl_str){call.files[0].data, call.files[0].size});
  return pl_text_view(&key);
}
