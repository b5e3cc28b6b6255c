/* emu_translate.c - a kernel file, and the headers that it includes, as C++
 * over the emulator's headers. See emu.h; emutext.h has the rules.
 *
 * Before: emu_files.c, which made the directory. Next: emu_build.c. */
#include "emu.h"

#include "embedded.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names that an #include may ask for; each gives one of our headers. */
static const struct {
  const char *name, *header;
} STAND_INS[] = {
    {"cuda_runtime.h", "pl_emu.h"},
    {"cuda_runtime_api.h", "pl_emu.h"},
    {"cuda.h", "pl_emu.h"},
    {"device_launch_parameters.h", "pl_emu.h"},
    {"device_functions.h", "pl_emu.h"},
    {"vector_types.h", "pl_emu.h"},
    {"vector_functions.h", "pl_emu.h"},
    {"math_functions.h", "pl_emu.h"},
    {"math_constants.h", "pl_emu.h"},
    {"sm_30_intrinsics.h", "pl_emu.h"},
    {"cuda_pipeline.h", "pl_emu.h"},
    {"cuda_pipeline_primitives.h", "pl_emu.h"},
    {"cuda_profiler_api.h", "pl_emu.h"},
    {"cuComplex.h", "pl_complex.h"},
    {"cuda_fp16.h", "pl_half.h"},
    {"cuda_fp16.hpp", "pl_half.h"},
    {"cuda_bf16.h", "pl_half.h"},
    {"mma.h", "pl_wmma.h"},
    {"cooperative_groups.h", "pl_groups.h"},
    {"cooperative_groups/reduce.h", "pl_groups.h"},
    {"cooperative_groups/memcpy_async.h", "pl_groups.h"},
    {"cuda/barrier", "pl_barrier.h"},
    {"cuda/pipeline", "pl_pipeline.h"},
    {"helper_cuda.h", "pl_host.h"},
    {"helper_functions.h", "pl_host.h"},
};

/* Our own headers, and the names under which CUDA files ask for them. */
bool pl_emu_write_headers(pl_emu *p) {
  mkdir(pl_emu_path(p, "emu"), 0700);
  mkdir(pl_emu_path(p, "emu/cooperative_groups"), 0700);
  mkdir(pl_emu_path(p, "emu/cuda"), 0700);
  for (size_t i = 0; i < pl_embedded_count; i++) {
    const pl_embedded_file *f = &pl_embedded_files[i];
    const char *name = pl_embedded_in(f, "emu");
    if (name &&
        !pl_emu_write(pl_arena_printf(p->arena, "%s/emu/%s", p->dir, name).p,
                      (pl_str){f->data, f->size}))
      return false;
  }
  for (size_t i = 0; i < sizeof STAND_INS / sizeof *STAND_INS; i++) {
    const char *path = pl_arena_printf(p->arena, "%s/emu/%s", p->dir,
                                       STAND_INS[i].name).p;
    pl_str text = pl_arena_printf(p->arena, "#include \"%s/emu/%s\"\n", p->dir,
                                  STAND_INS[i].header);
    if (!pl_emu_write(path, text))
      return false;
  }
  return true;
}

/* What an object's file is compiled with. */
const pl_validate_flags *pl_emu_flags_of(const pl_emu *p,
                                         const pl_emu_object *o) {
  const pl_validate_flags *own =
      o == p->objects ? NULL : p->req->variants[o - p->objects - 1].flags;
  return own ? own : &p->req->flags;
}

static const char *find_header(pl_emu *p, pl_str name) {
  const char *path = pl_arena_printf(p->arena, "%s/%.*s", p->include_from,
                                     PL_FMT(name)).p;
  if (access(path, R_OK) == 0)
    return path;
  for (size_t i = 0; i < p->include_flags->n_include_dirs; i++) {
    path = pl_arena_printf(p->arena, "%s/%.*s",
                           p->include_flags->include_dirs[i], PL_FMT(name)).p;
    if (access(path, R_OK) == 0)
      return path;
  }
  return NULL;
}

static bool is_stand_in(pl_str name) {
  for (size_t i = 0; i < sizeof STAND_INS / sizeof *STAND_INS; i++)
    if (pl_str_is(name, STAND_INS[i].name))
      return true;
  return false;
}

/* Headers of the toolkit by the beginnings of their names. */
static bool is_of_toolkit(pl_str name) {
  static const char *const STARTS[] = {
      "cub/",      "thrust/",  "cuda/",   "cublas",  "cuda_",    "cudart_",
      "cudnn",     "cufft",    "cuComplex", "cupti", "curand",   "cusolver",
      "cusparse",  "cutensor", "nccl",    "npp",     "nvjpeg",   "nvml",
      "nvrtc",     "nvToolsExt", "nvtx3/", "sm_",    "crt/",     "driver_",
      "texture_",  "surface_", "library_types.h", "builtin_types.h",
      "host_defines.h", "host_config.h", "channel_descriptor.h",
      "vector_functions.hpp", "math_functions.hpp", "device_atomic_functions",
      "cooperative_groups/", "cudaGL.h", "cufile.h", "cudla.h", "fatbinary"};
  for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++)
    if (pl_str_starts(name, STARTS[i]))
      return true;
  return false;
}

