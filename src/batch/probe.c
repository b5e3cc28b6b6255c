/* probe.c - see probe.h. */
#define _GNU_SOURCE
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cubin.h"
#include "environment.h"
#include "machine_code.h"
#include "memory.h"
#include "output.h"
#include "text.h"

extern char **environ;

/* Of a form whose loads stand this close to their stores, as a part of its compute, 33
 * of 300 launches gained nothing (0.987x); where a tile takes fewer instructions than
 * before it may gain all the same (docs/model-against-measured.md, "With --probe"). */
#define LEAST_AHEAD 0.1
#define FEWER_INSTRUCTIONS 0.93

enum { FORMS = 3, MOST_WORDS = 12 };

/* The kernel as it is, and its forms in registers: asynchronous copies stay where they
 * are. */
static const pl_variant probed[FORMS] = {PL_VARIANT_AUTO, PL_VARIANT_LDG,
                                         PL_VARIANT_LDG_SINGLE};

/* One text on its way through the compiler. */
typedef struct form {
  pl_result *result; /* NULL: of the source itself */
  const char *text;
  size_t length;
  bool same; /* as the source's */
  pid_t child; /* 0: not started */
} form;

struct pl_probe {
  form forms[FORMS];
  json_t *found; /* of each form an object: a function's name to what was found */
  const char *trouble;
};

/* ---- the compiler --------------------------------------------------------- */

bool pl_probe_identity(pl_digest *identity) {
  struct stat info;
  pl_hasher hasher;
  char *nvcc = pl_find_nvcc();
  bool there = nvcc && stat(nvcc, &info) == 0;
  if (there) {
    pl_hasher_start(&hasher);
    pl_hasher_add_text(&hasher, nvcc);
    pl_hasher_add_number(&hasher, info.st_size);
    pl_hasher_add_number(&hasher, info.st_mtime);
    *identity = pl_hasher_end(&hasher);
  }
  free(nvcc);
  return there;
}

/* Its words, but for what is compiled: ends with NULL. Free both with free_words. */
static char **words_of(const pl_source *source, const pl_options *options,
                       const pl_command *command, size_t *n) {
  const pl_clang_flags *flags = &command->clang;
  char **words = pl_alloc(flags->count + MOST_WORDS, sizeof *words);
  const char *path = source->path ? source->path : "";
  size_t below = (size_t)(pl_base_name(path) - path);
  words[0] = pl_find_nvcc();
  words[1] = pl_format("-std=c++%d", pl_clang_flags_standard(flags) == 20 ? 20 : 17);
  words[2] = pl_format("-arch=sm_%d", options->arch ? options->arch : 80);
  words[3] = pl_format("-cubin");
  words[4] = pl_format("-w");
  words[5] = pl_format("-Xptxas");
  words[6] = pl_format("-v");
  words[7] = below ? pl_format("-I%.*s", (int)below, path) : pl_format("-I.");
  *n = 8;
  for (size_t i = 0; i < flags->count; i++) {
    const char *word = flags->arguments[i];
    bool pair = strcmp(word, "-isystem") == 0 && i + 1 < flags->count;
    if (pair || pl_starts_with(word, "-I") || pl_starts_with(word, "-D") ||
        pl_starts_with(word, "-U"))
      words[(*n)++] = pl_format("%s", word);
    if (pair)
      words[(*n)++] = pl_format("%s", flags->arguments[++i]);
  }
  return words;
}

static void free_words(char **words) {
  for (char **word = words; *word; word++)
    free(*word);
  free(words);
}

/* A child that compiles `dir`/NAME.cu to NAME.cubin and leaves its words in NAME.log,
 * within seconds of the processor, if not 0; 0: it could not be started. */
