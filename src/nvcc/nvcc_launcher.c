/* nvcc_launcher.c - see nvcc_launcher.h.
 *
 * Needs a command line `pipelinify-nvcc nvcc ...`. Gives nvcc's exit code, products
 * and messages. Raises nothing: what goes wrong is a note, and the plain source is
 * compiled. */
#define _GNU_SOURCE
#include "nvcc_launcher.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler_text.h"
#include "ignore.h"
#include "memory.h"
#include "nvcc_child.h"
#include "nvcc_depfile.h"
#include "nvcc_line.h"
#include "nvcc_place.h"
#include "output.h"
#include "record.h"
#include "run.h"
#include "settings.h"
#include "text.h"
#include "version.h"

typedef struct launcher {
  const pl_environment *env;
  pl_streams streams;
  pl_nvcc_line line;
  pl_nvcc_place place;
  char **products;  /* a source each; NULL: it is compiled as it is */
  pl_words *inputs; /* likewise: what else was read for it */
  bool verbose;
} launcher;

static const char *source_of(const launcher *l, size_t index) {
  return l->line.words[l->line.sources[index]];
}

static void note(launcher *l, const char *path, const char *why) {
  fprintf(l->streams.err,
          "pipelinify-nvcc: note: %s is compiled as it is: %s\n", path, why);
}

/* ---- the pipelined source ------------------------------------------------- */

/* As `pipelinify FLAGS -o PRODUCT SOURCE -- nvcc's words`. */
static pl_command *command_for(launcher *l, const char *source,
                               const char *product, FILE *err) {
  const char *own = pl_environment_launcher();
  const char *before = pl_environment_nvcc_prepended();
  const char *behind = pl_environment_nvcc_appended();
  pl_words words = {0};
  pl_words_add(&words, "pipelinify");
  pl_words_split(&words, own ? own : "");
  pl_words_add(&words, "-o");
  pl_words_add(&words, product);
  pl_words_add(&words, source);
  pl_words_add(&words, "--");
  pl_words_split(&words, before ? before : "");
  for (size_t i = 1; i < l->line.count; i++)
    pl_words_add(&words, l->line.words[i]);
  pl_words_split(&words, behind ? behind : "");
  pl_command *command =
      pl_command_parse((int)words.count, words.items, err);
  pl_words_free(&words);
  return command;
}

/* All that nvcc does not know of: configuration and measurements. */
static void find_inputs(const pl_command *command, const char *source,
                        pl_words *inputs, FILE *err) {
  pl_settings *settings = pl_settings_new(command);
  pl_ignores *ignores = pl_ignores_new();
  char *record = pl_record_path(command->record, source);
  free(pl_ignored_by(ignores, source));
  pl_settings_files(settings, source, inputs, err);
  pl_ignores_files(ignores, source, inputs);
  if (!command->no_record && access(record, F_OK) == 0)
    pl_words_add(inputs, record);
  free(record);
  pl_ignores_free(ignores);
  pl_settings_free(settings);
}

/* Of "pipelinify: error: k.cu: what" what; of "config:3: error: what" both. Free with
 * free. */
static char *first_error(const char *said, const char *source) {
  const char *error = strstr(said, "error: "), *from = error;
  if (!error)
    return pl_format("pipelinify did not come to an end");
  while (from > said && from[-1] != '\n')
    from--;
  if (pl_starts_with(from, "pipelinify: "))
    from = error;
  int before = (int)(error - from);
  error += strlen("error: ");
  size_t n = strlen(source);
  if (pl_starts_with(error, source) && pl_starts_with(error + n, ": "))
    error += n + 2;
  return pl_format("%.*s%.*s", before, from, (int)strcspn(error, "\n"), error);
}

/* Remarks are for those who ask for them; errors become one note. */
static void tell(launcher *l, const char *source, int code, const char *said) {
  bool failed = code > PL_EXIT_CHANGED;
  if (!failed || l->verbose)
    fputs(said, l->streams.err);
  if (!failed)
    return;
  char *why = first_error(said, source);
  note(l, source, why);
  free(why);
}

/* What is wrong with them was said. */
static void note_inputs(launcher *l, size_t index, const pl_command *command) {
  char *said;
  size_t size;
  FILE *err = pl_open_text(&said, &size);
  find_inputs(command, source_of(l, index), &l->inputs[index], err);
  fclose(err);
  free(said);
}