/* <vector>, <iostream>: lower case, and no dot. <bits/stdc++.h> is all of them. */
static bool is_standard(pl_str name) {
  if (pl_str_is(name, "bits/stdc++.h"))
    return true;
  for (size_t i = 0; i < name.n; i++)
    if (!(name.p[i] >= 'a' && name.p[i] <= 'z') && name.p[i] != '_')
      return false;
  return name.n > 0;
}

static bool is_among(const pl_str *names, size_t n, pl_str name) {
  for (size_t i = 0; i < n; i++)
    if (pl_str_eq(names[i], name))
      return true;
  return false;
}

static void note_standard(pl_emu *p, pl_str name) {
  if (!is_among(p->standard, p->n_standard, name))
    PL_PUSH(p->arena, p->standard, p->n_standard, p->cap_standard, name);
}

/* Headers of libraries of the host's that kernels do not ask for. */
static bool is_of_host(pl_str name) {
  static const char *const STARTS[] = {
      "torch/", "ATen/", "c10/", "pybind11/", "Python.h", "opencv2/", "mpi.h",
      "gtest/", "benchmark/", "jni.h", "hdf5.h", "GL/", "GLFW/"};
  for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++)
    if (pl_str_starts(name, STARTS[i]))
      return true;
  return false;
}

/* The stand-in includes some of the C++ library. */
static const char *stand_in_for_toolkit(pl_emu *p, pl_str name) {
  static const char *const NEEDED[] = {"algorithm", "array",   "cmath",
                                       "cstdint",   "limits",  "tuple",
                                       "type_traits", "utility"};
  for (size_t i = 0; i < sizeof NEEDED / sizeof *NEEDED; i++)
    note_standard(p, (pl_str){NEEDED[i], strlen(NEEDED[i])});
  if (!is_among(p->unknown, p->n_unknown, name))
    PL_PUSH(p->arena, p->unknown, p->n_unknown, p->cap_unknown, name);
  return "pl_toolkit.h";
}

/* The file's text without the declarations that stand in the way. */
static pl_str usable_text(pl_emu *p, const char *path, pl_str source) {
  const char **kernels =
      PL_NEW_ARRAY(p->arena, const char *, p->n_launches * p->n_objects);
  size_t n_kernels = 0;
  unsigned *lines = PL_NEW_ARRAY(p->arena, unsigned, p->n_bad_lines + 1);
  size_t n = 0;
  for (size_t i = 0; i < p->n_launches; i++)
    for (size_t o = 0; o < p->n_objects; o++)
      kernels[n_kernels++] = pl_emu_launch_of(p, i, o)->name;
  for (size_t i = 0; i < p->n_bad_lines; i++)
    if (strcmp(p->bad_lines[i].path, path) == 0)
      lines[n++] = p->bad_lines[i].line;
  pl_emudrop_note_macros(p->arena, source, &p->macros);
  pl_emudrop what = {lines, n, kernels, n_kernels, &p->macros};
  return pl_emudrop_text(p->arena, source, &what, &p->n_dropped);
}

static const char *translate_header(void *context, pl_str name, bool quoted);

static const char *known_header(const pl_emu *p, const char *real) {
  for (size_t i = 0; i < p->n_headers; i++)
    if (strcmp(p->headers[i].real, real) == 0)
      return p->headers[i].to;
  return NULL;
}

/* The file's own path: headers that include each other spell it longer each time. */
static const char *real_path(pl_arena *arena, const char *path) {
  char *real = realpath(path, NULL);
  const char *kept = pl_arena_printf(arena, "%s", real ? real : path).p;
  free(real);
  return kept;
}

/* Translates `path` into the temporary directory, once. */
static const char *copy_header(pl_emu *p, const char *path) {
  pl_str source;
  const char *real = real_path(p->arena, path);
  const char *known = known_header(p, real);
  if (known || !pl_emu_read(p->arena, path, &source))
    return known;
  const char *to = pl_arena_printf(p->arena, "%s/header%zu.h", p->dir,
                                   p->n_headers).p;
  PL_PUSH(p->arena, p->headers, p->n_headers, p->cap_headers,
          ((__typeof__(*p->headers)){path, to, real}));
  const char *outer = p->include_from;
  p->include_from = pl_emu_directory(p->arena, path);
  pl_emutext t = pl_emutext_translate(p->arena, usable_text(p, path, source),
                                      translate_header, p);
  p->include_from = outer;
  pl_str text = pl_arena_printf(p->arena, "#line 1 \"%s\"\n%.*s\n", path,
                                PL_FMT(t.text));
  return pl_emu_write(to, text) ? to : NULL;
}

