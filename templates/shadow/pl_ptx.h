/* pl_ptx.h - what the compiler's PTX says of a translation unit: its kernels,
 * the sizes of their parameters, what they do beside computing, and the
 * variables that live as long as the program. */
#ifndef PL_PTX_H
#define PL_PTX_H

#include <cctype>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace pl {

/* What a kernel may do that saving and restoring memory does not undo. */
struct ptx_effects {
  bool surfaces = false, heap = false, launches = false, calls = false;
};

struct ptx_entry {
  std::vector<size_t> parameters; /* bytes each */
  ptx_effects effects;
};

struct ptx_unit {
  bool found = false;
  std::map<std::string, ptx_entry> entries;
  std::map<std::string, std::string> variables; /* and ".f32" or so */
  ptx_effects functions; /* of all that an entry may call */
};

/* Names of a file's own things hold hashes: the same thing has another name in
 * another build. Eight hexadecimal digits behind an underscore become zeros. */
inline std::string plain_name(std::string name) {
  for (size_t i = 0; i + 9 <= name.size(); i++) {
    size_t n = 0;
    while (n < 8 && isxdigit((unsigned char)name[i + 1 + n]))
      n++;
    if (name[i] == '_' && n == 8)
      name.replace(i + 1, 8, 8, '0');
  }
  return name;
}

namespace ptx {

inline std::vector<std::string> words_of(const std::string &line) {
  std::vector<std::string> words;
  std::string word;
  for (char c : line + " ") {
    bool in_word = isalnum((unsigned char)c) || c == '_' || c == '$' ||
                   c == '.' || c == '%';
    if (in_word) {
      word += c;
      continue;
    }
    if (!word.empty())
      words.push_back(word);
    word.clear();
    if (c == '[' || c == '(' || c == '=')
      words.push_back(std::string(1, c));
  }
  return words;
}

/* Bytes of ".u64", 0 for what is no type. */
inline size_t type_size(const std::string &word) {
  if (word.size() < 3 || word[0] != '.' || !strchr("usbf", word[1]) ||
      !isdigit((unsigned char)word[2]))
    return 0;
  if (word == ".pred")
    return 1;
  return std::stoul(word.substr(2)) / 8;
}

struct declared {
  std::string name, type;
  size_t bytes = 0;
};

/* "...  .align 8 .b8 name[24]": the name is the word behind the type; words
 * that qualify stand before both. */
inline declared declaration(const std::vector<std::string> &words) {
  declared d;
  for (size_t i = 0; i + 1 < words.size() && d.name.empty(); i++) {
    d.bytes = type_size(words[i]);
    for (size_t k = i + 1; d.bytes && k < words.size(); k++)
      if (words[k][0] != '.' && !isdigit((unsigned char)words[k][0]) &&
          words[k] != "(") {
        d.name = words[k];
        d.type = words[i];
        if (k + 2 < words.size() && words[k + 1] == "[")
          d.bytes *= std::stoul(words[k + 2]);
        break;
      }
  }
  return d;
}

inline void add_effects(ptx_effects &e, const std::vector<std::string> &words) {
  for (auto &word : words) {
    e.surfaces |= word.rfind("sust.", 0) == 0 || word.rfind("sured.", 0) == 0;
    e.heap |= word == "malloc" || word == "free";
    e.launches |= word.rfind("cudaLaunchDevice", 0) == 0 ||
                  word.rfind("cudaGetParameterBuffer", 0) == 0 ||
                  word.rfind("__cudaCDP", 0) == 0;
    e.calls |= word == "call" || word.rfind("call.", 0) == 0;
  }
}

} // namespace ptx

/* Adds what one line outside bodies declares. True: a variable. */
inline bool ptx_variable(const std::string &line, ptx_unit &unit) {
  auto words = ptx::words_of(line);
  bool is_variable = false;
  for (auto &word : words)
    is_variable |= word == ".global" || word == ".const";
  ptx::declared d = ptx::declaration(words);
  if (!is_variable || d.name.empty() || d.name[0] == '$')
    return false;
  unit.variables[d.name] = d.type;
  return true;
}

inline ptx_unit read_ptx(std::istream &in) {
  ptx_unit unit;
  ptx_entry *entry = nullptr;
  bool in_head = false, in_body = false, is_function = false;
  for (std::string line; std::getline(in, line);) {
    auto words = ptx::words_of(line);
    if (in_body) {
      if (line[0] == '}')
        in_body = is_function = false, entry = nullptr;
      else if (entry)
        ptx::add_effects(entry->effects, words);
      else
        ptx::add_effects(unit.functions, words);
      continue;
    }
    for (size_t i = 0; i < words.size(); i++) {
      if (words[i] == ".entry" && i + 1 < words.size())
        entry = &unit.entries[words[i + 1]], in_head = true;
      if (words[i] == ".func")
        entry = nullptr, is_function = true;
    }
    if (line[0] == '{')
      in_body = true, in_head = false;
    else if (line[0] == ')')
      in_head = false;
    else if (in_head && entry && words.size() && words[0] == ".param")
      entry->parameters.push_back(ptx::declaration(words).bytes);
    else if (!in_head && !is_function)
      ptx_variable(line, unit);
    if (is_function && !line.empty() && line.back() == ';')
      is_function = false; /* a declaration */
  }
  unit.found = !unit.entries.empty();
  return unit;
}

} // namespace pl

#endif
