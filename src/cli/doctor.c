/* doctor.c - see doctor.h.
 *
 * Needs: environment.h. Gives: a list on standard output, a line a part.
 * Raises: nothing. */
#include "doctor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compile_commands.h"
#include "memory.h"
#include "pipelinify.h"
#include "reuse.h"
#include "settings.h"
#include "store.h"
#include "text.h"

typedef struct doctor {
  const pl_command *command;
  const pl_environment *env;
  FILE *out;
} doctor;

/* `found`, NULL: not there, which costs what `cost` says. Takes `found`. */
static void say(doctor *d, const char *part, char *found, const char *cost) {
  fprintf(d->out, "%-18s %s\n", part, found ? found : "none");
  if (!found && cost)
    fprintf(d->out, "%-18s   %s\n", "", cost);
  free(found);
}

static bool say_libclang(doctor *d) {
  const char *missing = pl_libclang_missing();
  if (missing)
    fprintf(d->out, "%-18s none: %s\n%-18s   nothing can be rewritten\n",
            "libclang", missing, "");
  else
    say(d, "libclang", pl_format("%s", pl_libclang_version()), NULL);
  return !missing;
}

static void say_compiler(doctor *d) {
  static const char *const names[] = {"g++", "clang++", "c++"};
  char *found = NULL;
  for (size_t i = 0; i < 3 && !found; i++)
    found = pl_find_program(names[i]);
  say(d, "C++ compiler", found, "validate cannot prove on the CPU");
}

static void say_toolkit(doctor *d) {
  const char *toolkit = pl_find_toolkit(d->command->cuda_path, d->env);
  say(d, "CUDA toolkit", toolkit ? pl_format("%s", toolkit) : NULL,
      "kernels that need its headers (CUB, CUTLASS) are refused; all others "
      "need none");
  say(d, "nvcc", pl_find_nvcc(),
      "no bench, tune or proof on a GPU here, no validate --program");
  say(d, "compute-sanitizer", pl_find_cuda_program("compute-sanitizer"),
      "proofs on a GPU go without memcheck and racecheck");
  say(d, "cuobjdump", pl_find_cuda_program("cuobjdump"),
      "measured forms go without a look at their machine code");
}

static void say_gpu(doctor *d) {
  say(d, "GPU", pl_has_cuda_device() ? pl_format("a CUDA device") : NULL,
      "no bench, tune or proof on a GPU here; --prepare=DIR packs them for "
      "another machine");
}

static void say_cache(doctor *d) {
  const char *directory = pl_reuse_directory(d->env, d->command);
  bool wanted = directory && *directory;
  pl_store store = {directory, d->command->cache_size};
  const char *cost = "each file is parsed in each run";
  if (wanted && !pl_store_open(&store))
    fprintf(d->out, "%-18s %s: %s\n%-18s   %s\n", "cache", directory,
            strerror(errno), "", cost);
  else
    say(d, "cache",
        wanted ? pl_format("%s, up to %lld MiB", directory,
                           (long long)d->command->cache_size >> 20)
               : NULL,
        cost);
}

/* The lines of --dump-config that are no default's. */
static void say_values(doctor *d, const char *text) {
  bool any = false;
  while (*text) {
    size_t n = strcspn(text, "\n");
    if (*text != ';' && *text != '[') {
      fprintf(d->out, "  %.*s\n", (int)n, text);
      any = true;
    }
    text += n + (text[n] == '\n');
  }
  if (!any)
    fputs("  defaults\n", d->out);
}

static bool say_configuration(doctor *d, const char *source, FILE *err) {
  pl_settings *settings = pl_settings_new(d->command);
  pl_compile_commands *commands =
      pl_compile_commands_new(d->command->build_dir);
  char *text;
  size_t size;
  FILE *to = pl_open_text(&text, &size);
  bool good = pl_settings_dump(settings, source, to, err);
  fclose(to);
  say(d, "compile commands", pl_compile_commands_path(commands, source),
      "include paths and macros are those after -- and of .pipelinify");
  fprintf(d->out, "configuration of %s\n", source);
  if (good)
    say_values(d, text);
  free(text);
  pl_compile_commands_free(commands);
  pl_settings_free(settings);
  return good;
}

int pl_doctor(const pl_command *command, const pl_environment *env,
              pl_streams streams) {
  doctor d = {command, env, streams.out};
  fprintf(d.out, "%-18s %s\n", "pipelinify", PL_VERSION);
  bool good = say_libclang(&d);
  say_compiler(&d);
  say_toolkit(&d);
  say_gpu(&d);
  say_cache(&d);
  if (!command->ninputs)
    good &= say_configuration(&d, "./", streams.err);
  for (size_t i = 0; i < command->ninputs; i++)
    good &= say_configuration(&d, command->inputs[i], streams.err);
  return good ? PL_EXIT_FINE : PL_EXIT_ERROR;
}