static pid_t start(char **words, size_t n, const char *dir, const char *name,
                   rlim_t seconds) {
  const struct rlimit most = {seconds, seconds + 1};
  pid_t child = 0;
  posix_spawn_file_actions_t actions;
  char *log = pl_format("%s/%s.log", dir, name);
  words[n] = pl_format("-o");
  words[n + 1] = pl_format("%s/%s.cubin", dir, name);
  words[n + 2] = pl_format("%s/%s.cu", dir, name);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log,
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  if (posix_spawn(&child, words[0], &actions, NULL, words, environ) != 0)
    child = 0;
  else if (seconds)
    prlimit(child, RLIMIT_CPU, &most, NULL); /* what it starts inherits that */
  posix_spawn_file_actions_destroy(&actions);
  for (size_t i = n; i < n + 3; i++) {
    free(words[i]);
    words[i] = NULL;
  }
  free(log);
  return child;
}

static bool ended_well(pid_t child) {
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- what it made ---------------------------------------------------------- */

static void add_function(json_t *functions, const char *name, size_t n,
                         const char *properties, const char *end,
                         const pl_bytes *cubin) {
  int registers = 0, stores = 0, loads = 0;
  const char *spill = strstr(properties, " bytes spill stores");
  const char *used = strstr(properties, "Used ");
  if (!used || used > end)
    return;
  sscanf(used, "Used %d", &registers);
  while (spill && spill < end && spill > properties && spill[-1] >= '0' &&
         spill[-1] <= '9')
    spill--;
  if (spill && spill < end)
    sscanf(spill, "%d bytes spill stores, %d", &stores, &loads);
  char *function = pl_format("%.*s", (int)n, name);
  pl_cubin_loop loop = pl_cubin_loop_find(cubin->data, cubin->size, function);
  json_object_set_new(
      functions, function,
      json_pack("{s:i, s:i, s:b, s:i, s:i, s:f}", "registers", registers, "spills",
                stores + loads, "loop", loop.found, "instructions",
                loop.instructions, "barriers", loop.barriers, "ahead",
                loop.ahead));
  free(function);
}

/* Of ptxas' words, one function behind the other, and of the cubin. */
static json_t *functions_of(const pl_bytes *log, const pl_bytes *cubin) {
  static const char head[] = "Compiling entry function '";
  json_t *functions = json_object();
  const char *at = strstr(log->data, head);
  while (at) {
    const char *name = at + strlen(head);
    size_t n = strcspn(name, "'");
    const char *next = strstr(name, head);
    add_function(functions, name, n, name, next ? next : log->data + log->size,
                 cubin);
    at = next;
  }
  return functions;
}

static json_t *look_at(const char *dir, const char *name) {
  pl_bytes log, cubin;
  char *log_path = pl_format("%s/%s.log", dir, name);
  char *cubin_path = pl_format("%s/%s.cubin", dir, name);
  json_t *functions = NULL;
  if (pl_read_file(log_path, &log)) {
    if (pl_read_file(cubin_path, &cubin)) {
      functions = functions_of(&log, &cubin);
      free(cubin.data);
    }
    free(log.data);
  }
  free(log_path);
  free(cubin_path);
  return functions ? functions : json_object();
}

static void remove_files(const char *dir, const char *name) {
  static const char *const ends[] = {"cu", "cubin", "log"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    char *path = pl_format("%s/%s.%s", dir, name, ends[i]);
    unlink(path);
    free(path);
  }
}

static const char *name_of(size_t index) {
  return probed[index] == PL_VARIANT_AUTO ? "original"
                                          : pl_variant_name(probed[index]);
}

static void start_all(pl_probe *probe, char **words, size_t n, const char *dir,
                      rlim_t seconds) {
  for (size_t i = 0; i < FORMS; i++) {
    form *f = &probe->forms[i];
    char *path = pl_format("%s/%s.cu", dir, name_of(i));
    bool wanted = i == 0 || !f->same;
    if (wanted && pl_write_file(path, f->text, f->length) != PL_WRITE_FAILED)
      f->child = start(words, n, dir, name_of(i), seconds);
    free(path);
  }
}

static void compile(pl_probe *probe, char **words, size_t n, rlim_t seconds) {
  const char *parent = pl_environment_tmpdir();
  char *dir = pl_format("%s/pipelinify-probe-XXXXXX",
                        parent && *parent ? parent : "/tmp");
  if (!mkdtemp(dir)) {
    probe->trouble = "no room for what nvcc writes";
    free(dir);
    return;
  }
  start_all(probe, words, n, dir, seconds);
  for (size_t i = 0; i < FORMS; i++) {
    bool well = probe->forms[i].child && ended_well(probe->forms[i].child);
    json_object_set_new(probe->found, name_of(i),
                        well ? look_at(dir, name_of(i)) : json_object());
    if (i == 0 && !well)
      probe->trouble = "nvcc does not compile the source by itself, or takes too long";
    remove_files(dir, name_of(i));
  }
  rmdir(dir);
  free(dir);
}

/* ---- what an earlier run found ---------------------------------------------- */

static pl_digest key_of(const pl_probe *probe, const pl_digest *identity,
                        char *const *words) {
  pl_hasher hasher;
  pl_hasher_start(&hasher);
  pl_hasher_add_text(&hasher, "probe 1");
  pl_hasher_add(&hasher, identity, sizeof *identity);
  for (; *words; words++)
    pl_hasher_add_text(&hasher, *words);
  for (size_t i = 0; i < FORMS; i++)
    pl_hasher_add(&hasher, probe->forms[i].text, probe->forms[i].length);
  return pl_hasher_end(&hasher);
}

static bool take_earlier(pl_probe *probe, const pl_store *store,
                         const pl_digest *key) {
  pl_bytes bytes;
  json_error_t error;
  if (!store || !pl_store_get(store, key, &bytes))
    return false;
  json_t *found = json_loadb(bytes.data, bytes.size, 0, &error);
  free(bytes.data);
  if (!json_is_object(found)) {
    json_decref(found);
    return false;
  }
  json_decref(probe->found);
  probe->found = found;
  return true;
}

/* Where an include may have changed what was compiled, nothing is kept: the key knows
 * of the source alone. */
static bool may_be_kept(const pl_source *source) {
  return memmem(source->text, source->length, "#include \"", 10) == NULL;
}

static void keep(const pl_probe *probe, const pl_store *store,
                 const pl_digest *key) {
  char *text = json_dumps(probe->found, JSON_COMPACT | JSON_REAL_PRECISION(6));
  if (store && text && !probe->trouble)
    pl_store_put(store, key, (pl_bytes){text, strlen(text)});
  free(text);
}

/* ---- the run ---------------------------------------------------------------- */

static void make_forms(pl_probe *probe, const pl_source *source,
                       const pl_options *options) {
  probe->forms[0] = (form){.text = source->text, .length = source->length};
  for (size_t i = 1; i < FORMS; i++) {
    form *f = &probe->forms[i];
    pl_options asked = *options;
    asked.variant = probed[i];
    asked.variant_fixed = true;
    asked.stages = 0;
    asked.measured_choice = NULL;
    asked.dump_after = NULL;
    f->result = pl_rewrite(source->path, source->text, source->length, &asked);
    f->text = pl_result_error(f->result) ? source->text
                                         : pl_result_text(f->result, &f->length);
    if (f->text == source->text)
      f->length = source->length;
    f->same = f->length == source->length &&
              memcmp(f->text, source->text, f->length) == 0;
  }
}

static bool any_form(const pl_probe *probe) {
  for (size_t i = 1; i < FORMS; i++)
    if (!probe->forms[i].same)
      return true;
  return false;
}

pl_probe *pl_probe_run(const pl_source *source, const pl_options *options,
                       const pl_command *command, const pl_store *store) {
  pl_probe *probe = pl_alloc(1, sizeof *probe);
  pl_digest identity;
  size_t n;
  probe->found = json_object();
  if (!pl_probe_identity(&identity)) {
    probe->trouble = "no nvcc";
    return probe;
  }
  make_forms(probe, source, options);
  if (!any_form(probe))
    return probe;
  char **words = words_of(source, options, command, &n);
  pl_digest key = key_of(probe, &identity, words);
  const pl_store *kept = may_be_kept(source) ? store : NULL;
  if (!take_earlier(probe, kept, &key)) {
    compile(probe, words, n, (rlim_t)(command->timeout + 1) / 2);
    keep(probe, kept, &key);
  }
  free_words(words);
  return probe;
}

void pl_probe_free(pl_probe *probe) {
  if (!probe)
    return;
  for (size_t i = 0; i < FORMS; i++)
    if (probe->forms[i].result)
      pl_result_free(probe->forms[i].result);
  json_decref(probe->found);
  free(probe);
}

const char *pl_probe_trouble(const pl_probe *probe) { return probe->trouble; }

/* ---- answers ---------------------------------------------------------------- */

/* Barriers that a tile of a kernel's pipelined loop waits at in a form, before and
 * after; 0: not known, or loops differ. */
static void barriers_of(const form *f, const char *kernel, int *before,
                        int *after) {
  size_t n;
  const pl_kernel_report *kernels = pl_result_kernels(f->result, &n);
  *before = *after = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < kernels[i].nloops; k++) {
      const pl_loop_report *loop = &kernels[i].loops[k];
      const char *colon = strrchr(kernels[i].name, ':');
      bool ours = !kernels[i].is_global ||
                  strcmp(colon ? colon + 1 : kernels[i].name, kernel) == 0;
      if (!ours || loop->verdict != PL_VERDICT_PIPELINED)
        continue;
      bool other = *before && (*before != loop->barriers_before ||
                               *after != loop->barriers_after);
      *before = other ? -1 : loop->barriers_before;
      *after = loop->barriers_after;
    }
  if (*before <= 0 || *after <= 0)
    *before = *after = 0;
}

