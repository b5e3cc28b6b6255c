/* settings.c - see settings.h. */
#include "settings.h"

#include <stdlib.h>
#include <string.h>

#include "compile_commands.h"
#include "config.h"
#include "memory.h"
#include "text.h"

struct pl_settings {
  const pl_command *command;
  pl_configs *configs;
  pl_compile_commands *databases;
  pl_command effective;
  pl_words words;           /* of the source's own command */
  pl_clang_flags own, file; /* of the database and of the configuration */
  pl_clang_flags extra;     /* of --extra-arg */
  const char **arguments;   /* all of them */
  char *cache_dir;          /* of the configuration */
};

pl_settings *pl_settings_new(const pl_command *command) {
  pl_settings *s = pl_alloc(1, sizeof *s);
  s->command = command;
  s->configs = pl_configs_new(command->config_file, command->no_config);
  s->databases =
      pl_compile_commands_new(command->for_compiler ? "" : command->build_dir);
  s->extra = pl_clang_flags_from(command->extra_args, command->nextra_args);
  return s;
}

static void forget_source(pl_settings *s) {
  pl_words_free(&s->words);
  pl_clang_flags_free(&s->own);
  pl_clang_flags_free(&s->file);
  free(s->arguments);
  s->arguments = NULL;
  free(s->cache_dir);
  s->cache_dir = NULL;
}

void pl_settings_free(pl_settings *settings) {
  if (!settings)
    return;
  forget_source(settings);
  pl_clang_flags_free(&settings->extra);
  pl_configs_free(settings->configs);
  pl_compile_commands_free(settings->databases);
  free(settings);
}

/* The file's values where the command line gives none. They were tried when
 * the file was read. */
static void apply_config(pl_command *effective, const pl_config *config) {
  for (size_t i = 0; i < config->count; i++)
    if (!pl_option_given(effective, config->settings[i].key))
      free(pl_option_set(effective, config->settings[i].key,
                         config->settings[i].value));
}

/* Relative to the configuration's file where that is from there. */
static void place_cache(pl_settings *s, const pl_config *config) {
  const char *directory = s->effective.cache_dir;
  if (pl_option_given(&s->effective, "cache-dir") || !directory ||
      !*directory || *directory == '/')
    return;
  s->cache_dir = pl_format("%s/%s", config->directory, directory);
  s->effective.cache_dir = s->cache_dir;
}

static void append(pl_settings *s, const pl_clang_flags *flags) {
  pl_clang_flags *all = &s->effective.clang;
  for (size_t i = 0; i < flags->count; i++)
    s->arguments[all->count++] = flags->arguments[i];
}

/* Later words win with clang: the nearer to the user, the later. */
static void join_flags(pl_settings *s) {
  const pl_clang_flags *given = &s->command->clang;
  size_t count = s->own.count + s->file.count + s->extra.count + given->count;
  s->arguments = pl_alloc(count, sizeof *s->arguments);
  s->effective.clang.arguments = s->arguments;
  s->effective.clang.count = 0;
  append(s, &s->own);
  append(s, &s->file);
  append(s, &s->extra);
  append(s, given);
}

static void choose_arch(pl_settings *s) {
  const int archs[] = {s->extra.arch, s->file.arch, s->own.arch};
  for (size_t i = 0; i < 3 && !s->effective.arch; i++)
    if (pl_arch_find(archs[i]))
      s->effective.arch = archs[i];
}

static pl_clang_flags flags_in(const pl_words *words, const char *directory) {
  pl_clang_flags flags = pl_clang_flags_from(
      (const char *const *)words->items, words->count);
  if (directory)
    pl_clang_flags_rebase(&flags, directory);
  return flags;
}

const pl_command *pl_settings_of(pl_settings *s, const char *source,
                                 FILE *err) {
  const char *directory = NULL;
  forget_source(s);
  const pl_config *config = pl_configs_find(s->configs, source, err);
  if (!config->good || !pl_compile_commands_find(s->databases, source,
                                                 &s->words, &directory, err))
    return NULL;
  s->effective = *s->command;
  apply_config(&s->effective, config);
  place_cache(s, config);
  s->own = flags_in(&s->words, directory);
  s->file = flags_in(&config->extra, config->directory);
  join_flags(s);
  choose_arch(s);
  return &s->effective;
}

