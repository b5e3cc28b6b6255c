/* compile_commands.c - see compile_commands.h. */
#define _GNU_SOURCE
#include "compile_commands.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "above.h"
#include "memory.h"
#include "text.h"

static const char file_name[] = "compile_commands.json";

typedef struct database {
  char *path;
  json_t *root; /* NULL: unreadable */
  /* Arrays of entries by the base name of their file. What was asked for once
   * is in by_file, an entry by the real path of its file, and not here. */
  json_t *by_name, *by_file;
} database;

struct pl_compile_commands {
  const char *build_dir;
  pl_above *above; /* which directory of a source has one */
  database *databases;
  size_t count;
};

pl_compile_commands *pl_compile_commands_new(const char *build_dir) {
  pl_compile_commands *commands = pl_alloc(1, sizeof *commands);
  commands->build_dir = build_dir;
  commands->above = pl_above_new(file_name, "build/compile_commands.json");
  return commands;
}

void pl_compile_commands_free(pl_compile_commands *commands) {
  if (!commands)
    return;
  for (size_t i = 0; i < commands->count; i++) {
    free(commands->databases[i].path);
    json_decref(commands->databases[i].by_name);
    json_decref(commands->databases[i].by_file);
    json_decref(commands->databases[i].root);
  }
  free(commands->databases);
  pl_above_free(commands->above);
  free(commands);
}

static json_t *load(const char *path, FILE *err) {
  json_error_t error;
  json_t *root = NULL;
  if (access(path, R_OK) != 0)
    fprintf(err, "pipelinify: error: %s: %s\n", path, strerror(errno));
  else if (!(root = json_load_file(path, 0, &error)))
    fprintf(err, "%s:%d: error: %s\n", path, error.line > 0 ? error.line : 1,
            error.text);
  else if (!json_is_array(root)) {
    fprintf(err, "%s:1: error: not an array of compile commands\n", path);
    json_decref(root);
    root = NULL;
  }
  return root;
}

static const char *text_of(const json_t *entry, const char *key) {
  return json_string_value(json_object_get(entry, key));
}

static json_t *names_of(const json_t *root) {
  json_t *names = pl_made(json_object()), *entry;
  size_t i;
  json_array_foreach(root, i, entry) {
    const char *file = text_of(entry, "file");
    if (!file || !text_of(entry, "directory"))
      continue;
    json_t *group = json_object_get(names, pl_base_name(file));
    if (!group) {
      group = json_array();
      json_object_set_new(names, pl_base_name(file), group);
    }
    json_array_append(group, entry);
  }
  return names;
}

static database *database_at(pl_compile_commands *commands,
                                   const char *path, FILE *err) {
  for (size_t i = 0; i < commands->count; i++)
    if (strcmp(commands->databases[i].path, path) == 0)
      return &commands->databases[i];
  commands->databases = pl_resize(commands->databases, commands->count + 1,
                                  sizeof *commands->databases);
  database *fresh = &commands->databases[commands->count++];
  json_t *root = load(path, err);
  *fresh = (database){pl_format("%s", path), root, names_of(root),
                      pl_made(json_object())};
  return fresh;
}

/* The real path of an entry's file, or its path where there is none. */
static char *file_of(const json_t *entry) {
  const char *file = text_of(entry, "file"), *dir = text_of(entry, "directory");
  char *path = file[0] == '/' ? pl_format("%s", file)
                              : pl_format("%s/%s", dir, file);
  char *real = realpath(path, NULL);
  if (!real)
    return path;
  free(path);
  return real;
}

/* Of several entries for a file the first one counts. */
static void resolve(database *base, const char *name) {
  size_t i;
  json_t *entry;
  json_array_foreach(json_object_get(base->by_name, name), i, entry) {
    char *file = file_of(entry);
    if (!json_object_get(base->by_file, file))
      json_object_set(base->by_file, file, entry);
    free(file);
  }
  json_object_del(base->by_name, name);
}

static const json_t *entry_of(database *base, const char *wanted) {
  resolve(base, pl_base_name(wanted));
  return json_object_get(base->by_file, wanted);
}

static void add_arguments(pl_words *words, const json_t *arguments) {
  size_t i;
  json_t *word;
  json_array_foreach(arguments, i, word)
    if (i > 0 && json_is_string(word))
      pl_words_add(words, json_string_value(word));
}

static void add_command(pl_words *words, const char *command) {
  pl_words all = {0};
  pl_words_split(&all, command);
  for (size_t i = 1; i < all.count; i++)
    pl_words_add(words, all.items[i]);
  pl_words_free(&all);
}

static void add_entry(pl_words *words, const json_t *entry) {
  const json_t *arguments = json_object_get(entry, "arguments");
  const char *command = text_of(entry, "command");
  if (json_is_array(arguments))
    add_arguments(words, arguments);
  else if (command)
    add_command(words, command);
  pl_words_expand(words, text_of(entry, "directory"));
}

char *pl_compile_commands_path(pl_compile_commands *commands,
                               const char *path) {
  if (!commands->build_dir)
    return pl_above_find(commands->above, path);
  if (!*commands->build_dir)
    return NULL;
  return pl_format("%s/%s", commands->build_dir, file_name);
}

bool pl_compile_commands_find(pl_compile_commands *commands, const char *path,
                              pl_words *words, const char **directory,
                              FILE *err) {
  char *where = pl_compile_commands_path(commands, path);
  if (!where)
    return true;
  database *base = database_at(commands, where, err);
  free(where);
  char *real = base->root ? realpath(path, NULL) : NULL;
  const json_t *entry = real ? entry_of(base, real) : NULL;
  free(real);
  if (entry) {
    add_entry(words, entry);
    *directory = text_of(entry, "directory");
  }
  return base->root;
}
