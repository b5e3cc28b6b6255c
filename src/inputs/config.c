/* config.c - see config.h. */
#include "config.h"

#include <errno.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "above.h"
#include "memory.h"
#include "options.h"
#include "output.h"
#include "text.h"

struct pl_configs {
  const char *file;
  bool none;
  pl_above *above;
  pl_config **items;
  size_t count;
};

/* A file on its way through the INI library, which asks for line after line. */
typedef struct reading {
  pl_config *config;
  const char *next;
  int line;
  bool too_long;
  pl_command *scratch; /* values are tried on it */
  FILE *err;
} reading;

pl_configs *pl_configs_new(const char *file, bool none) {
  pl_configs *configs = pl_alloc(1, sizeof *configs);
  configs->file = file;
  configs->none = none;
  configs->above = pl_above_new(".pipelinify", NULL);
  return configs;
}

static void free_config(pl_config *config) {
  for (size_t i = 0; i < config->count; i++) {
    free(config->settings[i].key);
    free(config->settings[i].value);
  }
  free(config->settings);
  pl_words_free(&config->extra);
  free(config->path);
  free(config->directory);
  free(config);
}

void pl_configs_free(pl_configs *configs) {
  if (!configs)
    return;
  for (size_t i = 0; i < configs->count; i++)
    free_config(configs->items[i]);
  free(configs->items);
  pl_above_free(configs->above);
  free(configs);
}

static void complain(reading *r, int line, const char *message) {
  fprintf(r->err, "%s:%d: error: %s\n", r->config->path, line, message);
  r->config->good = false;
}

/* A fgets over the text, which knows the line. */
static char *read_line(char *line, int room, void *stream) {
  reading *r = stream;
  if (!*r->next)
    return NULL;
  size_t length = strcspn(r->next, "\n");
  r->line++;
  if (length + 2 > (size_t)room) {
    complain(r, r->line, "the line is too long; extra-arg may stand in several");
    line[0] = '\n';
    line[1] = 0;
  } else {
    memcpy(line, r->next, length);
    line[length] = '\n';
    line[length + 1] = 0;
  }
  r->next += length + (r->next[length] == '\n');
  return line;
}

const pl_setting *pl_config_setting(const pl_config *config, const char *key) {
  for (size_t i = 0; i < config->count; i++)
    if (strcmp(config->settings[i].key, key) == 0)
      return &config->settings[i];
  return NULL;
}

static void keep(pl_config *config, const char *key, const char *value,
                 int line) {
  config->settings = pl_resize(config->settings, config->count + 1,
                               sizeof *config->settings);
  config->settings[config->count++] =
      (pl_setting){pl_format("%s", key), pl_format("%s", value), line};
}

static void take_setting(reading *r, const char *key, const char *value) {
  const pl_setting *before = pl_config_setting(r->config, key);
  bool extra = strcmp(key, "extra-arg") == 0;
  char *message = NULL;
  if (before && !extra)
    message = pl_format("'%s' is set on line %d already", key, before->line);
  else if (extra)
    pl_words_split(&r->config->extra, value);
  else
    message = pl_option_set(r->scratch, key, value);
  if (message)
    complain(r, r->line, message);
  else
    keep(r->config, key, value, r->line);
  free(message);
}

static int take(void *user, const char *section, const char *key,
                const char *value) {
  reading *r = user;
  if (*section && strcmp(section, "pipelinify") != 0) {
    char *message = pl_format("unknown section '%s'; the one there is is "
                              "[pipelinify]", section);
    complain(r, r->line, message);
    free(message);
  } else
    take_setting(r, key, value);
  return 1;
}

static void read_text(pl_config *config, const char *text, FILE *err) {
  reading r = {.config = config, .next = text, .err = err};
  r.scratch = pl_command_new();
  int wrong = ini_parse_stream(read_line, &r, take, &r);
  if (wrong > 0)
    complain(&r, wrong, "neither 'name = value' nor [pipelinify]");
  pl_command_free(r.scratch);
}

static pl_config *read_config(char *path, FILE *err) {
  pl_config *config = pl_alloc(1, sizeof *config);
  pl_bytes bytes;
  config->good = true;
  config->path = path;
  if (!path)
    return config;
  config->directory = pl_real_directory(path);
  if (pl_read_file(path, &bytes)) {
    read_text(config, bytes.data, err);
    free(bytes.data);
  } else {
    fprintf(err, "pipelinify: error: %s: %s\n", path, strerror(errno));
    config->good = false;
  }
  return config;
}

static bool same_path(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

const pl_config *pl_configs_find(pl_configs *configs, const char *source,
                                 FILE *err) {
  char *path = NULL;
  if (!configs->none)
    path = configs->file ? pl_format("%s", configs->file)
                         : pl_above_find(configs->above, source);
  for (size_t i = 0; i < configs->count; i++)
    if (same_path(configs->items[i]->path, path)) {
      free(path);
      return configs->items[i];
    }
  configs->items = pl_resize(configs->items, configs->count + 1,
                             sizeof *configs->items);
  return configs->items[configs->count++] = read_config(path, err);
}