void pl_settings_files(pl_settings *s, const char *source, pl_words *files,
                       FILE *err) {
  const pl_config *config = pl_configs_find(s->configs, source, err);
  char *database = pl_compile_commands_path(s->databases, source);
  if (config->path)
    pl_words_add(files, config->path);
  if (database)
    pl_words_add(files, database);
  free(database);
}

static char *number_or_auto(int64_t number, const char *prefix) {
  return number ? pl_format("%s%lld", prefix, (long long)number)
                : pl_format("auto");
}

/* As a .pipelinify has it. */
static char *value_of(const pl_command *c, const char *key) {
  if (strcmp(key, "variant") == 0)
    return pl_format("%s", pl_variant_name(c->variant));
  if (strcmp(key, "stages") == 0)
    return number_or_auto(c->stages, "");
  if (strcmp(key, "gpu-architecture") == 0)
    return number_or_auto(c->arch ? c->arch : 80, "sm_");
  if (strcmp(key, "max-smem") == 0)
    return number_or_auto(c->max_smem, "");
  if (strcmp(key, "block-threads") == 0)
    return number_or_auto(c->block_threads, "");
  if (strcmp(key, "row-padding") == 0)
    return c->row_padding < 0 ? pl_format("auto") : pl_format("%d", c->row_padding);
  if (strcmp(key, "min-gain") == 0)
    return c->least_gain > 0 ? pl_format("%g", 100 * (c->least_gain - 1))
                             : pl_format("any");
  if (strcmp(key, "cache-dir") == 0)
    return pl_format("%s", c->cache_dir ? c->cache_dir : "");
  if (strcmp(key, "cache-size") == 0)
    return pl_format("%lld", (long long)c->cache_size >> 20);
  bool yes = strcmp(key, "no-cache") == 0        ? c->no_cache
             : strcmp(key, "launch-bounds") == 0 ? c->launch_bounds
             : strcmp(key, "probe") == 0         ? c->probe
             : strcmp(key, "certificate") == 0   ? c->certificate
                                                 : c->assume_no_alias;
  return pl_format("%s", yes ? "yes" : "no");
}

static void dump_words(const pl_clang_flags *flags, const char *from,
                       FILE *out) {
  for (size_t i = 0; i < flags->count; i++)
    fprintf(out, "extra-arg = %s  ; %s\n", flags->arguments[i], from);
}

/* What is not set is a comment, so that the whole can be read again. */
static void dump_value(const pl_command *effective, const pl_config *config,
                       const char *key, FILE *out) {
  const pl_setting *setting = pl_config_setting(config, key);
  char *value = value_of(effective, key);
  if (pl_option_given(effective, key))
    fprintf(out, "%s = %s  ; command line\n", key, value);
  else if (setting)
    fprintf(out, "%s = %s  ; %s:%d\n", key, value, config->path,
            setting->line);
  else if (strcmp(key, "gpu-architecture") == 0 && effective->arch)
    fprintf(out, "%s = %s  ; compiler flags\n", key, value);
  else
    fprintf(out, "; %s = %s  ; default\n", key, value);
  free(value);
}

bool pl_settings_dump(pl_settings *s, const char *source, FILE *out,
                      FILE *err) {
  const pl_command *effective = pl_settings_of(s, source, err);
  if (!effective || s->command->verify_config)
    return effective;
  const pl_config *config = pl_configs_find(s->configs, source, err);
  fprintf(out, "; %s\n[pipelinify]\n", source);
  for (size_t i = 0; pl_option_configurable(i); i++)
    dump_value(effective, config, pl_option_configurable(i), out);
  dump_words(&s->own, "compile_commands.json", out);
  dump_words(&s->file, config->path, out);
  dump_words(&s->extra, "command line", out);
  dump_words(&s->command->clang, "command line", out);
  return true;
}