static const char *translate_header(void *context, pl_str name, bool quoted) {
  pl_emu *p = context;
  if (is_stand_in(name))
    return NULL;
  const char *path = quoted ? find_header(p, name) : NULL;
  if (path)
    return copy_header(p, path);
  if (is_of_toolkit(name) || is_of_host(name))
    return stand_in_for_toolkit(p, name);
  if (!quoted && is_standard(name))
    note_standard(p, name);
  return NULL;
}

/* Does pl_emu.h include that, before its macros? */
static bool is_in_ours(pl_arena *arena, pl_str name) {
  const pl_embedded_file *ours = pl_embedded_find("emu/pl_emu.h");
  pl_str line = pl_arena_printf(arena, "#include <%.*s>\n", PL_FMT(name));
  return ours && pl_str_has((pl_str){ours->data, ours->size}, line.p);
}

/* The C++ library's headers stand in front of ours, whose macros some of them
 * use as names. In front of the rest our precompiled headers would be none. */
static void add_standard_headers(const pl_emu *p, pl_text *to) {
  for (size_t i = 0; i < p->n_standard; i++)
    if (!is_in_ours(p->arena, p->standard[i]))
      pl_text_printf(to, "#if __has_include(<%.*s>)\n#include <%.*s>\n#endif\n",
                     PL_FMT(p->standard[i]), PL_FMT(p->standard[i]));
}

/* Our headers that the text asks for stand in front of it, where its macros do
 * not reach them. */
static void add_headers(pl_text *to, pl_str text) {
  static const struct {
    const char *word, *header;
  } ASKED[] = {
      {"cuda_fp16", "pl_half.h"},          {"cuda_bf16", "pl_half.h"},
      {"mma.h", "pl_wmma.h"},              {"pl_ptx_", "pl_ptx.h"},
      {"cooperative_groups", "pl_groups.h"},
  };
  for (size_t i = 0; i < sizeof ASKED / sizeof *ASKED; i++)
    if (pl_str_has(text, ASKED[i].word))
      pl_text_printf(to, "#include \"%s\"\n", ASKED[i].header);
}

bool pl_emu_is_for_library(const char *define) {
  size_t name = strcspn(define, "=");
  return define[0] == '_' || (name == 6 && memcmp(define, "NDEBUG", name) == 0);
}

/* The command line's macros stand behind our headers, which have parameters of such
 * names (N, T). */
static void add_macros(const pl_validate_flags *flags, pl_text *to) {
  for (size_t i = 0; i < flags->n_defines; i++) {
    const char *define = flags->defines[i];
    size_t name = strcspn(define, "=");
    if (!pl_emu_is_for_library(define))
      pl_text_printf(to, "#define %.*s %s\n", (int)name, define,
                     define[name] ? define + name + 1 : "1");
  }
}

/* The lines behind the kernel file that make its kernels callable. */
static void add_entries(pl_emu *p, size_t object_index, pl_text *text) {
  pl_text_printf(text, "\n#line 1 \"launch descriptions\"\n");
  for (size_t i = 0; i < p->n_launches; i++) {
    const pl_launch *l = pl_emu_launch_of(p, i, object_index);
    if (l->types)
      pl_text_printf(text, "PL_ENTRY(%zu, (static_cast<void (*)%s>(&%s)))\n", i,
                     l->types, l->kernel);
    else
      pl_text_printf(text, "PL_ENTRY(%zu, (&%s))\n", i, l->kernel);
  }
}

bool pl_emu_translate(pl_emu *p, pl_emu_object *o, size_t index) {
  p->include_from = pl_emu_directory(p->arena, o->path);
  p->include_flags = pl_emu_flags_of(p, o);
  p->n_dropped = 0;
  o->translated =
      pl_emutext_translate(p->arena, usable_text(p, o->path, o->source),
                           translate_header, p);
  o->has_asm = o->translated.has_asm;
  o->n_dropped = p->n_dropped;
  pl_text text = {.arena = p->arena};
  add_standard_headers(p, &text);
  pl_text_printf(&text, "#include \"pl_entry.h\"\n");
  add_headers(&text, o->translated.text);
  add_macros(p->include_flags, &text);
  pl_text_printf(&text, "#line 1 \"%s\"\n", o->path);
  pl_text_add(&text, o->translated.text);
  add_entries(p, index, &text);
  o->cpp = pl_arena_printf(p->arena, "%s/k%zu.cpp", p->dir, index).p;
  o->so = pl_arena_printf(p->arena, "%s/k%zu.so", p->dir, index).p;
  o->log = pl_arena_printf(p->arena, "%s/k%zu.log", p->dir, index).p;
  return pl_emu_write(o->cpp, pl_text_view(&text));
}
