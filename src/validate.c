/* validate.c - see validate.h.
 *
 *   translate -> compile (shared objects, runner) -> plan -> run -> verdicts
 *
 * Everything stands in one temporary directory. The runner is a process of its
 * own: a kernel that crashes it costs its own proof alone. */
#include "validate.h"

#include "environment.h"

#include "embedded.h"
#include "emutext.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_DETAILS = 12 };

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
    {"cuda_fp16.h", "pl_half.h"},
    {"cuda_fp16.hpp", "pl_half.h"},
    {"cuda_bf16.h", "pl_half.h"},
    {"mma.h", "pl_wmma.h"},
    {"cooperative_groups.h", "pl_groups.h"},
    {"cooperative_groups/reduce.h", "pl_groups.h"},
    {"cooperative_groups/memcpy_async.h", "pl_groups.h"},
    {"cublas_v2.h", "pl_host.h"},
    {"helper_cuda.h", "pl_host.h"},
    {"helper_functions.h", "pl_host.h"},
};

/* The two kernel files' flags: every access reported, no value changed by the
 * compiler, nothing shared between two loaded objects. */
static const char *const KERNEL_FLAGS[] = {
    "-std=c++17", "-O1", "-g1", "-gdwarf-4", "-w", "-fPIC", "-shared", "-fsanitize=thread",
    "-fvisibility=hidden", "-fno-strict-aliasing", "-ffp-contract=off",
    "-fwrapv", "-nodefaultlibs", "-fno-stack-protector",
    "-fno-threadsafe-statics",
};
/* Named one by one: the default would bring the sanitizer's own hooks. */
static const char *const KERNEL_LIBRARIES[] = {"-lstdc++", "-lm", "-lc"};
static const char *const RUNNER_FLAGS[] = {
    "-std=c++17", "-O2", "-w", "-rdynamic", "-fno-exceptions", "-fno-rtti",
};

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

/* What the runner calls a finding, what that proves, and how it is told. */
static const struct {
  const char *word;
  pl_proof proof;
  const char *text, *other;
} FINDINGS[] = {
    {"race", PL_PROOF_RACE, "race on", "with the access"},
    {"in-flight", PL_PROOF_IN_FLIGHT, "a copy is in flight to",
     "the copy began"},
    {"source-changed", PL_PROOF_IN_FLIGHT, "a copy in flight still reads",
     "the copy began"},
    {"uninitialised", PL_PROOF_UNINITIALISED, "reads before any write:", ""},
    {"out-of-bounds", PL_PROOF_OUT_OF_BOUNDS, "out of bounds of", ""},
    {"misaligned", PL_PROOF_OUT_OF_BOUNDS, "misaligned access to", ""},
    {"bad-copy", PL_PROOF_OUT_OF_BOUNDS,
     "an asynchronous copy of neither 4, 8 nor 16 bytes to", ""},
    {"divergence", PL_PROOF_DIVERGENCE,
     "threads of one barrier wait at different places", ""},
    {"deadlock", PL_PROOF_DIVERGENCE,
     "threads wait for others that never come", ""},
    {"trap", PL_PROOF_FAULT, "the kernel traps", ""},
    {"fault", PL_PROOF_FAULT, "the kernel crashes", ""},
    {"timeout", PL_PROOF_FAULT, "the kernel does not end", ""},
};

static const char *const ORDERS[] = {"forward", "backward", "shuffled"};
static const char *const LANDINGS[] = {"early", "late", "at random"};

/* One kernel file: the original is number 0. */
typedef struct object {
  const char *label, *path;
  pl_str source;
  const char *cpp, *so, *log;
  bool built, has_asm, crashed;
  pl_emutext translated;
} object;

typedef struct detail {
  pl_proof proof;
  pl_str text;
} detail;

/* What is known about one launch and one object. */
typedef struct tally {
  pl_proof worst;
  unsigned runs, cases;
  int last_case;
  double ms;
  detail details[MAX_DETAILS];
  size_t n_details;
} tally;

typedef struct planned_case {
  const pl_launch *launch;
  size_t launch_index;
  pl_case c;
} planned_case;

typedef struct proof {
  const pl_validate_request *req;
  FILE *out;
  pl_arena *arena;
  char *dir;
  const char *compiler, *runner;
  object *objects;
  size_t n_objects;
  const pl_launch **launches;
  size_t n_launches;
  planned_case *cases;
  size_t n_cases, cap_cases;
  tally *tallies; /* [launch * n_objects + object] */
  const char **case_errors; /* by launch */
  struct {
    const char *from, *to;
  } *headers;
  size_t n_headers, cap_headers;
  const char *include_from; /* directory of the file being translated */
  int run_case, run_object, run_order, run_landing;
  bool finished;
} proof;

const char *pl_proof_name(pl_proof p) { return PROOFS[p].name; }

int pl_proof_exit_code(pl_proof p) { return PROOFS[p].exit_code; }

/* --- files --------------------------------------------------------------- */

static bool read_file(pl_arena *arena, const char *path, pl_str *text) {
  FILE *f = fopen(path, "rb");
  if (!f)
    return false;
  pl_text to = {.arena = arena};
  char buffer[16384];
  size_t n;
  while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
    pl_text_add(&to, (pl_str){buffer, n});
  bool ok = !ferror(f);
  fclose(f);
  *text = pl_text_view(&to);
  return ok;
}

