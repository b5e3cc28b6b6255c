/* pl_kernel.h - a kernel of the program and one form of it beside it. */
#ifndef PL_KERNEL_H
#define PL_KERNEL_H

#include "pl_driver.h"
#include "pl_setup.h"

#include <map>

namespace pl {

/* A variable of the program and its twin beside the rewritten kernels. */
struct variable {
  std::string name;
  element_type type;
  address original, twin;
  size_t size;
};

struct kernel {
  std::string symbol; /* mangled */
  signature sig;
  bool is_rewritten = false;
  const form *rewritten = nullptr;
  std::vector<parameter> parameters; /* names and types where known */
  std::string dynamic; /* bytes of the rewritten one; empty: as the original's */
  unsigned layers = 1; /* of its threads */
  const ptx_entry *entry = nullptr;
  void *original = nullptr, *pipelined = nullptr; /* CUfunctions */
  std::vector<variable> variables;
  std::string trouble; /* why it cannot be shadowed; empty: it can */
};

/* The device code of the rewritten file, in one context. */
struct code {
  void *module = nullptr;
  bool is_linked = false;
  std::string trouble;
};

/* A kernel that stands in the rewritten file only. */
static const char *const REWRITTEN_MARK = "pl_shadow_rewritten";

/* Relocatable code (-rdc=true) is linked first. */
inline int load_linked(const std::string &image, void **module) {
  void *link = nullptr, *cubin = nullptr;
  void *linked = nullptr, *mark = nullptr;
  size_t size;
  if (!cuda().link || !cuda().link_add || !cuda().link_done)
    return -1;
  int error = cuda().link(0, nullptr, nullptr, &link);
  if (!error)
    error = cuda().link_add(link, DRIVER_JIT_FATBINARY,
                            (void *)image.data(), image.size(), "pipelined",
                            0, nullptr, nullptr);
  if (!error)
    error = cuda().link_done(link, &cubin, &size);
  if (!error)
    error = cuda().load(&linked, cubin);
  if (!error)
    error = cuda().find(&mark, linked, REWRITTEN_MARK);
  if (!error)
    *module = linked;
  return error;
}

/* Code of another file lacks the mark. */
inline int load_whole(const form &f, void **module) {
  void *mark = nullptr;
  int error = cuda().load(module, f.image.data());
  return error ? error : cuda().find(&mark, *module, REWRITTEN_MARK);
}

/* Code that is not linked loads all the same; what misses is a kernel that
 * refers to anything outside of itself. */
inline int find_kernel(const form &f, code &c, const std::string &name,
                       void **function) {
  int error = cuda().find(function, c.module, name.c_str());
  if (!error || c.is_linked)
    return error;
  c.is_linked = load_linked(f.image, &c.module) == 0;
  return c.is_linked ? cuda().find(function, c.module, name.c_str()) : error;
}

inline code load_code(const form &f) {
  code c;
  if (f.image.empty() || !f.pipelined.found) {
    c.trouble = "the build left no device code of the rewritten file";
    return c;
  }
  int error = load_whole(f, &c.module);
  int unlinked = error ? load_linked(f.image, &c.module) : 0;
  c.is_linked = error && !unlinked;
  if (unlinked)
    c.trouble = "the rewritten file's device code does not load: " +
                error_text(error) + "; nor does it link: " +
                error_text(unlinked);
  return c;
}

/* By context and form. */
typedef std::map<std::pair<void *, const form *>, code> code_map;

inline code_map &loaded_code() {
  static auto *loaded = new code_map;
  return *loaded;
}

inline code &code_of_context(const form &f) {
  void *context = nullptr;
  cuda().context(&context);
  auto found = loaded_code().find({context, &f});
  if (found == loaded_code().end())
    found = loaded_code().insert({{context, &f}, load_code(f)}).first;
  return found->second;
}

/* Which of the names is `name`, but for a file's hashes where it must be. */
inline std::string same_name(const std::vector<std::string> &names,
                             const std::string &name) {
  std::string near;
  for (auto &other : names)
    if (other == name)
      return other;
    else if (plain_name(other) == plain_name(name))
      near = other;
  return near;
}

template <typename map_type>
std::vector<std::string> names_of(const map_type &things) {
  std::vector<std::string> names;
  for (auto &thing : things)
    names.push_back(thing.first);
  return names;
}

/* Of ".f32": PTX tells what single variables hold, not what arrays do. */
inline element_type scalar_type(const std::string &word) {
  static const struct {
    const char *ptx, *type;
  } known[] = {{".f64", "double"}, {".f32", "float"}, {".u32", "unsigned"},
               {".s32", "int"},    {".u16", "ushort"}, {".s16", "short"}};
  for (auto &row : known)
    if (word == row.ptx)
      return element_of(row.type);
  return {};
}

inline void find_variables(const setup &s, const form &f, void *module,
                           kernel &k) {
  void *program = nullptr;
  if (f.pipelined.variables.empty())
    return;
  int error = cuda().module_of(&program, k.original);
  if (error) {
    k.trouble = "the driver does not tell the kernel's module: " +
                error_text(error);
    return;
  }
  auto own_names = names_of(s.program.variables);
  for (auto &entry : f.pipelined.variables) {
    const std::string &name = entry.first;
    variable v = {name, scalar_type(entry.second), 0, 0, 0};
    size_t size = 0;
    std::string own = same_name(own_names, name);
    if (cuda().global(&v.twin, &v.size, module, name.c_str()) != 0)
      continue; /* the compiler has left it out */
    if (cuda().global(&v.original, &size, program,
                      (own.empty() ? name : own).c_str()) != 0)
      k.trouble = "the variable '" + signature_of(name).name +
                  "' is not found beside the original kernel";
    else if (size != v.size)
      k.trouble = "the variable '" + signature_of(name).name +
                  "' has another size beside the rewritten kernel";
    else
      k.variables.push_back(v);
  }
}

inline void note_effects(const form &rewritten, kernel &k) {
  ptx_effects e = k.entry->effects, f = rewritten.pipelined.functions;
  if (e.surfaces || (e.calls && f.surfaces))
    k.trouble = "it writes to surfaces";
  else if (e.heap || (e.calls && f.heap))
    k.trouble = "it allocates device memory itself";
  else if (e.launches || (e.calls && f.launches))
    k.trouble = "it launches kernels itself";
}

/* Names are the last resort: types come from the mangled name where it has
 * them, because there template arguments are known. */
inline void find_parameters(const form &f, kernel &k) {
  for (auto &row : f.kernels)
    if (last_part(row.name) == k.sig.last) {
      k.is_rewritten = true;
      k.dynamic = row.dynamic;
      k.layers = row.layers;
      if (k.entry && row.parameters.size() == k.entry->parameters.size())
        k.parameters = row.parameters;
    }
  k.is_rewritten |= f.any_kernel;
  if (!k.entry)
    return;
  k.parameters.resize(k.entry->parameters.size());
  if (k.sig.parameters.size() == k.parameters.size())
    for (size_t i = 0; i < k.parameters.size(); i++)
      k.parameters[i].type = k.sig.parameters[i];
}

inline void find_pipelined(const setup &s, const form &f, kernel &k) {
  code &c = code_of_context(f);
  std::string name = same_name(names_of(f.pipelined.entries), k.symbol);
  k.trouble = c.trouble;
  if (!k.trouble.empty())
    return;
  int error = name.empty() ? 0 : find_kernel(f, c, name, &k.pipelined);
  if (name.empty() || error)
    k.trouble = "the rewritten file's device code lacks this kernel" +
                (error ? ": " + error_text(error) : "");
  else
    note_effects(f, k);
  if (k.trouble.empty())
    find_variables(s, f, c.module, k);
}

/* Everything about the kernel behind a CUfunction of the current context, and one
 * form of it. */
inline kernel make_kernel(const setup &s, const form &f, void *function) {
  kernel k;
  const char *symbol = nullptr;
  k.original = function;
  k.rewritten = &f;
  if (cuda().name_of(&symbol, function) != 0 || !symbol)
    return k;
  k.symbol = symbol;
  k.sig = signature_of(k.symbol);
  auto entry =
      f.pipelined.entries.find(same_name(names_of(f.pipelined.entries), k.symbol));
  if (entry != f.pipelined.entries.end())
    k.entry = &entry->second;
  find_parameters(f, k);
  if (k.is_rewritten)
    find_pipelined(s, f, k);
  return k;
}

} // namespace pl

#endif
