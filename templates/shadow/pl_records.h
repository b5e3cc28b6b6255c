/* pl_records.h - what the checker writes down: a JSON object a line, appended
 * and flushed at once, so that a crash of the program costs nothing. */
#ifndef PL_RECORDS_H
#define PL_RECORDS_H

#include <cstdio>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace pl {

inline std::string json_text(const std::string &text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    char code[8];
    if (c == '"' || c == '\\')
      out += '\\';
    if (c < 32)
      snprintf(code, sizeof code, "\\u%04x", c), out += code;
    else
      out += (char)c;
  }
  return out + "\"";
}

class record {
public:
  explicit record(const char *type) {
    text_ = "{\"type\":" + json_text(type);
    add("pid", (long long)getpid());
  }
  record &add(const char *key, const std::string &value) {
    text_ += "," + json_text(key) + ":" + json_text(value);
    return *this;
  }
  record &add(const char *key, long long value) {
    text_ += "," + json_text(key) + ":" + std::to_string(value);
    return *this;
  }
  /* One write, so that processes that share the file do not mix lines. */
  void write(const std::string &path) const {
    std::string line = text_ + "}\n";
    int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC,
                    0666);
    bool written = file >= 0 && ::write(file, line.data(), line.size()) ==
                                    (ssize_t)line.size();
    if (!written)
      fprintf(stderr, "pipelinify: cannot write %s\n", path.c_str());
    if (file >= 0)
      close(file);
  }

private:
  std::string text_;
};

} // namespace pl

#endif