static bool write_file(const char *path, pl_str text) {
  FILE *f = fopen(path, "wb");
  if (!f)
    return false;
  bool ok = fwrite(text.p, 1, text.n, f) == text.n;
  return fclose(f) == 0 && ok;
}

static const char *in_dir(proof *p, const char *name) {
  return pl_arena_printf(p->arena, "%s/%s", p->dir, name).p;
}

static const char *directory_of(pl_arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash)
    return ".";
  return pl_arena_cstr(arena, (pl_str){path, (size_t)(slash - path) + 1});
}

static bool make_temp_dir(proof *p) {
  const char *base = pl_environment_tmpdir();
  pl_str name = pl_arena_printf(p->arena, "%s/pipelinify-XXXXXX",
                                base && *base ? base : "/tmp");
  p->dir = mkdtemp((char *)name.p);
  return p->dir != NULL;
}

/* Our own headers, and the names under which CUDA files ask for them. */
static bool write_headers(proof *p) {
  mkdir(in_dir(p, "emu"), 0700);
  mkdir(in_dir(p, "emu/cooperative_groups"), 0700);
  for (size_t i = 0; i < pl_embedded_count; i++) {
    const pl_embedded_file *f = &pl_embedded_files[i];
    const char *name = pl_embedded_in(f, "emu");
    if (name &&
        !write_file(pl_arena_printf(p->arena, "%s/emu/%s", p->dir, name).p,
                    (pl_str){f->data, f->size}))
      return false;
  }
  for (size_t i = 0; i < sizeof STAND_INS / sizeof *STAND_INS; i++) {
    const char *path = pl_arena_printf(p->arena, "%s/emu/%s", p->dir,
                                       STAND_INS[i].name).p;
    pl_str text = pl_arena_printf(p->arena, "#include \"%s/emu/%s\"\n", p->dir,
                                  STAND_INS[i].header);
    if (!write_file(path, text))
      return false;
  }
  return true;
}

/* Removes the directory that make_temp_dir made, two levels deep. */
static void remove_temp_dir(proof *p) {
  pid_t pid = fork();
  if (pid == 0) {
    execlp("rm", "rm", "-rf", "--", p->dir, (char *)NULL);
    _exit(127);
  }
  int status;
  if (pid > 0)
    waitpid(pid, &status, 0);
}

/* --- translation --------------------------------------------------------- */

