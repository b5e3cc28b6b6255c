/* pl_resources.h - registers and spilled bytes of a kernel, as the compiler and
 * cuobjdump print them.
 *
 *   nvcc -Xptxas -v        Function properties for NAME
 *                              0 bytes stack frame, 0 bytes spill stores, ...
 *                          ptxas info    : Used 24 registers, ...
 *   cuobjdump -res-usage    Function NAME:
 *                            REG:24 STACK:0 SHARED:1024 LOCAL:0 ... */
#ifndef PL_RESOURCES_H
#define PL_RESOURCES_H

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <string>
#include <vector>

struct Resources {
  std::string function; /* mangled; empty: none */
  double registers;     /* a thread; -1: not said */
  double spills;        /* bytes stored and loaded; -1: not said */
};

static const char *next_line(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? end + 1 : line + strlen(line);
}

/* The word behind `mark` in the line at `line`; "" where it is not there. */
static std::string word_behind(const char *line, const char *mark) {
  std::string text(line, (size_t)(next_line(line) - line));
  size_t at = text.find(mark);
  if (at == std::string::npos)
    return "";
  at += strlen(mark);
  return text.substr(at, text.find_first_of(" \r\n", at) - at);
}

static std::vector<Resources> read_ptxas(const std::string &log) {
  std::vector<Resources> all;
  for (const char *line = log.c_str(); *line; line = next_line(line)) {
    std::string name = word_behind(line, "Function properties for ");
    std::string used = word_behind(line, ": Used ");
    int frame, stores, loads;
    if (!name.empty())
      all.push_back({name, -1, -1});
    else if (all.empty())
      continue;
    else if (sscanf(line,
                    " %d bytes stack frame, %d bytes spill stores, %d bytes "
                    "spill loads",
                    &frame, &stores, &loads) == 3)
      all.back().spills = stores + loads;
    else if (!used.empty() && isdigit((unsigned char)used[0]))
      all.back().registers = atof(used.c_str());
  }
  return all;
}

/* Spills live on the stack: without one there are none; with one, their number
 * is not said. (SHARED is of no use: from sm_90 on it includes what the system
 * reserves.) */
static std::vector<Resources> read_res_usage(const std::string &text) {
  std::vector<Resources> all;
  for (const char *line = text.c_str(); *line; line = next_line(line)) {
    std::string name = word_behind(line, "Function ");
    int registers, stack;
    if (name.size() > 1 && name.back() == ':')
      all.push_back({name.substr(0, name.size() - 1), -1, -1});
    else if (!all.empty() &&
             sscanf(line, " REG:%d STACK:%d", &registers, &stack) == 2) {
      all.back().registers = registers;
      all.back().spills = stack == 0 ? 0 : -1;
    }
  }
  return all;
}

/* "ns::gemm<16, float>": "gemm". */
static std::string last_name(const std::string &kernel) {
  std::string name = kernel.substr(0, kernel.find_first_of("<("));
  size_t colon = name.rfind(':');
  return colon == std::string::npos ? name : name.substr(colon + 1);
}

/* May `mangled` be a kernel of that name? _ZN2ns4gemmILi16EEvPf holds "4gemm"; of
 * extern "C" it is the name itself. */
static bool may_be(const std::string &mangled, const std::string &name) {
  if (mangled == name)
    return true;
  std::string part = std::to_string(name.size()) + name;
  size_t at = mangled.compare(0, 2, "_Z") == 0 ? mangled.find(part)
                                               : std::string::npos;
  while (at != std::string::npos && isdigit((unsigned char)mangled[at - 1]))
    at = mangled.find(part, at + 1);
  return at != std::string::npos;
}

/* Those of `function`; where that is not known, of the only one that may be
 * `kernel`. */
static Resources resources_of(const std::vector<Resources> &all,
                              const std::string &function,
                              const std::string &kernel) {
  Resources found = {"", -1, -1};
  int n = 0;
  for (const Resources &r : all) {
    bool is_it = function.empty() ? may_be(r.function, last_name(kernel))
                                  : r.function == function;
    if (!is_it)
      continue;
    found = r;
    n++;
  }
  return n == 1 ? found : Resources{"", -1, -1};
}

#endif
