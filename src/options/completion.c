/* completion.c - see completion.h. */
#define _GNU_SOURCE
#include "completion.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "options.h"
#include "pipelinify.h"
#include "text.h"

typedef struct choices_row {
  const char *option, *words;
} choices_row;

static const choices_row choices_table[] = {
#define PL_CHOICES(option, words) {option, words},
#include "choices.def"
#undef PL_CHOICES
};

enum { CHOICES_COUNT = sizeof choices_table / sizeof *choices_table };

#define COMMANDS "validate compare bench tune report record init doctor lint"

/* "FILE", "DIR", words, or NULL for free text. */
static const char *find_choices(const char *name) {
  for (int i = 0; i < CHOICES_COUNT; i++)
    if (name && strcmp(choices_table[i].option, name) == 0)
      return choices_table[i].words;
  return NULL;
}

static char *reason_ids(void) {
  char *text;
  size_t size, count;
  FILE *out = pl_open_text(&text, &size);
  const pl_reason *reasons = pl_reasons(&count);
  for (size_t i = 0; i < count; i++)
    fprintf(out, "%s%s", i ? " " : "", reasons[i].id);
  fclose(out);
  return text;
}

/* As find_choices has it, --explain's too. Free with free. */
static char *choices_of(const pl_option_info *info) {
  if (info->long_name && strcmp(info->long_name, "--explain") == 0)
    return reason_ids();
  const char *words = find_choices(info->long_name);
  if (!words)
    words = find_choices(info->short_name);
  return words ? pl_format("%s", words) : NULL;
}

static void bash_words(FILE *out) {
  pl_option_info info;
  for (size_t i = 0; pl_option_at(i, &info); i++) {
    if (info.short_name)
      fprintf(out, " %s", info.short_name);
    if (info.long_name)
      fprintf(out, " %s%s", info.long_name,
              info.value && !info.optional ? "=" : "");
  }
}

static void bash_case(FILE *out, const char *option, const char *words) {
  fprintf(out, "    %s) ", option);
  if (strcmp(words, "FILE") == 0)
    fputs("COMPREPLY=($(compgen -f -- \"$word\"))", out);
  else if (strcmp(words, "DIR") == 0)
    fputs("COMPREPLY=($(compgen -d -- \"$word\"))", out);
  else
    fprintf(out, "COMPREPLY=($(compgen -W '%s' -- \"$word\"))", words);
  fputs("; return ;;\n", out);
}

static void bash_cases(FILE *out) {
  char *ids = reason_ids();
  for (int i = 0; i < CHOICES_COUNT; i++)
    bash_case(out, choices_table[i].option, choices_table[i].words);
  bash_case(out, "--explain", ids);
  free(ids);
}

static void print_bash(FILE *out) {
  fputs("# bash completion for pipelinify; made by pipelinify"
        " --completion=bash\n"
        "_pipelinify() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} option="
        "${COMP_WORDS[COMP_CWORD-1]}\n"
        "  COMPREPLY=()\n"
        "  # bash takes --name=value apart at the '='.\n"
        "  if [[ $word == = ]]; then word=\n"
        "  elif [[ $option == = ]]; then "
        "option=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
        "  case $option in\n",
        out);
  bash_cases(out);
  fputs("  esac\n"
        "  if [[ $word == -* ]]; then\n"
        "    COMPREPLY=($(compgen -W '",
        out);
  bash_words(out);
  fputs("' -- \"$word\"))\n"
        "    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null\n"
        "    return 0\n"
        "  fi\n"
        "  COMPREPLY=($(compgen -d -- \"$word\") $(compgen -f -X"
        " '!*.cu?(h)' -- \"$word\"))\n"
        "  [[ $COMP_CWORD == 1 ]] && COMPREPLY+=($(compgen -W '" COMMANDS
        "' -- \"$word\"))\n"
        "  [[ $COMP_CWORD == 2 && $option == re@(port|cord) ]] &&"
        " COMPREPLY+=($(compgen -W merge -- \"$word\"))\n"
        "  return 0\n"
        "}\n"
        "# The pattern *.cu?(h) is an extended one.\n"
        "shopt -s extglob\n"
        "complete -o filenames -F _pipelinify pipelinify\n"
        "# The launcher: a compiler, then what that takes.\n"
        "_pipelinify_nvcc() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]}\n"
        "  if [[ $COMP_CWORD != 1 ]]; then"
        " COMPREPLY=($(compgen -f -- \"$word\"))\n"
        "  elif [[ $word == -* ]]; then"
        " COMPREPLY=($(compgen -W '--help --version' -- \"$word\"))\n"
        "  else COMPREPLY=($(compgen -c -- \"$word\")); fi\n"
        "}\n"
        "complete -o filenames -F _pipelinify_nvcc pipelinify-nvcc\n",
        out);
}