static const char *find_header(proof *p, pl_str name) {
  const char *path = pl_arena_printf(p->arena, "%s/%.*s", p->include_from,
                                     PL_FMT(name)).p;
  if (access(path, R_OK) == 0)
    return path;
  for (size_t i = 0; i < p->req->n_include_dirs; i++) {
    path = pl_arena_printf(p->arena, "%s/%.*s", p->req->include_dirs[i],
                           PL_FMT(name)).p;
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

static const char *translate_header(void *context, pl_str name);

static const char *known_header(const proof *p, const char *from) {
  for (size_t i = 0; i < p->n_headers; i++)
    if (strcmp(p->headers[i].from, from) == 0)
      return p->headers[i].to;
  return NULL;
}

/* Translates `path` into the temporary directory, once. */
static const char *copy_header(proof *p, const char *path) {
  pl_str source;
  const char *known = known_header(p, path);
  if (known || !read_file(p->arena, path, &source))
    return known;
  const char *to = pl_arena_printf(p->arena, "%s/header%zu.h", p->dir,
                                   p->n_headers).p;
  PL_PUSH(p->arena, p->headers, p->n_headers, p->cap_headers,
          ((__typeof__(*p->headers)){path, to}));
  const char *outer = p->include_from;
  p->include_from = directory_of(p->arena, path);
  pl_emutext t = pl_emutext_translate(p->arena, source, translate_header, p);
  p->include_from = outer;
  pl_str text = pl_arena_printf(p->arena, "#line 1 \"%s\"\n%.*s\n", path,
                                PL_FMT(t.text));
  return write_file(to, text) ? to : NULL;
}

static const char *translate_header(void *context, pl_str name) {
  proof *p = context;
  if (is_stand_in(name))
    return NULL;
  const char *path = find_header(p, name);
  return path ? copy_header(p, path) : NULL;
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

/* The lines behind the kernel file that make its kernels callable. */
static void add_entries(proof *p, pl_text *text) {
  pl_text_printf(text, "\n#line 1 \"launch descriptions\"\n");
  for (size_t i = 0; i < p->n_launches; i++) {
    const pl_launch *l = p->launches[i];
    if (l->types)
      pl_text_printf(text, "PL_ENTRY(%zu, (static_cast<void (*)%s>(&%s)))\n", i,
                     l->types, l->kernel);
    else
      pl_text_printf(text, "PL_ENTRY(%zu, (&%s))\n", i, l->kernel);
  }
}

static bool translate(proof *p, object *o, size_t index) {
  p->include_from = directory_of(p->arena, o->path);
  o->translated =
      pl_emutext_translate(p->arena, o->source, translate_header, p);
  o->has_asm = o->translated.has_asm;
  pl_text text = {.arena = p->arena};
  pl_text_printf(&text, "#include \"pl_entry.h\"\n");
  add_headers(&text, o->translated.text);
  pl_text_printf(&text, "#line 1 \"%s\"\n", o->path);
  pl_text_add(&text, o->translated.text);
  add_entries(p, &text);
  o->cpp = pl_arena_printf(p->arena, "%s/k%zu.cpp", p->dir, index).p;
  o->so = pl_arena_printf(p->arena, "%s/k%zu.so", p->dir, index).p;
  o->log = pl_arena_printf(p->arena, "%s/k%zu.log", p->dir, index).p;
  return write_file(o->cpp, pl_text_view(&text));
}

/* --- compiling ----------------------------------------------------------- */

typedef struct command {
  pl_arena *arena;
  const char **words;
  size_t n, cap;
} command;

static void add_word(command *c, const char *word) {
  PL_PUSH(c->arena, c->words, c->n, c->cap, word);
}

static void add_words(command *c, const char *const *words, size_t n) {
  for (size_t i = 0; i < n; i++)
    add_word(c, words[i]);
}

static bool in_path(const char *program) {
  if (strchr(program, '/'))
    return access(program, X_OK) == 0;
  const char *path = pl_environment_path();
  while (path && *path) {
    size_t n = strcspn(path, ":");
    char full[4096];
    snprintf(full, sizeof full, "%.*s/%s", (int)n, path, program);
    if (access(full, X_OK) == 0)
      return true;
    path += n + (path[n] == ':');
  }
  return false;
}

static const char *find_compiler(const pl_validate_request *req) {
  static const char *const NAMES[] = {"g++", "clang++", "c++"};
  if (req->compiler)
    return in_path(req->compiler) ? req->compiler : NULL;
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (in_path(NAMES[i]))
      return NAMES[i];
  return NULL;
}

static void show_command(proof *p, const command *c) {
  if (p->req->verbosity < 2)
    return;
  for (size_t i = 0; i + 1 < c->n; i++)
    fprintf(p->out, "%s%s", i ? " " : "+ ", c->words[i]);
  fprintf(p->out, "\n");
}

/* Starts a program with its output in `log`; -1 where that is not possible. */
static pid_t start(proof *p, command *c, const char *log) {
  add_word(c, NULL);
  show_command(p, c);
  fflush(p->out);
  pid_t pid = fork();
  if (pid != 0)
    return pid;
  int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd >= 0) {
    dup2(fd, 1);
    dup2(fd, 2);
  }
  execvp(c->words[0], (char *const *)c->words);
  _exit(127);
}

static bool succeeded(int status) {
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static command kernel_command(proof *p, const object *o) {
  const pl_validate_request *req = p->req;
  command c = {.arena = p->arena};
  add_word(&c, p->compiler);
  add_words(&c, KERNEL_FLAGS, sizeof KERNEL_FLAGS / sizeof *KERNEL_FLAGS);
  add_word(&c, strstr(p->compiler, "clang") ? "-ferror-limit=5"
                                            : "-fno-gnu-unique");
  add_word(&c, "-I");
  add_word(&c, in_dir(p, "emu"));
  add_word(&c, "-I");
  add_word(&c, directory_of(p->arena, o->path));
  for (size_t i = 0; i < req->n_include_dirs; i++) {
    add_word(&c, "-I");
    add_word(&c, req->include_dirs[i]);
  }
  for (size_t i = 0; i < req->n_defines; i++)
    add_word(&c, pl_arena_printf(p->arena, "-D%s", req->defines[i]).p);
  add_word(&c, "-o");
  add_word(&c, o->so);
  add_word(&c, o->cpp);
  add_words(&c, KERNEL_LIBRARIES,
            sizeof KERNEL_LIBRARIES / sizeof *KERNEL_LIBRARIES);
  return c;
}

static command runner_command(proof *p, const char *to) {
  command c = {.arena = p->arena};
  add_word(&c, p->compiler);
  add_words(&c, RUNNER_FLAGS, sizeof RUNNER_FLAGS / sizeof *RUNNER_FLAGS);
  add_word(&c, "-o");
  add_word(&c, to);
  add_word(&c, in_dir(p, "emu/runner.cpp"));
  add_word(&c, "-ldl");
  return c;
}

/* FNV-1a over what the runner is made of, so that a cached one is the same. */
static unsigned long long runner_hash(const proof *p) {
  static const char *const PARTS[] = {"emu/runner.cpp", "emu/pl_run.h",
                                      "common/pl_param.h"};
  unsigned long long h = 1469598103934665603ull;
  for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
    const pl_embedded_file *f = pl_embedded_find(PARTS[i]);
    for (size_t k = 0; f && k < f->size; k++)
      h = (h ^ (unsigned char)f->data[k]) * 1099511628211ull;
  }
  for (const char *c = p->compiler; *c; c++)
    h = (h ^ (unsigned char)*c) * 1099511628211ull;
  return h;
}

/* Where the runner is, or is to be; true when it is there already. */
static bool place_runner(proof *p) {
  p->runner = in_dir(p, "runner");
  if (!p->req->cache_dir)
    return false;
  mkdir(p->req->cache_dir, 0700);
  p->runner = pl_arena_printf(p->arena, "%s/emu-runner-%016llx",
                              p->req->cache_dir, runner_hash(p)).p;
  return access(p->runner, X_OK) == 0;
}

/* One compiler at work. `object` is NULL for the runner. */
typedef struct job {
  pid_t pid;
  object *object;
} job;

static bool end_job(proof *p, const job *j, bool *runner_ok) {
  int status = 0;
  bool ok = j->pid > 0 && waitpid(j->pid, &status, 0) == j->pid &&
            succeeded(status);
  if (j->object)
    j->object->built = ok;
  else
    *runner_ok = ok && rename(in_dir(p, "runner.new"), p->runner) == 0;
  return ok;
}

/* A runner is built beside its place and renamed, or copied into a cache that
 * lies on another file system. */
static const char *runner_target(proof *p) { return in_dir(p, "runner.new"); }

/* Compiles all objects and the runner, `jobs` at a time. False where the runner
 * cannot be built; objects say for themselves. */
static bool compile_all(proof *p) {
  bool runner_ok = place_runner(p);
  size_t width = p->req->jobs ? p->req->jobs : 2, n = 0, begun = 0;
  job *jobs = PL_NEW_ARRAY(p->arena, job, p->n_objects + 1);
  if (!runner_ok) {
    if (p->req->cache_dir)
      p->runner = in_dir(p, "runner");
    command c = runner_command(p, runner_target(p));
    jobs[n++] = (job){start(p, &c, in_dir(p, "runner.log")), NULL};
  }
  for (size_t i = 0; i < p->n_objects; i++) {
    if (n - begun >= width)
      end_job(p, &jobs[begun++], &runner_ok);
    command c = kernel_command(p, &p->objects[i]);
    jobs[n++] = (job){start(p, &c, p->objects[i].log), &p->objects[i]};
  }
  while (begun < n)
    end_job(p, &jobs[begun++], &runner_ok);
  return runner_ok;
}

/* Keeps a freshly built runner for the next time. */
static void fill_cache(proof *p) {
  pl_str bytes;
  if (!p->req->cache_dir || strncmp(p->runner, p->dir, strlen(p->dir)) != 0)
    return;
  const char *to = pl_arena_printf(p->arena, "%s/emu-runner-%016llx",
                                   p->req->cache_dir, runner_hash(p)).p;
  const char *part = pl_arena_printf(p->arena, "%s.%ld", to, (long)getpid()).p;
  if (read_file(p->arena, p->runner, &bytes) && write_file(part, bytes) &&
      chmod(part, 0700) == 0 && rename(part, to) == 0)
    return;
  unlink(part);
}

/* --- the plan ------------------------------------------------------------ */

static void add_cases(proof *p, size_t index) {
  const pl_launch *l = p->launches[index];
  size_t total = pl_launch_case_count(l);
  size_t most = p->req->max_cases ? p->req->max_cases : 64;
  size_t n = total < most ? total : most;
  for (size_t i = 0; i < n; i++) {
    planned_case pc = {.launch = l, .launch_index = index};
    pl_launch_error error;
    pl_case_answer answer =
        pl_launch_case(p->arena, l, i * total / n, &pc.c, &error);
    if (answer == PL_CASE_ERROR) {
      p->case_errors[index] =
          pl_arena_printf(p->arena, "line %d: %s", error.line, error.text).p;
      return;
    }
    if (answer == PL_CASE_OK)
      PL_PUSH(p->arena, p->cases, p->n_cases, p->cap_cases, pc);
  }
}

static size_t cases_of(const proof *p, size_t launch) {
  size_t n = 0;
  for (size_t i = 0; i < p->n_cases; i++)
    n += p->cases[i].launch_index == launch;
  return n;
}

/* A variant's dynamic shared bytes for one case: its own expression. */
static int64_t smem_of(proof *p, const planned_case *pc, size_t object_index) {
  if (object_index == 0)
    return pc->c.smem;
  const char *text = p->req->variants[object_index - 1].smem, *why;
  if (!text)
    return pc->c.smem;
  size_t at, n = pc->c.names.n;
  const char **names = PL_NEW_ARRAY(p->arena, const char *, n + 1);
  int64_t *values = PL_NEW_ARRAY(p->arena, int64_t, n + 1), bytes = 0;
  names[0] = "smem";
  values[0] = pc->c.smem;
  for (size_t i = 0; i < n; i++) {
    names[i + 1] = pc->c.names.names[i];
    values[i + 1] = pc->c.names.values[i];
  }
  pl_names all = {names, values, n + 1};
  const pl_expr *e =
      pl_expr_parse(p->arena, (pl_str){text, strlen(text)}, &why, &at);
  if (!e || !pl_expr_eval(p->arena, e, &all, &bytes, &why))
    return pc->c.smem;
  return bytes;
}

static void plan_arg(FILE *f, const pl_case_arg *a) {
  static const char KINDS[] = "birn", DIRECTIONS[] = "iox", FILLS[] = "rgbc";
  const pl_arg *arg = a->arg;
  double low = arg->kind == PL_ARG_REAL ? arg->real : arg->low;
  fprintf(f, "arg %c %c %c %lld %lld %lld %.17g %.17g\n", KINDS[arg->kind],
          DIRECTIONS[arg->direction], FILLS[arg->fill], (long long)a->count,
          (long long)a->value, (long long)a->below, low, arg->high);
}

static void plan_case(proof *p, FILE *f, size_t index) {
  const planned_case *pc = &p->cases[index];
  const pl_case *c = &pc->c;
  fprintf(f, "case %zu %zu", index, pc->launch_index);
  for (int i = 0; i < 3; i++)
    fprintf(f, " %lld", (long long)c->grid[i]);
  for (int i = 0; i < 3; i++)
    fprintf(f, " %lld", (long long)c->block[i]);
  for (size_t o = 0; o < p->n_objects; o++)
    fprintf(f, " %lld", (long long)smem_of(p, pc, o));
  fprintf(f, "\n");
  for (size_t i = 0; i < c->n_args; i++)
    plan_arg(f, &c->args[i]);
  fprintf(f, "go\n");
}

static bool write_plan(proof *p, const char *path) {
  FILE *f = fopen(path, "w");
  if (!f)
    return false;
  fprintf(f, "budget %u\ntimeout %u\n",
          p->req->budget_ms ? p->req->budget_ms : 1000,
          p->req->timeout_s ? p->req->timeout_s : 20);
  for (size_t i = 0; i < p->n_objects; i++)
    fprintf(f, "object %s\n",
            p->objects[i].built && !p->objects[i].crashed ? p->objects[i].so
                                                          : "-");
  for (size_t i = 0; i < p->n_cases; i++) {
    size_t launch = p->cases[i].launch_index;
    if (i == 0 || p->cases[i - 1].launch_index != launch)
      fprintf(f, "cases %zu\n", cases_of(p, launch));
    plan_case(p, f, i);
  }
  return fclose(f) == 0;
}

/* --- findings ------------------------------------------------------------ */

static tally *tally_of(proof *p, size_t launch, size_t object_index) {
  return &p->tallies[launch * p->n_objects + object_index];
}

static void add_detail(tally *t, pl_proof proof_kind, pl_str text) {
  if (proof_kind > t->worst)
    t->worst = proof_kind;
  for (size_t i = 0; i < t->n_details; i++)
    if (pl_str_eq(t->details[i].text, text))
      return;
  if (t->n_details < MAX_DETAILS)
    t->details[t->n_details++] = (detail){proof_kind, text};
}

/* The first line of addr2line's answer that is in the user's files, not in what
 * we wrote around them; NULL: none is. */
static const char *place_in_output(proof *p, FILE *from) {
  char line[4096];
  const char *first = NULL;
  while (fgets(line, sizeof line, from)) {
    line[strcspn(line, " (\n")] = 0;
    if (!first && strncmp(line, p->dir, strlen(p->dir)) != 0)
      first = pl_arena_printf(p->arena, "%s", line).p;
  }
  return first && first[0] != '?' ? first : NULL;
}

/* "k.cu:40" for a code offset; NULL where it is not known. */
static const char *place_of(proof *p, const object *o, unsigned code) {
  if (!code)
    return NULL;
  pl_str line = pl_arena_printf(p->arena, "addr2line -i -e '%s' 0x%x", o->so,
                                code);
  FILE *from = popen(line.p, "r");
  if (!from)
    return NULL;
  const char *place = place_in_output(p, from);
  pclose(from);
  return place;
}

/* The name in a mangled local static: "_ZZ4gemmPKfE2As" gives "As". */
static pl_str variable_name(pl_arena *arena, const char *mangled) {
  size_t n = strlen(mangled);
  for (size_t from = n; from-- > 1;) {
    size_t digits = from;
    while (digits > 0 && mangled[digits - 1] >= '0' &&
           mangled[digits - 1] <= '9')
      digits--;
    if (digits == from || (mangled[from] >= '0' && mangled[from] <= '9'))
      continue;
    size_t length = strtoul(mangled + digits, NULL, 10);
    if (length > 0 && from + length <= n &&
        (from + length == n || mangled[from + length] == '_'))
      return pl_arena_str(arena, mangled + from, length);
  }
  return pl_arena_str(arena, mangled, n);
}

/* The mangled name of the static shared variable at `offset` of the thread-local
 * block; *offset becomes the offset in it. Empty where there is none. */
static pl_str shared_symbol(proof *p, const object *o, long *offset) {
  pl_str best = {0};
  char line[4096], name[3500];
  unsigned long value, size;
  pl_str text = pl_arena_printf(p->arena, "readelf -sW '%s'", o->so);
  FILE *from = popen(text.p, "r");
  long at = *offset;
  while (from && fgets(line, sizeof line, from)) {
    if (!strstr(line, " TLS ") ||
        sscanf(line, " %*d: %lx %lu TLS %*s %*s %*s %3499s", &value, &size,
               name) != 3)
      continue;
    if (at >= (long)value && at < (long)(value + size)) {
      best = pl_arena_str(p->arena, name, strlen(name));
      *offset = at - (long)value;
    }
  }
  if (from)
    pclose(from);
  return best;
}

static pl_str shared_variable(proof *p, const object *o, long *offset) {
  pl_str symbol = shared_symbol(p, o, offset);
  return symbol.n ? variable_name(p->arena, symbol.p)
                  : PL_STR("shared memory");
}

static pl_str target_text(proof *p, const object *o, const pl_launch *l,
                          int space, int index, long offset) {
  if (space < 0)
    return (pl_str){0};
  pl_str name = PL_STR("dynamic shared memory");
  if (space == 0)
    name = shared_variable(p, o, &offset);
  else if (space == 2 && (size_t)index < l->n_args)
    name = pl_arena_printf(p->arena, "%s", l->args[index].name);
  return pl_arena_printf(p->arena, " '%.*s' byte %ld", PL_FMT(name), offset);
}

static pl_str run_text(proof *p) {
  pl_str sizes = pl_case_sizes_text(p->arena, &p->cases[p->run_case].c);
  return pl_arena_printf(p->arena, "%.*s%sthreads %s, copies %s",
                         PL_FMT(sizes), sizes.n ? "; " : "",
                         ORDERS[p->run_order], LANDINGS[p->run_landing]);
}

static tally *tally_now(proof *p) {
  if (p->run_case < 0)
    return NULL;
  return tally_of(p, p->cases[p->run_case].launch_index,
                  (size_t)p->run_object);
}

/* The runner's numbers for one finding. `offset` is a line for the findings
 * that concern barriers. */
typedef struct finding {
  char word[32];
  unsigned code, other;
  int space, index;
  long offset;
  int thread, other_thread;
} finding;

/* "k.cu:40: race on 'As' byte 4 (thread 1; with the access of thread 2 at
 * k.cu:33)" */
static pl_str finding_text(proof *p, const finding *f, size_t kind) {
  const object *o = &p->objects[p->run_object];
  const pl_launch *l = p->cases[p->run_case].launch;
  pl_text text = {.arena = p->arena};
  const char *place = place_of(p, o, f->code);
  bool barrier = FINDINGS[kind].proof == PL_PROOF_DIVERGENCE;
  if (barrier)
    pl_text_printf(&text, "%s:%ld: ", o->path, f->offset);
  else
    pl_text_printf(&text, "%s: ", place ? place : o->path);
  pl_text_printf(&text, "%s", FINDINGS[kind].text);
  pl_text_add(&text, target_text(p, o, l, f->space, f->index, f->offset));
  if (f->thread >= 0)
    pl_text_printf(&text, " (thread %d", f->thread);
  if (barrier && f->other)
    pl_text_printf(&text, "; others at line %u", f->other);
  const char *other = barrier ? NULL : place_of(p, o, f->other);
  if (other)
    pl_text_printf(&text, "; %s at %s", FINDINGS[kind].other, other);
  if (other && f->other_thread >= 0)
    pl_text_printf(&text, " by thread %d", f->other_thread);
  if (f->thread >= 0)
    pl_text_printf(&text, ")");
  return pl_text_view(&text);
}

/* Is a finding of this word and code known already for this object? Then the
 * costly look-up of its place is not done again. */
static bool is_new(proof *p, tally *t, const finding *f) {
  pl_str key = pl_arena_printf(p->arena, "%s %x %ld", f->word, f->code,
                               f->code ? 0L : f->offset);
  static const char MARK[] = "\1";
  for (size_t i = 0; i < t->n_details; i++) {
    const char *p_end = t->details[i].text.p + t->details[i].text.n;
    if (*p_end == *MARK && strcmp(p_end + 1, key.p) == 0)
      return false;
  }
  return true;
}

/* The compiler's own "is it constructed?" byte beside a shared object of class
 * type is read before anything is written, and means nothing. */
static bool is_guard(proof *p, const finding *f) {
  long offset = f->offset;
  return f->space == 0 && strcmp(f->word, "uninitialised") == 0 &&
         pl_str_starts(shared_symbol(p, &p->objects[p->run_object], &offset),
                       "_ZGV");
}

static void on_finding(proof *p, const char *line) {
  finding f;
  tally *t = tally_now(p);
  if (!t || sscanf(line, "finding\t%31s %x %x %d %d %ld %d %d", f.word, &f.code,
                   &f.other, &f.space, &f.index, &f.offset, &f.thread,
                   &f.other_thread) != 8)
    return;
  for (size_t k = 0; k < sizeof FINDINGS / sizeof *FINDINGS; k++) {
    if (strcmp(f.word, FINDINGS[k].word) != 0)
      continue;
    bool looked_up = !is_new(p, t, &f);
    if (!looked_up && is_guard(p, &f))
      return;
    pl_proof kind = FINDINGS[k].proof;
    if (p->run_object == 0 && strcmp(f.word, "timeout") == 0)
      kind = PL_PROOF_TOO_LONG;
    if (kind > t->worst)
      t->worst = kind;
    if (t->n_details == MAX_DETAILS || looked_up)
      return;
    pl_str text = finding_text(p, &f, k), run = run_text(p);
    pl_str whole = pl_arena_printf(
        p->arena, "%.*s [%.*s]\1%s %x %ld", PL_FMT(text), PL_FMT(run), f.word,
        f.code, f.code ? 0L : f.offset);
    whole.n = (size_t)(strchr(whole.p, '\1') - whole.p);
    add_detail(t, kind, whole);
  }
}

static void on_difference(proof *p, const char *line, pl_proof kind) {
  int arg;
  size_t index;
  char want[64], got[64];
  tally *t = tally_now(p);
  if (!t || sscanf(line, "%*s\t%d\t%zu\t%*x\t%*x\t%63s\t%63s", &arg, &index,
                   want, got) != 4)
    return;
  if (kind > t->worst)
    t->worst = kind;
  if (t->n_details >= 4)
    return;
  const pl_launch *l = p->cases[p->run_case].launch;
  pl_str run = run_text(p);
  pl_str text = pl_arena_printf(p->arena, "%s[%zu]: %s, should be %s [%.*s]",
                                l->args[arg].name, index, got, want,
                                PL_FMT(run));
  add_detail(t, kind, text);
}

static void on_run(proof *p, const char *line) {
  if (sscanf(line, "run\t%d\t%d\t%d\t%d", &p->run_case, &p->run_object,
             &p->run_order, &p->run_landing) != 4)
    return;
  tally *t = tally_now(p);
  t->runs++;
  if (t->last_case != p->run_case)
    t->cases++;
  t->last_case = p->run_case;
}

static void on_unloadable(proof *p, const char *why) {
  object *o = &p->objects[p->run_object];
  o->built = false;
  write_file(o->log, (pl_str){why, strlen(why)});
}

static void on_signature(proof *p, const char *line) {
  int index, object_index;
  if (sscanf(line, "signature\t%d\t%d", &index, &object_index) != 2)
    return;
  add_detail(tally_of(p, p->cases[index].launch_index, (size_t)object_index),
             PL_PROOF_BUILD_FAILED,
             PL_STR("the rewritten kernel has other parameters"));
}

/* One line of the runner's report. */
static void on_line(proof *p, const char *line, size_t *next_case) {
  if (!strncmp(line, "run\t", 4))
    on_run(p, line);
  else if (!strncmp(line, "finding\t", 8))
    on_finding(p, line);
  else if (!strncmp(line, "differs\t", 8))
    on_difference(p, line, PL_PROOF_DIFFERS);
  else if (!strncmp(line, "nondeterministic\t", 17))
    on_difference(p, line, PL_PROOF_NONDETERMINISTIC);
  else if (!strncmp(line, "load\t", 5))
    p->run_object = atoi(line + 5);
  else if (!strncmp(line, "unloadable\t", 11))
    on_unloadable(p, line + 11);
  else if (!strncmp(line, "signature\t", 10))
    on_signature(p, line);
  else if (!strncmp(line, "begin\t", 6))
    *next_case = (size_t)atoi(line + 6);
  else if (!strncmp(line, "undescribed\t", 12))
    p->case_errors[p->cases[*next_case].launch_index] =
        pl_arena_printf(p->arena, "%s", line + 12).p;
  else if (!strcmp(line, "end"))
    p->finished = true;
}

/* Runs the plan once and reads its report. False where the runner cannot be
 * started. */
static bool run_plan(proof *p) {
  const char *plan = in_dir(p, "plan");
  if (!write_plan(p, plan))
    return false;
  pl_str line = pl_arena_printf(p->arena, "'%s' '%s' 2>/dev/null", p->runner,
                                plan);
  FILE *from = popen(line.p, "r");
  if (!from)
    return false;
  char text[4096];
  size_t next_case = 0;
  p->run_case = -1;
  p->finished = false;
  while (fgets(text, sizeof text, from)) {
    text[strcspn(text, "\n")] = 0;
    on_line(p, text, &next_case);
  }
  pclose(from);
  return true;
}

static void clear_tallies(proof *p) {
  for (size_t i = 0; i < p->n_launches * p->n_objects; i++)
    p->tallies[i] = (tally){.last_case = -1};
}

/* A runner that died names its last run; that kernel is left out and the rest
 * is run again. */
static void run_all(proof *p) {
  for (size_t tries = 0; tries <= p->n_objects; tries++) {
    tally *keep = PL_NEW_ARRAY(p->arena, tally, p->n_launches * p->n_objects);
    memcpy(keep, p->tallies,
           sizeof *keep * p->n_launches * p->n_objects);
    clear_tallies(p);
    for (size_t i = 0; i < p->n_launches * p->n_objects; i++)
      if (p->objects[i % p->n_objects].crashed)
        p->tallies[i] = keep[i];
    if (!run_plan(p) || p->finished)
      return;
    if (p->run_case < 0)
      return;
    add_detail(tally_now(p), PL_PROOF_FAULT, PL_STR("the emulator crashes"));
    p->objects[p->run_object].crashed = true;
    if (p->run_object == 0)
      return;
  }
}

/* --- verdicts ------------------------------------------------------------ */

/* The first error line of a compiler's log. */
static pl_str first_error(proof *p, const object *o) {
  pl_str log;
  if (!read_file(p->arena, o->log, &log))
    return PL_STR("no compiler output");
  char *text = pl_arena_cstr(p->arena, log);
  char *error = strstr(text, "error:");
  char *from = error ? error : text;
  while (from > text && from[-1] != '\n')
    from--;
  return (pl_str){from, strcspn(from, "\n")};
}

static bool is_asm_error(proof *p, const object *o) {
  pl_str log;
  return o->has_asm && read_file(p->arena, o->log, &log) &&
         pl_str_has(log, "pl_ptx_");
}

static pl_proof build_verdict(proof *p, const object *o, bool original) {
  if (o->built)
    return PL_PROOF_EQUAL;
  if (is_asm_error(p, o))
    return PL_PROOF_GPU_ONLY;
  return original ? PL_PROOF_NOT_BUILT : PL_PROOF_BUILD_FAILED;
}

/* Uninitialised reads that the original makes too are the original's own. */
static pl_proof variant_verdict(const tally *original, const tally *variant) {
  bool faulty = original->worst > PL_PROOF_UNINITIALISED;
  if (faulty)
    return PL_PROOF_ORIGINAL_FAULTY;
  if (original->worst == PL_PROOF_NONDETERMINISTIC ||
      original->worst == PL_PROOF_TOO_LONG)
    return original->worst;
  if (variant->worst == PL_PROOF_UNINITIALISED &&
      original->worst == PL_PROOF_UNINITIALISED)
    return PL_PROOF_EQUAL;
  return variant->worst;
}

static pl_proof verdict(proof *p, size_t launch, size_t object_index,
                        pl_str *why) {
  pl_proof built = build_verdict(p, &p->objects[0], true);
  const object *blamed = &p->objects[0];
  if (built == PL_PROOF_EQUAL) {
    blamed = &p->objects[object_index];
    built = build_verdict(p, blamed, false);
  }
  if (built != PL_PROOF_EQUAL) {
    *why = first_error(p, blamed);
    return built;
  }
  if (p->case_errors[launch]) {
    *why = (pl_str){p->case_errors[launch], strlen(p->case_errors[launch])};
    return PL_PROOF_UNDESCRIBED;
  }
  if (cases_of(p, launch) == 0)
    return PL_PROOF_NO_CASES;
  return variant_verdict(tally_of(p, launch, 0),
                         tally_of(p, launch, object_index));
}

/* Findings of the kind that gave the verdict come first. */
static void print_details(proof *p, const tally *t, const char *prefix) {
  size_t most = p->req->verbosity > 0 ? MAX_DETAILS : 4, shown = 0;
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

static void print_verdict(proof *p, size_t launch, size_t object_index,
                          pl_proof v, pl_str why) {
  const pl_launch *l = p->launches[launch];
  const tally *t = tally_of(p, launch, object_index);
  if (p->req->verbosity < 0 && v == PL_PROOF_EQUAL)
    return;
  fprintf(p->out, "emulated: %s: %s: %s", l->kernel,
          p->objects[object_index].label, PROOFS[v].name);
  if (t->runs)
    fprintf(p->out, " (%u size sets, %u runs)", t->cases, t->runs);
  fprintf(p->out, "\n");
  if (why.n)
    fprintf(p->out, "  %.*s\n", PL_FMT(why));
  const tally *original = tally_of(p, launch, 0);
  if (blames_original(v) || p->req->verbosity > 0)
    print_details(p, original, "original: ");
  if (!blames_original(v) && (v != PL_PROOF_EQUAL || p->req->verbosity > 0))
    print_details(p, t, "");
}

static const char *first_detail(proof *p, const tally *t) {
  size_t best = 0;
  for (size_t i = t->n_details; i-- > 0;)
    if (t->details[i].proof == t->worst)
      best = i;
  return pl_arena_cstr(p->arena, t->details[best].text);
}

static void tell(proof *p, size_t launch, size_t object_index, pl_proof v,
                 pl_str why) {
  const pl_validate_request *req = p->req;
  const tally *t = tally_of(p, launch, blames_original(v) ? 0 : object_index);
  const char *text = why.n          ? pl_arena_cstr(p->arena, why)
                     : t->n_details ? first_detail(p, t)
                                    : "";
  if (req->verdict)
    req->verdict(req->context, p->launches[launch],
                 &req->variants[object_index - 1], v, text);
}

/* 3 beats 4 beats 0: a finding is worth more than what could not be run. */
static int report_all(proof *p) {
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

/* --- the whole ----------------------------------------------------------- */

static bool wanted(const pl_validate_request *req, const pl_launch *l) {
  return !req->kernel || strcmp(req->kernel, l->name) == 0 ||
         strcmp(req->kernel, l->kernel) == 0;
}

static void pick_launches(proof *p) {
  const pl_launch_list *list = p->req->launches;
  p->launches = PL_NEW_ARRAY(p->arena, const pl_launch *, list->n + 1);
  for (size_t i = 0; i < list->n; i++)
    if (wanted(p->req, &list->launches[i]))
      p->launches[p->n_launches++] = &list->launches[i];
}

static bool load_object(proof *p, object *o, const char *label,
                        const char *path, const char *text, size_t len) {
  o->label = label;
  o->path = path;
  o->source = (pl_str){text, len};
  if (text || read_file(p->arena, path, &o->source))
    return true;
  fprintf(p->out, "%s: cannot be read: %s\n", path, strerror(errno));
  return false;
}

static bool load_objects(proof *p) {
  const pl_validate_request *req = p->req;
  p->n_objects = req->n_variants + 1;
  p->objects = PL_NEW_ARRAY(p->arena, object, p->n_objects);
  if (!load_object(p, &p->objects[0], "original", req->path, req->text,
                   req->len))
    return false;
  for (size_t i = 0; i < req->n_variants; i++) {
    const pl_validate_variant *v = &req->variants[i];
    if (!load_object(p, &p->objects[i + 1], v->label, v->path, v->text, v->len))
      return false;
  }
  return true;
}

static bool write_objects(proof *p) {
  if (!make_temp_dir(p) || !write_headers(p))
    return false;
  for (size_t i = 0; i < p->n_objects; i++)
    if (!translate(p, &p->objects[i], i))
      return false;
  return true;
}

static void make_tallies(proof *p) {
  size_t n = p->n_launches * p->n_objects;
  p->tallies = PL_NEW_ARRAY(p->arena, tally, n + 1);
  p->case_errors = PL_NEW_ARRAY(p->arena, const char *, p->n_launches + 1);
  clear_tallies(p);
  for (size_t i = 0; i < p->n_launches; i++)
    add_cases(p, i);
}

static int cannot_run(proof *p, const char *why) {
  fprintf(p->out, "emulated: not run: %s\n", why);
  return 4;
}

static int prove(proof *p) {
  pick_launches(p);
  if (p->n_launches == 0)
    return cannot_run(p, "no launch description");
  if (!(p->compiler = find_compiler(p->req)))
    return cannot_run(p, "no C++ compiler found");
  if (!load_objects(p))
    return cannot_run(p, "a source file is missing");
  if (!write_objects(p))
    return cannot_run(p, "no temporary directory");
  make_tallies(p);
  if (!compile_all(p))
    return cannot_run(p, "the emulator cannot be compiled");
  fill_cache(p);
  if (p->objects[0].built)
    run_all(p);
  return report_all(p);
}

int pl_validate_cpu(const pl_validate_request *request, FILE *out) {
  pl_arena *arena = pl_arena_new(abort);
  proof p = {.req = request, .out = out, .arena = arena};
  int code = prove(&p);
  if (p.dir && request->keep_temp)
    fprintf(out, "emulated: files kept in %s\n", p.dir);
  else if (p.dir)
    remove_temp_dir(&p);
  pl_arena_free(arena);
  return code;
}
