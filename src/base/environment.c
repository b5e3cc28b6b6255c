/* environment.c - see environment.h. */
#define _GNU_SOURCE
#include "environment.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "text.h"

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

const char *pl_environment_tmpdir(void) { return variable("TMPDIR"); }

const char *pl_environment_path(void) { return variable("PATH"); }

const char *pl_environment_libclang(void) {
  return variable("PIPELINIFY_LIBCLANG");
}

const char *pl_environment_libraries(void) {
  const char *paths = variable("LD_LIBRARY_PATH");
  return paths ? paths : "";
}

const char *pl_environment_launcher(void) {
  return variable("PIPELINIFY_NVCC_FLAGS");
}

const char *pl_environment_nvcc_prepended(void) {
  return variable("NVCC_PREPEND_FLAGS");
}

const char *pl_environment_nvcc_appended(void) {
  return variable("NVCC_APPEND_FLAGS");
}

char *pl_environment_date(void) {
  const char *epoch = variable("SOURCE_DATE_EPOCH");
  long long seconds;
  bool given = epoch && pl_parse_number(epoch, 0, 253402300799, &seconds);
  time_t now = given ? (time_t)seconds : time(NULL);
  struct tm parts;
  char text[32] = "";
  if (gmtime_r(&now, &parts))
    strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
  return pl_format("%s", text);
}

static bool on_terminal(int descriptor) {
  const char *term = variable("TERM");
  return isatty(descriptor) && term && strcmp(term, "dumb") != 0;
}

/* As https://no-color.org has it: any value but the empty one. */
static bool color_wanted(int descriptor) {
  return on_terminal(descriptor) && !variable("NO_COLOR");
}

static bool progress_wanted(void) {
  return on_terminal(STDERR_FILENO) && !variable("PRE_COMMIT");
}

/* As the XDG base directory specification has it. */
static char *find_cache_dir(const char *given) {
  const char *base = variable("XDG_CACHE_HOME"), *home = variable("HOME");
  if (given)
    return pl_format("%s", given);
  if (base && base[0] == '/')
    return pl_format("%s/pipelinify", base);
  if (home && home[0] == '/')
    return pl_format("%s/.cache/pipelinify", home);
  return NULL;
}