static double number(const json_t *object, const char *name) {
  return json_number_value(json_object_get(object, name));
}

/* Instructions a tile: a round of the machine's loop may be several. */
static double of_tile(const json_t *function, int barriers) {
  double rounds = barriers ? number(function, "barriers") / barriers : 1;
  return number(function, "instructions") / (rounds >= 1 ? rounds : 1);
}

/* Instructions of a tile in a form, for each of the kernel as it is; 0: no loop seen. */
static double longer(const json_t *before, const json_t *after, int barriers_before,
                     int barriers_after) {
  double old = json_is_true(json_object_get(before, "loop"))
                   ? of_tile(before, barriers_before) : 0;
  bool seen = old > 0 && json_is_true(json_object_get(after, "loop"));
  return seen ? of_tile(after, barriers_after) / old : 0;
}

static bool is_behind(const json_t *after, double longer) {
  double ahead = number(after, "ahead");
  return json_is_true(json_object_get(after, "loop")) && ahead >= 0 &&
         ahead < LEAST_AHEAD && (longer <= 0 || longer > FEWER_INSTRUCTIONS);
}

/* Of a template's instantiations the most registers, and behind where one is. */
bool pl_probe_compiled(const char *kernel, pl_variant variant, void *context,
                       pl_compiled *compiled) {
  const pl_probe *probe = context;
  int before = 0, after = 0;
  size_t index = 0;
  while (index < FORMS && probed[index] != variant)
    index++;
  if (index == FORMS)
    return false;
  const json_t *original = json_object_get(probe->found, name_of(0));
  json_t *functions = json_object_get(probe->found, name_of(index));
  if (!json_object_size(functions))
    return false; /* nothing was compiled; without nvcc there is no form either */
  if (index)
    barriers_of(&probe->forms[index], kernel, &before, &after);
  const char *name;
  json_t *function;
  bool any = false;
  *compiled = (pl_compiled){0};
  json_object_foreach(functions, name, function) {
    if (!pl_may_be_kernel(name, strlen(name), kernel))
      continue;
    int registers = (int)number(function, "registers");
    any = true;
    compiled->registers =
        registers > compiled->registers ? registers : compiled->registers;
    compiled->spills += (int64_t)number(function, "spills");
    double part = index ? longer(json_object_get(original, name), function, before, after)
                        : 0;
    compiled->longer = part > compiled->longer ? part : compiled->longer;
    compiled->behind |= index && is_behind(function, part);
  }
  return any;
}
