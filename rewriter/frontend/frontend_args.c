/* frontend_args.c - see frontend_args.h. Before the parse: needs the request,
 * gives the arguments and the files that clang sees. Raises no reason IDs. */
#define _GNU_SOURCE /* memmem */
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
                                       "-fgpu-rdc", /* kernels may launch others */
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

/* No toolkit and no compiler of the machine has a part in this parse. So that
 * clang does not search the disk for them, which is a sixth of what a small file
 * takes, it is told of a machine without a system; what Linux defines is defined
 * here. */
static void add_shim_args(pl_clang_call *call) {
  static const char *const args[] = {
      "--target=x86_64-none-elf",
      "-D_GNU_SOURCE=1",
      "-D__gnu_linux__=1",
      "-D__linux=1",
      "-D__linux__=1",
      "-D__unix=1",
      "-D__unix__=1",
      "-D__PIC__=2",
      "-D__PIE__=2",
      "-D__pic__=2",
      "-D__pie__=2",
      "-fgnuc-version=12.2.0", /* the builds are nvcc's, with a compiler of the host */
      "-U__clang__",
      "-U__clang_major__",
      "-U__clang_minor__",
      "-U__clang_patchlevel__",
      "-U__clang_version__",
      "-U__llvm__",
      "--cuda-path=" PL_SHIM_DIR,
      "--gcc-toolchain=" PL_SHIM_DIR,
      "-nocudainc",
      "-nostdinc",
      "-nostdinc++",
      "-I" PL_SHIM_DIR};
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

static const char *shim_name(const pl_embedded_file *file) {
  return strncmp(file->name, "shim/", 5) == 0 ? file->name + 5 : NULL;
}

/* ---- what a source includes ------------------------------------------------ */

typedef struct inclusion {
  pl_str name;  /* between the brackets */
  pl_str other; /* the shim's own header behind it */
} inclusion;

typedef struct inclusions {
  inclusion *items; /* those whatever the macros are */
  size_t n, cap;
  bool others; /* headers that are not the shim's, or that macros decide on */
} inclusions;

/* The header between the brackets of `include <...>`. */
static pl_str included(pl_str word) {
  const char *end = word.p + word.n;
  const char *open = pl_str_starts(word, "include")
                         ? memchr(word.p, '<', word.n)
                         : NULL;
  const char *close = open ? memchr(open, '>', (size_t)(end - open)) : NULL;
  return close ? (pl_str){open + 1, (size_t)(close - open - 1)}
               : (pl_str){NULL, 0};
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

static inclusions find_inclusions(const pl_unit *unit) {
  inclusions found = {0};
  int depth = 0;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    pl_str word = pl_directive_at(unit, i);
    if (!word.n)
      continue;
    depth += pl_str_starts(word, "if") - pl_str_starts(word, "endif");
    bool asks = pl_str_has(word, "include") || pl_str_starts(word, "import");
    if (!asks)
      continue;
    inclusion one = {.name = included(word)};
    one.other = shim_header(unit->arena, one.name);
    if (depth == 0 && one.other.n)
      PL_PUSH(unit->arena, found.items, found.n, found.cap, one);
    else
      found.others = true;
  }
  return found;
}

static bool leads_to(const inclusions *found, const char *header) {
  for (size_t i = 0; i < found->n; i++)
    if (pl_str_is(found->items[i].other, header))
      return true;
  return false;
}

static bool names(const inclusions *found, pl_str name) {
  for (size_t i = 0; i < found->n; i++)
    if (pl_str_eq(found->items[i].name, name))
      return true;
  return false;
}

/* ---- the shim's files ------------------------------------------------------ */

/* Marks one of the shim's headers, by its place among the embedded files, and those that
 * it includes. */
static void want(bool *wanted, pl_str name) {
  static const char include[] = "#include <";
  const size_t n = sizeof include - 1;
  for (size_t i = 0; i < pl_embedded_count; i++) {
    const pl_embedded_file *file = &pl_embedded_files[i];
    if (wanted[i] || !shim_name(file) || !pl_str_is(name, shim_name(file)))
      continue;
    wanted[i] = true;
    const char *at = file->data, *end = at + file->size;
    while ((at = memmem(at, (size_t)(end - at), include, n))) {
      at += n;
      const char *close = memchr(at, '>', (size_t)(end - at));
      if (close)
        want(wanted, (pl_str){at, (size_t)(close - at)});
    }
  }
}

static void add_stand_ins(pl_clang_call *call, const inclusions *only) {
  pl_str table = stand_in_table();
  for (stand_in line; take_stand_in(&table, &line);) {
    if (only && !names(only, line.name))
      continue;
    pl_str text = pl_arena_printf(call->arena, "#include <%.*s>\n",
                                  PL_FMT(line.other));
    add_file(call,
             pl_arena_printf(call->arena, "%s/%.*s", PL_SHIM_DIR,
                             PL_FMT(line.name)),
             text.p, text.n);
  }
}

/* `only`: those that a source asks for which has the rest precompiled; NULL: all
 * of them. */
static void add_shim_files(pl_clang_call *call, const inclusions *only) {
  bool *wanted = PL_NEW_ARRAY(call->arena, bool, pl_embedded_count);
  for (size_t i = 0; only && i < only->n; i++) /* what was read ahead may lack them */
    want(wanted, only->items[i].other);
  for (size_t i = 0; i < pl_embedded_count; i++) {
    const pl_embedded_file *file = &pl_embedded_files[i];
    const char *name = shim_name(file);
    if (!name || strcmp(name, "headers.txt") == 0 ||
        (only && !wanted[i]))
      continue;
    add_file(call, pl_arena_printf(call->arena, "%s/%s", PL_SHIM_DIR, name),
             file->data, file->size);
  }
  add_stand_ins(call, only);
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

bool pl_shim_says(pl_str word) {
  for (size_t i = 0; i < pl_embedded_count; i++)
    if (shim_name(&pl_embedded_files[i]) &&
        memmem(pl_embedded_files[i].data, pl_embedded_files[i].size, word.p, word.n))
      return true;
  return false;
}

/* ---- a header that is the source ------------------------------------------- */

/* A file beside the source, in memory alone. */
#define ROOT_NAME ".pipelinify-root.cu"

static bool wants_once(const pl_unit *unit) {
  for (uint32_t i = 0; i < unit->ntokens; i++)
    if (pl_is_pragma_once(pl_directive_at(unit, i)))
      return true;
  return false;
}

/* The name of the source between quotes can be read back. */
static bool can_be_included(const char *base) {
  return *base && !strpbrk(base, "\"\\\n\r");
}

/* Clang heeds no `#pragma once` of its main file, which a header that includes it
 * back would define a second time: such a source is included by a main file of one
 * line. The name that clang then has for it is the directory's with its own. */
static void include_once(pl_clang_call *call) {
  const char *slash = strrchr(call->main_name, '/');
  const char *base = slash ? slash + 1 : call->main_name;
  size_t n = (size_t)(base - call->main_name);
  if (!can_be_included(base))
    return;
  pl_str directory = n ? (pl_str){call->main_name, n} : PL_STR("./");
  pl_str root = pl_arena_printf(call->arena, "%.*s%s",
                                (int)n, call->main_name, ROOT_NAME);
  call->root = pl_arena_cstr(call->arena, root);
  call->main_name = pl_arena_cstr(
      call->arena,
      pl_arena_printf(call->arena, "%.*s%s", PL_FMT(directory), base));
}

static void add_root(pl_clang_call *call) {
  const char *slash = strrchr(call->main_name, '/');
  pl_str text =
      pl_arena_printf(call->arena, "#include \"%s\"\n", slash + 1);
  add_file(call, (pl_str){call->root, strlen(call->root)}, text.p, text.n);
}

/* ---- the calls ----------------------------------------------------------- */

pl_clang_call pl_clang_call_for(const pl_unit *unit,
                                const pl_parse_request *request, pl_str text,
                                bool shim) {
  pl_clang_call call = {.arena = unit->arena};
  inclusions found = find_inclusions(unit);
  bool only = request->precompiled_shim && !request->with_usual_headers &&
              !found.others;
  call.main_name = strcmp(request->path, "-") ? request->path : "stdin.cu";
  call.root = call.main_name;
  if (wants_once(unit))
    include_once(&call);
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
  if (call.root != call.main_name)
    add_root(&call);
  for (size_t i = 0; i < request->ninstead; i++)
    add_file(&call, (pl_str){request->instead[i].path, strlen(request->instead[i].path)},
             request->instead[i].text.p, request->instead[i].text.n);
  if (shim)
    add_shim_files(&call, only ? &found : NULL);
  else
    add_file(&call, PL_STR(PL_SUPPLEMENT_DIR "/texture_fetch_functions.h"), "",
             0);
  return call;
}

/* In the order of the embedded files: sources that include the same ones in
 * another order share what is made. */
static pl_str shim_main(pl_arena *arena, pl_str source) {
  pl_text text = {.arena = arena};
  pl_unit unit = {.arena = arena, .text = source};
  unit.tokens = pl_lex(arena, source, &unit.ntokens);
  inclusions found = find_inclusions(&unit);
  pl_text_add(&text, PL_STR("#include <pl_prelude.h>\n"));
  for (size_t i = 0; i < pl_embedded_count; i++) {
    const char *name = shim_name(&pl_embedded_files[i]);
    if (name && strcmp(name, "pl_prelude.h") != 0 &&
        leads_to(&found, name))
      pl_text_printf(&text, "#include <%s>\n", name);
  }
  return pl_text_view(&text);
}

/* All but the files. */
static pl_clang_call shim_call(pl_arena *arena,
                               const pl_parse_request *request) {
  pl_clang_call call = {.arena = arena,
                        .main_name = PL_SHIM_DIR "/pl_headers.cu"};
  call.root = call.main_name;
  pl_str text = shim_main(arena, request->text);
  add_common_args(&call, request);
  add_shim_args(&call);
  add_shim_user_args(&call, request);
  add_standard(&call, request);
  add_file(&call, (pl_str){call.main_name, strlen(call.main_name)}, text.p,
           text.n);
  return call;
}

pl_clang_call pl_shim_call_for(pl_arena *arena,
                               const pl_parse_request *request) {
  pl_clang_call call = shim_call(arena, request);
  add_shim_files(&call, NULL);
  return call;
}

pl_str pl_frontend_shim_key(pl_arena *arena, const pl_parse_request *request) {
  pl_text key = {.arena = arena};
  if (!shim_precompiles(request))
    return (pl_str){NULL, 0};
  pl_clang_call call = shim_call(arena, request);
  for (size_t i = 0; i < call.nargs; i++)
    pl_text_printf(&key, "%s\n", call.args[i]);
  pl_text_add(&key, (pl_str){call.files[0].data, call.files[0].size});
  return pl_text_view(&key);
}