/* Of clang's driver and of libclang: by name, or by how the name begins. */
static bool is_for_compilers(const char *line) {
  static const char *const names[] = {
      "C_INCLUDE_PATH=",       "COMPILER_PATH=",         "CPATH=",
      "CPLUS_INCLUDE_PATH=",   "DEPENDENCIES_OUTPUT=",   "LIBRARY_PATH=",
      "OBJCPLUS_INCLUDE_PATH=", "OBJC_INCLUDE_PATH=",    "PATH=",
      "PWD=",                  "SDKROOT=",               "SOURCE_DATE_EPOCH=",
      "HOME=",                 "XDG_CONFIG_HOME=",
      "SUNPRO_DEPENDENCIES=",  "CC_", "CCC_", "CLANG", "CUDA", "GCC_",
      "LIBCLANG", "LLVM", "QA_OVERRIDE"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (pl_starts_with(line, names[i]))
      return true;
  return false;
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *joined_lines(char **lines, size_t count) {
  char *text = pl_format("%s", "");
  for (size_t i = 0; i < count; i++) {
    char *longer = pl_format("%s%s\n", text, lines[i]);
    free(text);
    text = longer;
  }
  return text;
}

char *pl_environment_compiler(void) {
  size_t count = 0, kept = 0;
  while (environ && environ[count])
    count++;
  char **lines = pl_alloc(count, sizeof *lines);
  for (size_t i = 0; i < count; i++)
    if (is_for_compilers(environ[i]))
      lines[kept++] = environ[i];
  qsort(lines, kept, sizeof *lines, by_text);
  char *text = joined_lines(lines, kept);
  free(lines);
  return text;
}

static bool no_cache_wanted(void) {
  const char *value = variable("PIPELINIFY_NO_CACHE");
  return value && strcmp(value, "0") != 0;
}

static bool has_include_path(void) {
  return variable("CPATH") || variable("C_INCLUDE_PATH") ||
         variable("CPLUS_INCLUDE_PATH");
}

pl_environment pl_environment_read(void) {
  const char *path = variable("CUDA_PATH");
  const char *cache = variable("PIPELINIFY_CACHE_DIR");
  return (pl_environment){
      .cuda_path = path ? path : variable("CUDA_HOME"),
      .cache_dir = find_cache_dir(cache),
      .cache_dir_given = cache,
      .include_path = has_include_path(),
      .no_cache = no_cache_wanted(),
      .color = color_wanted(STDERR_FILENO),
      .out_color = color_wanted(STDOUT_FILENO),
      .progress = progress_wanted(),
  };
}

void pl_environment_free(pl_environment *environment) {
  free(environment->cache_dir);
  environment->cache_dir = NULL;
}

bool pl_is_toolkit(const char *path) {
  char *header = pl_format("%s/include/cuda_runtime.h", path);
  bool there = access(header, R_OK) == 0;
  free(header);
  return there;
}

/* /dev/nvidia0 and so on: a container may be given any of them. */
static bool driver_shows_device(void) {
  DIR *dir = opendir("/dev");
  bool shown = access("/dev/dxg", F_OK) == 0;
  for (struct dirent *e = dir ? readdir(dir) : NULL; e && !shown;
       e = readdir(dir))
    shown = pl_starts_with(e->d_name, "nvidia") && e->d_name[6] >= '0' &&
            e->d_name[6] <= '9';
  if (dir)
    closedir(dir);
  return shown;
}

static bool tool_lists_device(void) {
  FILE *said = popen("nvidia-smi -L 2>/dev/null", "r");
  char line[256] = "";
  if (!said)
    return false;
  bool listed = fgets(line, sizeof line, said) && pl_starts_with(line, "GPU ");
  pclose(said);
  return listed;
}

int pl_native_arch(void) {
  FILE *said = popen(
      "nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null",
      "r");
  int least = 0, major, minor;
  char line[64];
  while (said && fgets(line, sizeof line, said)) {
    bool number = sscanf(line, "%d.%d", &major, &minor) == 2 && major > 0 &&
                  major < 100 && minor >= 0 && minor < 10;
    int arch = number ? major * 10 + minor : 0;
    if (number && (!least || arch < least))
      least = arch;
  }
  if (said)
    pclose(said);
  return least;
}

bool pl_has_cuda_device(void) {
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  bool hidden = visible && (!*visible || pl_starts_with(visible, "-1"));
  return !hidden && (driver_shows_device() || tool_lists_device());
}

static char *executable(const char *dir, int n, const char *name) {
  char *path = pl_format("%.*s/%s", n, dir, name);
  if (access(path, X_OK) == 0)
    return path;
  free(path);
  return NULL;
}

char *pl_find_program(const char *name) {
  const char *path = pl_environment_path();
  while (path && *path) {
    int n = (int)strcspn(path, ":");
    char *found = executable(path, n, name);
    if (found)
      return found;
    path += n + (path[n] == ':');
  }
  return NULL;
}

char *pl_find_cuda_program(const char *name) {
  const char *homes[] = {variable("CUDA_HOME"), variable("CUDA_PATH"),
                         "/usr/local/cuda"};
  char *found = pl_find_program(name), *inside = pl_format("bin/%s", name);
  for (size_t i = 0; i < 3 && !found; i++)
    if (homes[i])
      found = executable(homes[i], (int)strlen(homes[i]), inside);
  free(inside);
  return found;
}

char *pl_find_nvcc(void) { return pl_find_cuda_program("nvcc"); }

const char *pl_find_toolkit(const char *asked, const pl_environment *env) {
  if (asked)
    return *asked ? asked : NULL;
  const char *usual = "/usr/local/cuda";
  if (env->cuda_path && pl_is_toolkit(env->cuda_path))
    return env->cuda_path;
  return pl_is_toolkit(usual) ? usual : NULL;
}
