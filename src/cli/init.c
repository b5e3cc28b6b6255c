/* init.c - see init.h.
 *
 * Needs the working directory, and git where it is a repository. Gives a .pipelinify
 * with each setting as a comment, a hook for git or pre-commit, and on standard output
 * what was written and what comes next. Raises nothing; what is there and differs is
 * left alone. */
#define _GNU_SOURCE
#include "init.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compile_commands.h"
#include "embedded.h"
#include "memory.h"
#include "output.h"
#include "text.h"

typedef struct starter {
  const pl_command *command;
  pl_streams streams;
  int code;
} starter;

/* ---- files ---------------------------------------------------------------- */

static void say(starter *s, const char *path, const char *what,
                const char *about) {
  if (!s->command->quiet)
    fprintf(s->streams.out, "%-8s %s: %s\n", what, path, about);
}

static void fail(starter *s, const char *path) {
  fprintf(s->streams.err, "pipelinify: error: %s: cannot be written: %s\n", path,
          strerror(errno));
  s->code = PL_EXIT_ERROR;
}

/* Whether the file is as wanted now. */
static bool write_file(starter *s, const char *path, const char *text,
                       const char *about) {
  pl_bytes there;
  bool exists = access(path, F_OK) == 0;
  bool same = exists && pl_read_file(path, &there);
  if (same) {
    same = strcmp(there.data, text) == 0;
    free(there.data);
  }
  if (same) {
    say(s, path, "kept", "is there already");
    return true;
  }
  if (exists && !s->command->force) {
    say(s, path, "kept", "is there and differs; --force overwrites it");
    return false;
  }
  bool written = pl_make_parents(path) &&
                 pl_write_file(path, text, strlen(text)) != PL_WRITE_FAILED;
  if (written)
    say(s, path, "wrote", about);
  else
    fail(s, path);
  return written;
}

/* ---- .pipelinify ----------------------------------------------------------- */

typedef struct example {
  const char *key, *value;
} example;

static const char *example_of(const char *key) {
  static const example examples[] = {
      {"variant", "cp.async"},    {"stages", "3"},
      {"gpu-architecture", "sm_90"}, {"max-smem", "49152"},
      {"block-threads", "256"},   {"min-gain", "-5"},
      {"row-padding", "auto"},
      {"cache-dir", ".pipelinify-cache"},
      {"cache-size", "512"}};
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
    if (strcmp(examples[i].key, key) == 0)
      return examples[i].value;
  return "yes"; /* a switch */
}

/* Under the title of its group, where that is another one. */
static void add_setting(FILE *out, const char *key, const char *value,
                        const char **title) {
  pl_option_info info;
  for (size_t i = 0; pl_option_at(i, &info); i++) {
    if (!info.long_name || strcmp(info.long_name + 2, key) != 0)
      continue;
    if (info.title != *title)
      fprintf(out, "\n; ---- %s\n", info.title);
    *title = info.title;
    fprintf(out, "\n; %s\n; %s = %s\n", info.help, key, value);
  }
}

/* Each setting, in the words of --help. */
static char *configuration(void) {
  pl_compile_commands *commands = pl_compile_commands_new(NULL);
  char *database = pl_compile_commands_path(commands, "./"), *text;
  const char *title = NULL;
  size_t size;
  FILE *out = pl_open_text(&text, &size);
  fputs("; Defaults of pipelinify for the CUDA sources in and below this directory."
        "\n; Comments in a source beat this file, and the command line beats both."
        "\n; 'pipelinify --dump-config FILE' prints what holds for FILE.\n"
        "[pipelinify]\n",
        out);
  for (size_t i = 0; pl_option_configurable(i); i++)
    add_setting(out, pl_option_configurable(i),
                example_of(pl_option_configurable(i)), &title);
  add_setting(out, "extra-arg", "-Iinclude -DTILE=32", &title);
  fputs(database ? "; (compile_commands.json gives each source its own)\n"
                 : "; (not needed where there is a compile_commands.json)\n",
        out);
  fclose(out);
  free(database);
  pl_compile_commands_free(commands);
  return text;
}

/* ---- the hook -------------------------------------------------------------- */

/* The first line that a program prints; NULL: it prints none, or fails. Free with
 * free. */
