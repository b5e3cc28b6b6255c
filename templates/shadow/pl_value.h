/* pl_value.h - kernels' names and parameter types as people write them, and
 * the elements that those types make of bytes. */
#ifndef PL_VALUE_H
#define PL_VALUE_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <string>
#include <vector>

namespace pl {

/* "void n::k<16, float>(float const*, int)", taken apart. */
struct signature {
  std::string name;      /* "n::k<16, float>" */
  std::string last;      /* "k" */
  std::vector<std::string> parameters; /* none for extern "C" */
};

/* Where the bracket that closes at `end` opens. */
inline size_t opening(const std::string &text, size_t end) {
  int depth = 0;
  for (size_t i = end + 1; i-- > 0;) {
    if (strchr(")>]", text[i]))
      depth++;
    if (strchr("(<[", text[i]) && --depth == 0)
      return i;
  }
  return 0;
}

inline std::vector<std::string> split_list(const std::string &text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (char c : text) {
    depth += strchr("(<[", c) ? 1 : strchr(")>]", c) ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.push_back(part);
      part.clear();
    } else if (c != ' ' || !part.empty())
      part += c;
  }
  if (!part.empty())
    parts.push_back(part);
  return parts;
}

/* A template's name has its return type in front, at depth 0. */
inline std::string without_return_type(const std::string &text) {
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    depth += strchr(")>]", text[i]) ? 1 : strchr("(<[", text[i]) ? -1 : 0;
    if (text[i] == ' ' && depth == 0)
      return text.substr(i + 1);
  }
  return text;
}

inline std::string last_part(std::string name) {
  if (!name.empty() && name.back() == '>')
    name.resize(opening(name, name.size() - 1));
  size_t colon = name.rfind(':');
  return colon == std::string::npos ? name : name.substr(colon + 1);
}

inline void replace_all(std::string &text, const std::string &old,
                        const std::string &fresh) {
  for (size_t at = 0; (at = text.find(old, at)) != std::string::npos;
       at += fresh.size())
    text.replace(at, old.size(), fresh);
}

inline signature signature_of(const std::string &mangled) {
  signature s;
  size_t begin = mangled.find("_Z");
  std::string symbol = begin == std::string::npos ? mangled
                                                  : mangled.substr(begin);
  int status = 0;
  char *text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string whole = status == 0 && text ? text : mangled;
  free(text);
  replace_all(whole, "(anonymous namespace)", "{anonymous}");
  if (status == 0 && whole.back() == ')') {
    size_t open = opening(whole, whole.size() - 1);
    s.parameters =
        split_list(whole.substr(open + 1, whole.size() - open - 2));
    if (s.parameters.size() == 1 && s.parameters[0] == "void")
      s.parameters.clear();
    whole.resize(open);
    whole = without_return_type(whole);
  }
  s.last = last_part(whole);
  replace_all(whole, "{anonymous}", "(anonymous namespace)");
  s.name = whole;
  return s;
}

/* "float const*", "float *__restrict", "float *const". */
inline bool is_pointer_type(const std::string &type) {
  size_t star = type.rfind('*');
  if (star == std::string::npos)
    return false;
  std::string rest = type.substr(star + 1);
  return rest.find_first_of(")]>&") == std::string::npos;
}

/* "float const*" and "const float *__restrict": "float". */
inline std::string pointee(std::string type) {
  size_t star = type.rfind('*');
  if (star == std::string::npos)
    return "";
  type.resize(star);
  for (const char *word : {"const", "volatile", "__restrict", "struct"})
    for (size_t at; (at = type.find(word)) != std::string::npos;)
      type.erase(at, strlen(word));
  while (!type.empty() && type.back() == ' ')
    type.pop_back();
  while (!type.empty() && type.front() == ' ')
    type.erase(0, 1);
  return type;
}

enum class element_kind { bytes, f64, f32, f16, bf16, i, u };

struct element_type {
  element_kind kind = element_kind::bytes;
  size_t size = 4;
  bool is_plain = false; /* numbers: no pointers in there */
};

inline element_type element_of(std::string type) {
  static const struct {
    const char *name;
    element_kind kind;
    size_t size;
    bool is_plain = true;
  } known[] = {{"double", element_kind::f64, 8},
               {"float", element_kind::f32, 4},
               {"__half", element_kind::f16, 2},
               {"half", element_kind::f16, 2},
               {"__half2", element_kind::f16, 2},
               {"half2", element_kind::f16, 2},
               {"__nv_bfloat16", element_kind::bf16, 2},
               {"__nv_bfloat162", element_kind::bf16, 2},
               {"char", element_kind::i, 1, false}, /* anything */
               {"unsigned char", element_kind::u, 1, false},
               {"signed char", element_kind::i, 1},
               {"uchar", element_kind::u, 1},
               {"bool", element_kind::u, 1},
               {"short", element_kind::i, 2},
               {"unsigned short", element_kind::u, 2},
               {"ushort", element_kind::u, 2},
               {"int", element_kind::i, 4},
               {"unsigned int", element_kind::u, 4},
               {"unsigned", element_kind::u, 4},
               {"uint", element_kind::u, 4}};
  for (int round = 0; round < 2; round++) {
    for (auto &row : known)
      if (type == row.name)
        return {row.kind, row.size, row.is_plain};
    if (!type.empty() && strchr("1234", type.back()))
      type.pop_back(); /* a vector: its lanes */
  }
  return {};
}

/* IEEE binary16, whatever the host knows of it. */
inline double half_value(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 0    ? std::ldexp(fraction, -24)
                 : exponent == 31 ? (fraction ? NAN : INFINITY)
                                  : std::ldexp(fraction + 1024, exponent - 25);
  return bits >> 15 ? -value : value;
}

inline std::string number_text(const char *format, double value) {
  char text[64];
  snprintf(text, sizeof text, format, value);
  return text;
}

inline uint64_t bits_of(const unsigned char *at, size_t size) {
  uint64_t bits = 0;
  memcpy(&bits, at, size);
  return bits;
}

inline std::string value_text(const element_type &type,
                              const unsigned char *at) {
  uint64_t bits = bits_of(at, type.size);
  uint32_t wide = (uint32_t)bits;
  double d;
  float f;
  switch (type.kind) {
  case element_kind::f64:
    memcpy(&d, at, sizeof d);
    return number_text("%.17g", d);
  case element_kind::f32:
    memcpy(&f, at, sizeof f);
    return number_text("%.9g", f);
  case element_kind::f16:
    return number_text("%.6g", half_value((uint16_t)bits));
  case element_kind::bf16:
    wide <<= 16;
    memcpy(&f, &wide, sizeof f);
    return number_text("%.4g", f);
  case element_kind::i: {
    int shift = 64 - 8 * (int)type.size;
    return std::to_string((int64_t)(bits << shift) >> shift);
  }
  case element_kind::u:
    return std::to_string(bits);
  case element_kind::bytes:
    break;
  }
  char text[32];
  snprintf(text, sizeof text, "0x%0*llx", 2 * (int)type.size,
           (unsigned long long)bits);
  return text;
}

} // namespace pl

#endif
