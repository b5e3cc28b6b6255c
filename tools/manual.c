/* manual.c - the man page from docs/pipelinify.1.in, where a line @GROUP@ stands
 * for the options of that group of options.def.
 *
 *   manual TEMPLATE >pipelinify.1
 *
 * Run while the program is built. A group that the template lacks, has twice or
 * invents is an error, so that no option can be missing. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../rewriter/pipelinify.h"

typedef struct row {
  const char *group, *short_name, *long_name, *value, *help;
} row;

static const row rows[] = {
#define PL_GROUP(...)
#define PL_OPTION(group, short_name, long_name, value, action, help) \
  {#group, short_name, long_name, value, help},
#include "../src/options/options.def"
#undef PL_GROUP
#undef PL_OPTION
};

typedef struct group {
  const char *id;
  bool printed;
} group;

static group groups[] = {
#define PL_GROUP(id, commands, title) {#id, false},
#define PL_OPTION(...)
#include "../src/options/options.def"
#undef PL_GROUP
#undef PL_OPTION
};

enum {
  ROWS = sizeof rows / sizeof *rows,
  GROUPS = sizeof groups / sizeof *groups
};

/* A hyphen that is typed, and what roff would take for its own. */
static void print_escaped(const char *text) {
  for (const char *c = text; *c; c++) {
    bool typed = *c == '-' && (c == text || !isalnum((unsigned char)c[-1]));
    if (*c == '\\')
      fputs("\\e", stdout);
    else if (typed)
      fputs("\\-", stdout);
    else if (c[0] == ' ' && c > text && c[-1] == '.')
      putchar('\n'); /* mdoc: a new sentence, a new line */
    else
      putchar(*c);
  }
}

static void print_name(const char *name) {
  fputs(" Fl ", stdout);
  fputs(name + 1, stdout);
}

/* "[=FILE]" may be left out. */
static void print_value(const row *r) {
  if (!r->value)
    return;
  if (r->value[0] == '[')
    printf(" Ns Op = Ns Ar %.*s", (int)strcspn(r->value + 2, "]"),
           r->value + 2);
  else
    printf(r->long_name ? " Ns = Ns Ar %s" : " Ar %s", r->value);
}

static void print_row(const row *r) {
  fputs(".It", stdout);
  if (r->short_name)
    print_name(r->short_name);
  if (r->short_name && r->long_name)
    fputs(" ,", stdout);
  if (r->long_name)
    print_name(r->long_name);
  print_value(r);
  putchar('\n');
  print_escaped(r->help);
  putchar('\n');
}

static bool print_group(const char *id) {
  group *wanted = NULL;
  for (int i = 0; i < GROUPS; i++)
    if (strcmp(groups[i].id, id) == 0 && !groups[i].printed)
      wanted = &groups[i];
  if (!wanted)
    return false;
  wanted->printed = true;
  puts(".Bl -tag -width Ds");
  for (int i = 0; i < ROWS; i++)
    if (strcmp(rows[i].group, id) == 0)
      print_row(&rows[i]);
  puts(".El");
  return true;
}

static bool print_line(char *line) {
  size_t length = strlen(line);
  if (line[0] != '@' || length < 4 || line[length - 2] != '@') {
    fputs(line, stdout);
    return true;
  }
  line[length - 2] = 0;
  if (print_group(line + 1))
    return true;
  fprintf(stderr, "manual: the group %s is not in options.def, or was there"
                  " before\n", line + 1);
  return false;
}

static bool print_page(FILE *template) {
  char line[512];
  bool good = true;
  puts(".\\\" Made from pipelinify.1.in and options.def");
  while (fgets(line, sizeof line, template))
    good &= print_line(line);
  for (int i = 0; i < GROUPS; i++)
    if (!groups[i].printed) {
      fprintf(stderr, "manual: the template has no @%s@\n", groups[i].id);
      good = false;
    }
  return good;
}

int main(int argc, char **argv) {
  FILE *template = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!template) {
    fputs("manual: cannot read the template\n", stderr);
    return 2;
  }
  bool good = print_page(template) && fflush(stdout) == 0;
  fclose(template);
  return good ? 0 : 1;
}