static char *answer_of(const char *program) {
  FILE *said = popen(program, "r");
  char *line = NULL;
  size_t room = 0;
  ssize_t n = said ? getline(&line, &room, said) : -1;
  bool good = said && pclose(said) == 0 && n > 1;
  if (good)
    line[strcspn(line, "\n")] = 0;
  char *answer = good ? pl_format("%s", line) : NULL;
  free(line);
  return answer;
}

#define ENTRY                                                                  \
  "- repo: local\n"                                                            \
  "  hooks:\n"                                                                 \
  "  - id: pipelinify-check\n"                                                 \
  "    name: pipelinify (check)\n"                                             \
  "    entry: pipelinify --check -q\n"                                         \
  "    language: system\n"                                                     \
  "    files: \\.cuh?$\n"

static const char refuses[] =
    "refuses commits of CUDA sources whose tile loops are not pipelined";

static bool holds_hook(const char *path) {
  pl_bytes bytes;
  bool there = pl_read_file(path, &bytes);
  bool ours = there && strstr(bytes.data, "id: pipelinify");
  if (there)
    free(bytes.data);
  return ours;
}

/* A list of hooks is its owner's: what belongs into it is shown. */
static void show_entry(starter *s, const char *path) {
  say(s, path, "kept", "add this below its 'repos:'");
  if (!s->command->quiet)
    fputs("\n" ENTRY "\n", s->streams.out);
}

static void set_up_pre_commit(starter *s, const char *path) {
  if (access(path, F_OK) != 0)
    write_file(s, path, "repos:\n" ENTRY, refuses);
  else if (holds_hook(path))
    say(s, path, "kept", "has a hook of pipelinify already");
  else
    show_entry(s, path);
}

static void set_up_git(starter *s, const char *hooks) {
  const pl_embedded_file *script = pl_embedded_find("git-pre-commit");
  char *path = pl_format("%s/pre-commit", hooks);
  if (write_file(s, path, script->data, refuses) &&
      chmod(path, 0777 & ~022) != 0)
    fail(s, path);
  free(path);
}

/* What lies in the working directory goes by its name alone. */
static char *shown(const char *directory, const char *name) {
  char *here = getcwd(NULL, 0), *path = NULL;
  if (here && strcmp(here, directory) == 0)
    path = pl_format("%s", name);
  free(here);
  return path ? path : pl_format("%s/%s", directory, name);
}

/* Whether the hook is one of pre-commit's. */
static bool set_up_hook(starter *s) {
  char *top = answer_of("git rev-parse --show-toplevel 2>/dev/null");
  char *hooks = answer_of("git rev-parse --git-path hooks 2>/dev/null");
  char *elsewhere = answer_of("git config core.hooksPath 2>/dev/null");
  char *tool = pl_find_program("pre-commit");
  char *config = top ? shown(top, ".pre-commit-config.yaml") : NULL;
  bool listed = config && (tool || access(config, F_OK) == 0);
  if (!top || !hooks)
    say(s, "hook", "none", "this is no git repository");
  else if (listed)
    set_up_pre_commit(s, config);
  else if (elsewhere)
    say(s, elsewhere, "kept",
        "hooks of several repositories may be there (core.hooksPath)");
  else
    set_up_git(s, hooks);
  free(config);
  free(tool);
  free(elsewhere);
  free(hooks);
  free(top);
  return listed;
}

/* ---- the whole -------------------------------------------------------------- */

static void say_next(starter *s, bool pre_commit) {
  if (s->command->quiet)
    return;
  fputs("\nnext:\n", s->streams.out);
  if (pre_commit)
    fputs("  pre-commit install               # once in each clone\n",
          s->streams.out);
  fputs("  pipelinify doctor                # what is there, what is missing\n"
        "  pipelinify -n .                  # which loops, and why not others\n"
        "  pipelinify validate FILE.cu      # proves the rewriting of one\n"
        "  pipelinify -i FILE.cu            # rewrites it in place, or in a build:\n"
        "  cmake -DCMAKE_CUDA_COMPILER_LAUNCHER=pipelinify-nvcc -B build\n",
        s->streams.out);
}

int pl_init(const pl_command *command, pl_streams streams) {
  starter s = {command, streams, PL_EXIT_FINE};
  char *text = configuration();
  write_file(&s, ".pipelinify", text, "each setting, as a comment");
  free(text);
  bool pre_commit = set_up_hook(&s);
  if (s.code == PL_EXIT_FINE)
    say_next(&s, pre_commit);
  return s.code;
}
