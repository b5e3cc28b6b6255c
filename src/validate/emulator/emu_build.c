/* emu_build.c - the compilers: a shared object for each kernel file, and what all
 * of them need: the runner that loads them, and our headers in the compiler's own
 * form. A cache may hold those already. See emu.h.
 *
 * Before: emu_translate.c. Next: emu_plan.c. */
#include "emu.h"

#include "digest.h"
#include "embedded.h"
#include "environment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* The two kernel files' flags: every access reported, no value changed by the
 * compiler, nothing shared between two loaded objects. */
static const char *const KERNEL_FLAGS[] = {
    "-std=c++17", "-O1", "-gdwarf-4", "-g1", "-w", "-fPIC",
    "-fsanitize=thread,alignment", "-fvisibility=hidden",
    "-fno-strict-aliasing",
    "-ffp-contract=off", "-fwrapv", "-fno-stack-protector",
    "-fno-threadsafe-statics",
    "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset",
};
static const char *const KERNEL_LINK_FLAGS[] = {
    "-shared", "-nodefaultlibs",
    "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset",
};
/* Named one by one: the default would bring the sanitizer's own hooks. The C++
 * library, whose many names cost the linker most of its time, is the runner's. */
static const char *const KERNEL_LIBRARIES[] = {"-lm", "-lc"};
static const char *const RUNNER_FLAGS[] = {
    "-std=c++17", "-O2", "-w", "-rdynamic", "-fno-exceptions", "-fno-rtti",
    "-Wl,--no-as-needed",
};

/* Rounds of compilers after the first. */
enum { MOST_REPAIRS = 8 };

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

const char *pl_emu_find_compiler(const pl_validate_request *req) {
  static const char *const NAMES[] = {"g++", "clang++", "c++"};
  if (req->compiler)
    return in_path(req->compiler) ? req->compiler : NULL;
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (in_path(NAMES[i]))
      return NAMES[i];
  return NULL;
}

static void show_command(pl_emu *p, const command *c) {
  if (p->req->verbosity < 2)
    return;
  for (size_t i = 0; i + 1 < c->n; i++)
    fprintf(p->out, "%s%s", i ? " " : "+ ", c->words[i]);
  fprintf(p->out, "\n");
}