static void pipeline(launcher *l, size_t index) {
  const char *source = source_of(l, index);
  char *product = l->line.nsources > 1
                      ? pl_format("%s/%zu/%s", l->place.dir, index,
                                  pl_base_name(source))
                      : pl_format("%s/%s", l->place.dir, pl_base_name(source));
  char *said;
  size_t size;
  FILE *err = pl_open_text(&said, &size);
  pl_command *command = command_for(l, source, product, err);
  int code = PL_EXIT_ERROR;
  if (command && pl_make_parents(product)) {
    l->verbose = command->verbose;
    command->for_compiler = true;
    command->quiet |= !command->verbose;
    code = pl_run(command, l->env, (pl_streams){l->streams.out, err});
  }
  fclose(err);
  tell(l, source, code, said);
  free(said);
  if (command)
    note_inputs(l, index, command);
  pl_command_free(command);
  if (code > PL_EXIT_CHANGED || access(product, R_OK) != 0) {
    free(product);
    product = NULL;
  }
  l->products[index] = product;
}

/* Whether nvcc is given anything but its own command line. */
static bool pipeline_all(launcher *l) {
  bool any = false;
  l->place = pl_nvcc_place_make(&l->line);
  if (!l->place.dir) {
    note(l, source_of(l, 0), strerror(errno));
    return false;
  }
  for (size_t i = 0; i < l->line.nsources; i++) {
    pipeline(l, i);
    any |= l->products[i] || l->inputs[i].count;
  }
  return any;
}

/* ---- nvcc ----------------------------------------------------------------- */

/* The command line with the pipelined sources. Free with free. */
static char **words_for_nvcc(const launcher *l) {
  char **words = pl_alloc(l->line.count + 1, sizeof *words);
  for (size_t i = 0; i < l->line.count; i++)
    words[i] = l->line.words[i];
  for (size_t i = 0; i < l->line.nsources; i++)
    if (l->products[i])
      words[l->line.sources[i]] = l->products[i];
  return words;
}

/* Headers that were included by their absolute path have the user's again. */
static void rename_source(const launcher *l, size_t index,
                          pl_depfile_change *change) {
  const char *source = source_of(l, index), *name = pl_base_name(source);
  change->renamed = pl_alloc(2, sizeof *change->renamed);
  change->renamed[0] = (pl_renamed){l->products[index], source};
  change->nrenamed = 1;
  if (*source == '/')
    return;
  char *dir = pl_source_directory(source);
  change->renamed[1] =
      (pl_renamed){pl_format("%s/", dir),
                   pl_format("%.*s", (int)(name - source), source)};
  change->nrenamed = 2;
  free(dir);
}

static void free_change(pl_depfile_change *change) {
  if (change->nrenamed > 1) {
    free((char *)change->renamed[1].from);
    free((char *)change->renamed[1].to);
  }
  free(change->renamed);
}

static bool fix_depfile(const launcher *l, size_t index) {
  pl_depfile_change change = {.added = l->inputs[index]};
  char *path = pl_nvcc_line_depfile(&l->line, source_of(l, index));
  pl_bytes bytes;
  bool good = true;
  if (pl_read_file(path, &bytes)) {
    if (l->products[index])
      rename_source(l, index, &change);
    char *text = pl_nvcc_depfile_text(bytes.data, &change);
    good = pl_write_file(path, text, strlen(text)) != PL_WRITE_FAILED;
    free(text);
    free(bytes.data);
    free_change(&change);
  }
  free(path);
  return good;
}

static bool fix_depfiles(const launcher *l) {
  bool good = true;
  for (size_t i = 0; i < l->line.nsources && l->line.makes_depfile; i++)
    good &= fix_depfile(l, i);
  return good;
}

static void note_all(launcher *l, const char *why) {
  for (size_t i = 0; i < l->line.nsources; i++)
    if (l->products[i])
      note(l, source_of(l, i), why);
}

static void drop_products(launcher *l) {
  for (size_t i = 0; i < l->line.nsources; i++) {
    free(l->products[i]);
    l->products[i] = NULL;
  }
}

