/* pl_setup.h - what the checker finds in its directory.
 *
 *   forms             what the file is rewritten to, a name a line: "pipelined",
 *                     or, where several are timed, "ldg", "cp.async-2" ...
 *   FORM.kernels      a rewritten kernel a line: name, then a tab and
 *                     "parameter:type" for each parameter, "!BYTES" for the dynamic
 *                     shared memory that its launches give, an expression of
 *                     `smem`, "^N" for N layers of threads; "*" means any
 *   FORM.fatbin       the rewritten file's device code
 *   FORM.ptx          the same as the compiler wrote it, and the original's,
 *   program.ptx       for names and sizes
 *   limits            "checks N", "timeout SECONDS", "rounds N" (of times)
 *   shadow.jsonl      the records */
#ifndef PL_SETUP_H
#define PL_SETUP_H

#include "pl_ptx.h"
#include "pl_value.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace pl {

struct parameter {
  std::string name, type;
};

struct kernel_row {
  std::string name;
  std::vector<parameter> parameters;
  std::string dynamic; /* bytes; empty: as the program gives them */
  unsigned layers = 1; /* of threads: so many times the block's z */
};

/* "513", or "2 * ((smem + 127) / 128 * 128) + 1": stages, each rounded up, and what tells
 * them from others. */
inline unsigned dynamic_bytes(const std::string &text, size_t smem) {
  unsigned stages = 0, behind = 0, up = 0, by = 1, more = 0;
  if (text.empty())
    return (unsigned)smem;
  if (sscanf(text.c_str(), "%u * ((smem + %u) / %u * %u) + %u", &stages, &up, &by,
             &behind, &more) == 5)
    return stages * (((unsigned)smem + up) / by * by) + more;
  return stages;
}

struct form {
  std::string name;
  std::vector<kernel_row> kernels;
  bool any_kernel = false;
  std::string image;
  ptx_unit pipelined;
};

struct setup {
  std::string directory;
  long max_checks = 5;
  double timeout = 60; /* seconds for the rewritten kernel */
  long rounds = 0;     /* in which a launch's forms are timed; 0: they are not */
  std::vector<form> forms;
  ptx_unit program;

  std::string path(const std::string &name) const {
    return directory + "/" + name;
  }
};

inline std::vector<std::string> split_at(const std::string &text, char at) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

inline kernel_row read_kernel(const std::string &line) {
  kernel_row row;
  auto fields = split_at(line, '\t');
  row.name = fields[0];
  for (size_t i = 1; i < fields.size(); i++) {
    if (fields[i][0] == '!') {
      row.dynamic = fields[i].substr(1);
      continue;
    }
    if (fields[i][0] == '^') {
      row.layers = (unsigned)atoi(fields[i].c_str() + 1);
      continue;
    }
    size_t colon = fields[i].find(':');
    row.parameters.push_back({fields[i].substr(0, colon),
                              colon == std::string::npos
                                  ? ""
                                  : fields[i].substr(colon + 1)});
  }
  return row;
}

inline ptx_unit read_ptx_file(const std::string &path) {
  std::ifstream file(path);
  return read_ptx(file);
}

inline form read_form(const setup &s, const std::string &name) {
  form f;
  f.name = name;
  std::ifstream kernels(s.path(name + ".kernels"));
  for (std::string line; std::getline(kernels, line);)
    if (line == "*")
      f.any_kernel = true;
    else if (!line.empty())
      f.kernels.push_back(read_kernel(line));
  std::ifstream image(s.path(name + ".fatbin"), std::ios::binary);
  f.image.assign(std::istreambuf_iterator<char>(image), {});
  f.pipelined = read_ptx_file(s.path(name + ".ptx"));
  return f;
}

inline setup read_setup(const std::string &directory) {
  setup s;
  s.directory = directory;
  std::ifstream forms(s.path("forms")), limits(s.path("limits"));
  for (std::string line; std::getline(forms, line);)
    if (!line.empty())
      s.forms.push_back(read_form(s, line));
  std::string key;
  double value;
  while (limits >> key >> value)
    if (key == "checks")
      s.max_checks = (long)value;
    else if (key == "timeout")
      s.timeout = value;
    else if (key == "rounds")
      s.rounds = (long)value;
  s.program = read_ptx_file(s.path("program.ptx"));
  return s;
}

} // namespace pl

#endif