/* Starts a program with its output in `log`; -1 where that is not possible. */
static pid_t start(pl_emu *p, command *c, const char *log) {
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

static bool is_clang(const pl_emu *p) {
  return strstr(p->compiler, "clang") != NULL;
}

static command kernel_command(pl_emu *p, const pl_emu_object *o) {
  const pl_validate_flags *flags = pl_emu_flags_of(p, o);
  command c = {.arena = p->arena};
  add_word(&c, p->compiler);
  add_words(&c, KERNEL_FLAGS, sizeof KERNEL_FLAGS / sizeof *KERNEL_FLAGS);
  add_words(&c, KERNEL_LINK_FLAGS,
            sizeof KERNEL_LINK_FLAGS / sizeof *KERNEL_LINK_FLAGS);
  if (flags->standard)
    add_word(&c, pl_arena_printf(p->arena, "-std=c++%d", flags->standard).p);
  add_word(&c, is_clang(p) ? "-ferror-limit=5" : "-fno-gnu-unique");
  if (p->precompiled) {
    add_word(&c, "-I");
    add_word(&c, p->precompiled);
  }
  add_word(&c, "-I");
  add_word(&c, pl_emu_path(p, "emu"));
  add_word(&c, "-I");
  add_word(&c, pl_emu_directory(p->arena, o->path));
  for (size_t i = 0; i < flags->n_include_dirs; i++) {
    add_word(&c, "-I");
    add_word(&c, flags->include_dirs[i]);
  }
  for (size_t i = 0; i < flags->n_defines; i++)
    if (pl_emu_is_for_library(flags->defines[i]))
      add_word(&c, pl_arena_printf(p->arena, "-D%s", flags->defines[i]).p);
  add_word(&c, "-o");
  add_word(&c, o->so);
  add_word(&c, o->cpp);
  add_words(&c, KERNEL_LIBRARIES,
            sizeof KERNEL_LIBRARIES / sizeof *KERNEL_LIBRARIES);
  return c;
}

/* GCC takes NAME.gch for NAME where it was made with the same flags, else the
 * header itself: which of the two it was changes nothing. */
static command headers_command(pl_emu *p, const char *to) {
  command c = {.arena = p->arena};
  add_word(&c, p->compiler);
  add_words(&c, KERNEL_FLAGS, sizeof KERNEL_FLAGS / sizeof *KERNEL_FLAGS);
  add_word(&c, "-fno-gnu-unique");
  add_word(&c, "-x");
  add_word(&c, "c++-header");
  add_word(&c, "-o");
  add_word(&c, to);
  add_word(&c, pl_emu_path(p, "emu/pl_entry.h"));
  return c;
}

static command runner_command(pl_emu *p, const char *to) {
  command c = {.arena = p->arena};
  add_word(&c, p->compiler);
  add_words(&c, RUNNER_FLAGS, sizeof RUNNER_FLAGS / sizeof *RUNNER_FLAGS);
  add_word(&c, "-o");
  add_word(&c, to);
  add_word(&c, pl_emu_path(p, "emu/runner.cpp"));
  add_word(&c, "-ldl");
  return c;
}

/* Of all our files, of the compiler and of what it is told. */
static pl_digest_name made_digest(const pl_emu *p, const char *const *flags,
                                  size_t n) {
  pl_hasher hasher;
  pl_hasher_start(&hasher);
  for (size_t i = 0; i < pl_embedded_count; i++) {
    const pl_embedded_file *f = &pl_embedded_files[i];
    if (pl_embedded_in(f, "emu") || pl_embedded_in(f, "common"))
      pl_hasher_add(&hasher, f->data, f->size);
  }
  for (size_t i = 0; i < n; i++)
    pl_hasher_add_text(&hasher, flags[i]);
  pl_hasher_add_text(&hasher, p->compiler);
  pl_digest digest = pl_hasher_end(&hasher);
  return pl_digest_hex(&digest);
}

/* Where a runner of these parts is kept. */
static const char *cached_runner(const pl_emu *p) {
  return pl_arena_printf(p->arena, "%s/emu-runner-%s", p->req->cache_dir,
                         made_digest(p, RUNNER_FLAGS, sizeof RUNNER_FLAGS /
                                                          sizeof *RUNNER_FLAGS)
                             .text).p;
}

/* Where the runner is, or is to be; true when it is there already. */
static bool place_runner(pl_emu *p) {
  p->runner = pl_emu_path(p, "runner");
  if (!p->req->cache_dir)
    return false;
  mkdir(p->req->cache_dir, 0700);
  p->runner = cached_runner(p);
  return access(p->runner, X_OK) == 0;
}

/* One compiler at work. `object` is NULL for the runner. */
typedef struct job {
  pid_t pid;
  pl_emu_object *object;
} job;

static bool end_job(pl_emu *p, const job *j, bool *runner_ok) {
  int status = 0;
  bool ok = j->pid > 0 && waitpid(j->pid, &status, 0) == j->pid &&
            succeeded(status);
  if (j->object)
    j->object->built = ok;
  else
    *runner_ok = ok && rename(pl_emu_path(p, "runner.new"), p->runner) == 0;
  return ok;
}

/* A runner is built beside its place and renamed, or copied into a cache that
 * lies on another file system. */
static const char *runner_target(pl_emu *p) {
  return pl_emu_path(p, "runner.new");
}

/* Compiles the objects that are not built and, where *runner_ok is false, the
 * runner, `jobs` at a time. */
static void compile_round(pl_emu *p, bool *runner_ok) {
  size_t width = p->req->jobs ? p->req->jobs : 2, n = 0, begun = 0;
  job *jobs = PL_NEW_ARRAY(p->arena, job, p->n_objects + 1);
  if (!*runner_ok) {
    if (p->req->cache_dir)
      p->runner = pl_emu_path(p, "runner");
    command c = runner_command(p, runner_target(p));
    jobs[n++] = (job){start(p, &c, pl_emu_path(p, "runner.log")), NULL};
  }
  for (size_t i = 0; i < p->n_objects; i++) {
    if (p->objects[i].built)
      continue;
    if (n - begun >= width)
      end_job(p, &jobs[begun++], runner_ok);
    command c = kernel_command(p, &p->objects[i]);
    jobs[n++] = (job){start(p, &c, p->objects[i].log), &p->objects[i]};
  }
  while (begun < n)
    end_job(p, &jobs[begun++], runner_ok);
}

/* A file of the cache under its name as a whole or not at all. */
static bool keep_file(pl_emu *p, const char *from, const char *to, mode_t mode) {
  pl_str bytes;
  const char *part = pl_arena_printf(p->arena, "%s.%ld", to, (long)getpid()).p;
  if (pl_emu_read(p->arena, from, &bytes) && pl_emu_write(part, bytes) &&
      chmod(part, mode) == 0 && rename(part, to) == 0)
    return true;
  unlink(part);
  return false;
}

/* Sets `precompiled` to the directory of our headers in the compiler's form,
 * where it pays: with many kernel files, or with a cache for the next time. */
static void precompile_headers(pl_emu *p) {
  const char *cache = p->req->cache_dir, *kept = NULL, *directory = NULL;
  if (is_clang(p) || (!cache && p->n_objects < 4))
    return;
  if (cache) {
    directory = pl_arena_printf(p->arena, "%s/emu-headers-%s", cache,
                                made_digest(p, KERNEL_FLAGS,
                                            sizeof KERNEL_FLAGS /
                                                sizeof *KERNEL_FLAGS)
                                    .text).p;
    kept = pl_arena_printf(p->arena, "%s/pl_entry.h.gch", directory).p;
    if (access(kept, R_OK) == 0) {
      p->precompiled = directory;
      return;
    }
  }
  const char *made = pl_emu_path(p, "precompiled/pl_entry.h.gch");
  int status = 0;
  mkdir(pl_emu_path(p, "precompiled"), 0700);
  command c = headers_command(p, made);
  pid_t pid = start(p, &c, pl_emu_path(p, "headers.log"));
  if (pid < 0 || waitpid(pid, &status, 0) != pid || !succeeded(status))
    return;
  p->precompiled = pl_emu_path(p, "precompiled");
  if (cache && (mkdir(directory, 0700) == 0 || errno == EEXIST))
    keep_file(p, made, kept, 0600);
}

/* What does not build for its host code is built without that. False where the
 * runner cannot be built; objects say for themselves. */
bool pl_emu_compile(pl_emu *p) {
  bool runner_ok = place_runner(p);
  precompile_headers(p);
  compile_round(p, &runner_ok);
  for (int round = 0; runner_ok && round < MOST_REPAIRS; round++) {
    if (!pl_emu_repair(p))
      break;
    compile_round(p, &runner_ok);
  }
  return runner_ok;
}

/* Keeps a freshly built runner for the next time. */
void pl_emu_keep_runner(pl_emu *p) {
  if (p->req->cache_dir && strncmp(p->runner, p->dir, strlen(p->dir)) == 0)
    keep_file(p, p->runner, cached_runner(p), 0700);
}