/* Text between single quotes, with the given characters escaped. */
static void print_quoted(FILE *out, const char *text, const char *escaped) {
  for (; *text; text++) {
    if (*text == '\'') {
      fputs("'\\''", out);
      continue;
    }
    if (strchr(escaped, *text))
      fputc('\\', out);
    fputc(*text, out);
  }
}

/* ":value:_files", ":value:(a b)" or nothing, after zsh's _arguments. */
static void zsh_value(FILE *out, const pl_option_info *info) {
  if (!info->value)
    return;
  char *words = choices_of(info);
  fputs(info->optional ? "::" : ":", out);
  print_quoted(out, info->value, ":[]");
  if (!words)
    fputs(": ", out);
  else if (strcmp(words, "FILE") == 0)
    fputs(":_files", out);
  else if (strcmp(words, "DIR") == 0)
    fputs(":_files -/", out);
  else
    fprintf(out, ":(%s)", words);
  free(words);
}

static void zsh_option(FILE *out, const pl_option_info *info,
                       const char *name) {
  if (!name)
    return;
  const char *joint = !info->value                    ? ""
                      : info->optional                ? "=-"
                      : name[2]                       ? "="
                      : strcmp(info->value, "N") == 0 ? "+" /* -j8 */
                                                      : "";
  fprintf(out, "  '*%s%s[", name, joint);
  print_quoted(out, info->help, "[]:");
  fputc(']', out);
  zsh_value(out, info);
  fputs("' \\\n", out);
}

static void print_zsh(FILE *out) {
  pl_option_info info;
  fputs("#compdef pipelinify pipelinify-nvcc\n"
        "# zsh completion; made by pipelinify --completion=zsh\n"
        "# The launcher: a compiler, then what that takes.\n"
        "if [[ $service == pipelinify-nvcc ]]; then\n"
        "  shift words; (( CURRENT-- ))\n"
        "  _normal\n"
        "  return\n"
        "fi\n"
        "_pipelinify_first() {\n"
        "  _alternative 'commands:command:(" COMMANDS ")' \\\n"
        "    'files:CUDA source:_files -g \"*.cu(|h)(-.) *(-/)\"'\n"
        "}\n"
        "_arguments \\\n",
        out);
  for (size_t i = 0; pl_option_at(i, &info); i++) {
    zsh_option(out, &info, info.short_name);
    zsh_option(out, &info, info.long_name);
  }
  fputs("  '1: :_pipelinify_first' \\\n"
        "  '*:CUDA source:_files -g \"*.cu(|h)(-.) *(-/)\"'\n",
        out);
}

/* -x for -x, -o for -arch (fish's old-style options), -l for --long. */
static void fish_name(FILE *out, const char *name) {
  if (name && name[1] == '-')
    fprintf(out, " -l %s", name + 2);
  else if (name)
    fprintf(out, " -%c %s", name[2] ? 'o' : 's', name + 1);
}

static void fish_value(FILE *out, const pl_option_info *info) {
  if (!info->value || info->optional)
    return;
  char *words = choices_of(info);
  if (!words)
    fputs(" -x", out);
  else if (strcmp(words, "FILE") == 0)
    fputs(" -r -F", out);
  else if (strcmp(words, "DIR") == 0)
    fputs(" -x -a '(__fish_complete_directories)'", out);
  else
    fprintf(out, " -x -a '%s'", words);
  free(words);
}

static void print_fish(FILE *out) {
  pl_option_info info;
  fputs("# fish completion; made by pipelinify --completion=fish\n"
        "complete -c pipelinify -n __fish_is_first_token -a '" COMMANDS "'\n"
        "complete -c pipelinify -n '__fish_seen_subcommand_from report record' -a"
        " merge\n"
        "complete -c pipelinify-nvcc -x -a '(__fish_complete_subcommand)'\n",
        out);
  for (size_t i = 0; pl_option_at(i, &info); i++) {
    fputs("complete -c pipelinify", out);
    fish_name(out, info.short_name);
    fish_name(out, info.long_name);
    fish_value(out, &info);
    fputs(" -d '", out);
    /* Within single quotes fish knows \' and \\ alone. */
    for (const char *c = info.help; *c; c++)
      fprintf(out, *c == '\'' || *c == '\\' ? "\\%c" : "%c", *c);
    fputs("'\n", out);
  }
}

void pl_print_completion(const char *shell, FILE *out) {
  if (strcmp(shell, "bash") == 0)
    print_bash(out);
  else if (strcmp(shell, "zsh") == 0)
    print_zsh(out);
  else
    print_fish(out);
}
