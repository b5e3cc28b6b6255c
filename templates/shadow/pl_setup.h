/* pl_setup.h - what the checker finds in its directory.
 *
 *   kernels           a rewritten kernel a line: name, then a tab and
 *                     "parameter:type" for each parameter; "*" means any
 *   limits            "checks N", "timeout SECONDS"
 *   pipelined.fatbin  the rewritten file's device code
 *   pipelined.ptx     the same as the compiler wrote it, and the original's,
 *   program.ptx       for names and sizes
 *   shadow.jsonl      the records */
#ifndef PL_SETUP_H
#define PL_SETUP_H

#include "pl_ptx.h"
#include "pl_value.h"

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
};

struct setup {
  std::string directory;
  std::vector<kernel_row> kernels;
  bool any_kernel = false;
  long max_checks = 5;
  double timeout = 60; /* seconds for the rewritten kernel */
  std::string image;
  ptx_unit pipelined, program;

  std::string path(const char *name) const { return directory + "/" + name; }
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

inline setup read_setup(const std::string &directory) {
  setup s;
  s.directory = directory;
  std::ifstream kernels(s.path("kernels")), limits(s.path("limits"));
  for (std::string line; std::getline(kernels, line);)
    if (line == "*")
      s.any_kernel = true;
    else if (!line.empty())
      s.kernels.push_back(read_kernel(line));
  std::string key;
  double value;
  while (limits >> key >> value)
    if (key == "checks")
      s.max_checks = (long)value;
    else if (key == "timeout")
      s.timeout = value;
  std::ifstream image(s.path("pipelined.fatbin"), std::ios::binary);
  s.image.assign(std::istreambuf_iterator<char>(image), {});
  s.pipelined = read_ptx_file(s.path("pipelined.ptx"));
  s.program = read_ptx_file(s.path("program.ptx"));
  return s;
}

} // namespace pl

#endif