/* What nvcc says of the user's text alone is worth saying. */
static int compile_plain(launcher *l, const char *why) {
  int code = pl_nvcc_run((char **)l->line.words, NULL);
  if (code == 0)
    note_all(l, why);
  drop_products(l);
  if (code == 0)
    fix_depfiles(l);
  return code;
}

static bool any_product(const launcher *l) {
  for (size_t i = 0; i < l->line.nsources; i++)
    if (l->products[i])
      return true;
  return false;
}

static int compile(launcher *l) {
  if (!any_product(l))
    return compile_plain(l, "");
  pl_nvcc_said said;
  char **words = words_for_nvcc(l);
  int code = pl_nvcc_run(words, &said);
  free(words);
  pl_nvcc_place_remove(&l->place); /* nobody may hear what comes: SIGPIPE */
  if (code == 0 && fix_depfiles(l)) {
    pl_nvcc_pass_on(&said);
    return code;
  }
  if (l->verbose)
    pl_nvcc_pass_on(&said);
  else
    pl_nvcc_forget(&said);
  return compile_plain(l, code ? "its pipelined text does not compile"
                               : "the depfile cannot be written");
}

static int become_nvcc(char *const *words, pl_streams streams) {
  pl_nvcc_become(words);
  fprintf(streams.err, "pipelinify-nvcc: error: %s: %s\n", words[0],
          strerror(errno));
  return 127;
}

static int launch(launcher *l) {
  size_t n = l->line.nsources;
  l->products = pl_alloc(n, sizeof *l->products);
  l->inputs = pl_alloc(n, sizeof *l->inputs);
  bool differs = pipeline_all(l);
  if (!differs)
    pl_nvcc_place_remove(&l->place);
  int code = differs ? compile(l) : become_nvcc(l->line.words, l->streams);
  pl_nvcc_place_remove(&l->place);
  drop_products(l);
  for (size_t i = 0; i < n; i++)
    pl_words_free(&l->inputs[i]);
  free(l->products);
  free(l->inputs);
  return code;
}

/* ---- the command line ------------------------------------------------------ */

static const char usage[] =
    "usage: pipelinify-nvcc nvcc [nvcc's arguments]\n"
    "\n"
    "Compiles CUDA sources with nvcc, their tile loops software-pipelined on the\n"
    "way. The sources stay as they are; messages, debuggers and depfiles have the\n"
    "user's files and lines. Where that cannot be, nvcc compiles the plain source,\n"
    "and a note says why.\n"
    "\n"
    "  cmake -DCMAKE_CUDA_COMPILER_LAUNCHER=pipelinify-nvcc ...\n"
    "  make NVCC='pipelinify-nvcc nvcc'\n"
    "\n"
    "Options of pipelinify come from .pipelinify, above each source, and from\n"
    "PIPELINIFY_NVCC_FLAGS: '-v' shows remarks, '--variant=cp.async' chooses a form.\n"
    "\n"
    "  -h, --help     print this text\n"
    "  -V, --version  print the versions\n";

static bool is_either(const char *word, const char *a, const char *b) {
  return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

/* Its own command line, which names no compiler. */
static int speak(const char *word, pl_streams streams) {
  if (word && is_either(word, "-h", "--help")) {
    fputs(usage, streams.out);
    return PL_EXIT_FINE;
  }
  if (word && is_either(word, "-V", "--version")) {
    pl_print_version(streams.out);
    return PL_EXIT_FINE;
  }
  if (word)
    fprintf(streams.err,
            "pipelinify-nvcc: error: the first word is the compiler, not '%s'; "
            "options of pipelinify go into PIPELINIFY_NVCC_FLAGS\n",
            word);
  else
    fputs("pipelinify-nvcc: error: no compiler; see 'pipelinify-nvcc --help'\n",
          streams.err);
  return PL_EXIT_ERROR;
}

int pl_nvcc_launch(int argc, char **argv, const pl_environment *env,
                   pl_streams streams) {
  if (argc < 2 || argv[1][0] == '-')
    return speak(argc < 2 ? NULL : argv[1], streams);
  launcher l = {.env = env, .streams = streams, .place = {NULL, -1}};
  l.line = pl_nvcc_line_read(argv + 1, (size_t)argc - 1);
  int code = l.line.nsources ? launch(&l) : become_nvcc(argv + 1, streams);
  pl_nvcc_line_free(&l.line);
  return code;
}
