/* ninja.c - see ninja.h. */
#define _GNU_SOURCE
#include "ninja.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "environment.h"
#include "memory.h"
#include "text.h"

struct pl_ninja {
  FILE *out;
  pl_bytes text;
};

/* In a value: $ alone is special. */
static void print_value(FILE *out, const char *text) {
  for (; *text; text++)
    fprintf(out, *text == '$' ? "$%c" : "%c", *text);
}

/* In a list of paths blanks and colons end one. */
static void print_path(FILE *out, const char *path) {
  for (; *path; path++)
    fprintf(out, strchr("$ :", *path) ? "$%c" : "%c", *path);
}

/* A word as the shell has it, in a value of ninja's. */
static void print_word(FILE *out, const char *word) {
  static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "%+,-./:=@_";
  if (*word && strspn(word, safe) == strlen(word)) {
    fputs(word, out);
    return;
  }
  char *quoted = pl_alloc(strlen(word) + 1, 4), *to = quoted;
  for (; *word; word++)
    to = *word == '\'' ? stpcpy(to, "'\\''") : (*to = *word, to + 1);
  fputc('\'', out);
  print_value(out, quoted);
  fputc('\'', out);
  free(quoted);
}

static void print_words(FILE *out, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    fputc(' ', out);
    print_word(out, words[i]);
  }
}

/* The program that runs now. */
static char *program_path(void) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 && (size_t)length < sizeof path
             ? pl_format("%.*s", (int)length, path)
             : pl_format("pipelinify");
}

/* ninja need not be run by who told us of a libclang. */
static void print_libclang(FILE *out) {
  const char *file = pl_environment_libclang();
  if (!file)
    return;
  fputs("PIPELINIFY_LIBCLANG=", out);
  print_word(out, file);
  fputc(' ', out);
}

static void print_command(FILE *out, const pl_command *command,
                          const char *program, bool writes_output) {
  const char *suffix = command->suffix ? command->suffix : "_pipe";
  fputs("  command = ", out);
  print_libclang(out);
  print_word(out, program);
  print_words(out, command->repeated, command->nrepeated);
  fputs(" -MD -MF $out.d", out);
  if (writes_output)
    fputs(" -o $out", out);
  else {
    fputs(" --suffix ", out);
    print_word(out, suffix);
  }
  fputs(" $in", out);
  if (command->nflags)
    fputs(" --", out);
  print_words(out, command->flags, command->nflags);
  fputc('\n', out);
}

pl_ninja *pl_ninja_new(const pl_command *command, bool writes_output) {
  pl_ninja *ninja = pl_alloc(1, sizeof *ninja);
  char *program = program_path();
  FILE *out = pl_open_text(&ninja->text.data, &ninja->text.size);
  ninja->out = out;
  fputs("# Made by pipelinify " PL_VERSION " --emit-ninja. Names are relative"
        " to the directory it\n# ran in: run ninja there, with -f.\n"
        "ninja_required_version = 1.10\nprogram = ",
        out);
  print_value(out, program);
  fputs("\n\nrule pipelinify\n", out);
  print_command(out, command, program, writes_output);
  fputs("  description = pipelinify $out\n"
        "  depfile = $out.d\n"
        "  deps = gcc\n"
        "  restat = 1\n\n",
        out);
  free(program);
  return ninja;
}

/* What ninja's build files cannot hold, or the depfiles that it reads (those of
 * ninja 1.11; later ones take quotes). */
static bool has_odd_byte(const char *path) {
  return path[strcspn(path, "\n\r\t|;&?*<>^`'\"\\")];
}

bool pl_ninja_add(pl_ninja *ninja, const char *source, const char *product) {
  if (has_odd_byte(source) || has_odd_byte(product))
    return false;
  fputs("build ", ninja->out);
  print_path(ninja->out, product);
  fputs(": pipelinify ", ninja->out);
  print_path(ninja->out, source);
  fputs(" | $program\n", ninja->out);
  return true;
}

pl_bytes pl_ninja_take(pl_ninja *ninja) {
  fclose(ninja->out);
  pl_bytes text = ninja->text;
  free(ninja);
  return text;
}
