/* pl_shadow.cpp - pl_shadow.so: shadows the launches of one program.
 *
 * Decides which launches are run twice, keeps count of them, and writes down
 * what was found. */
#include "pl_check.h"
#include "pl_records.h"

#include <mutex>
#include <set>

namespace pl {

/* Where a kernel is launched: a line, or a kernel where no line is known. */
struct site {
  int line = 0;
  std::string kernel;
  long long launches = 0, checks = 0, refused = 0;
  long long attempts = 0; /* that have cost copies */
  std::vector<std::string> reasons; /* said already */
};

class shadow {
public:
  shadow() {
    const char *asked = getenv("PIPELINIFY_SHADOW");
    setup_ = read_setup(asked ? asked : ".");
    record start("start");
    start.add("version", (long long)PL_SHADOW_VERSION);
    if (cuda().missing.empty())
      describe_device(start);
    else
      start.add("trouble", cuda().missing);
    write(start);
  }

  int launch(const pl_shadow_call &call) {
    std::lock_guard<std::recursive_mutex> lock(mutex_);
    if (call.version != PL_SHADOW_VERSION || !call.function ||
        !cuda().missing.empty())
      return call.run(&call);
    auto forms = forms_of(call.function, call.is_kernel);
    if (forms.empty())
      return call.run(&call);
    site &s = site_of(call.line, *forms[0]);
    s.launches++;
    if (s.attempts >= setup_.max_checks)
      return call.run(&call);
    auto found = check(setup_, forms, call).run();
    note_findings(s, forms, found);
    return found[0].error;
  }

  void note(void *function, bool is_kernel, const char *reason) {
    std::lock_guard<std::recursive_mutex> lock(mutex_);
    std::vector<const kernel *> forms;
    if (cuda().missing.empty())
      forms = forms_of(function, is_kernel);
    if (forms.empty())
      return;
    site &s = site_of(0, *forms[0]);
    s.launches++;
    s.refused++;
    for (auto form : forms)
      note_refusal(s, *form, reason);
  }

  /* Handles of a context that ends; another one may get the same. */
  void forget() {
    std::lock_guard<std::recursive_mutex> lock(mutex_);
    kernels_.clear();
    loaded_code().clear();
  }

  /* What only the end of the program knows. */
  void finish() {
    std::lock_guard<std::recursive_mutex> lock(mutex_);
    for (auto &entry : sites_) {
      const site &s = entry.second;
      record r("site");
      r.add("line", (long long)s.line).add("kernel", s.kernel);
      r.add("launches", s.launches).add("checks", s.checks);
      r.add("refused", s.refused);
      write(r);
    }
    std::set<std::string> symbols;
    for (auto &f : setup_.forms)
      for (auto &entry : f.pipelined.entries)
        symbols.insert(entry.first);
    for (auto &symbol : symbols)
      note_never_launched(symbol);
    write(record("end"));
  }

private:
  std::recursive_mutex mutex_;
  setup setup_;
  std::map<void *, std::vector<kernel>> kernels_; /* a form each */
  std::map<std::pair<int, std::string>, site> sites_;

  void write(const record &r) { r.write(setup_.path("shadow.jsonl")); }

  void describe_device(record &r) {
    char name[256] = "";
    int device = 0, version = 0;
    if (cuda().device(&device) == 0)
      cuda().device_name(name, sizeof name, device);
    cuda().version(&version);
    r.add("device", std::string(name)).add("driver", (long long)version);
  }

  const std::vector<kernel> &kernels_of(void *function) {
    auto found = kernels_.find(function);
    if (found != kernels_.end())
      return found->second;
    std::vector<kernel> &forms = kernels_[function];
    for (auto &f : setup_.forms)
      forms.push_back(make_kernel(setup_, f, function));
    return forms;
  }

  /* The forms that rewrite the kernel; none: it is another one. */
  std::vector<const kernel *> forms_of(void *handle, bool is_kernel) {
    std::vector<const kernel *> forms;
    void *function = handle;
    if (is_kernel && (!cuda().of_kernel ||
                      cuda().of_kernel(&function, handle) != 0))
      return forms;
    for (auto &k : kernels_of(function))
      if (k.is_rewritten)
        forms.push_back(&k);
    return forms;
  }

  site &site_of(int line, const kernel &k) {
    site &s = sites_[{line, k.sig.name}];
    s.line = line;
    s.kernel = k.sig.name;
    return s;
  }

  void note_findings(site &s, const std::vector<const kernel *> &forms,
                     const std::vector<finding> &found) {
    bool tried = false, checked = false, refused = false;
    for (auto &f : found) {
      bool is_check = f.result != verdict::not_shadowed;
      checked |= is_check;
      refused |= !is_check;
      tried |= is_check || f.bytes > 0;
    }
    s.attempts += tried;
    s.checks += checked;
    s.refused += refused;
    for (size_t i = 0; i < found.size(); i++)
      if (found[i].result == verdict::not_shadowed)
        note_refusal(s, *forms[i], found[i].reason);
      else
        note_check(s, *forms[i], found[i]);
  }

  /* Where there is but one form, it goes without a name. */
  void add_form(record &r, const kernel &k) const {
    if (setup_.rounds > 0)
      r.add("form", k.rewritten->name);
  }

  void note_refusal(site &s, const kernel &k, const std::string &reason) {
    std::string about = k.rewritten->name + ": " + reason;
    for (auto &known : s.reasons)
      if (known == about)
        return;
    s.reasons.push_back(about);
    record r("refused");
    r.add("line", (long long)s.line).add("kernel", s.kernel);
    add_form(r, k);
    r.add("launch", s.launches).add("reason", reason);
    write(r);
  }

  void note_check(site &s, const kernel &k, const finding &f) {
    record r("check");
    r.add("line", (long long)s.line).add("kernel", s.kernel);
    add_form(r, k);
    r.add("launch", s.launches).add("verdict", verdict_name(f.result));
    r.add("bytes", f.bytes).add("changed", f.changed);
    if (f.ms > 0)
      r.add("ns", (long long)(f.ms * 1e6 + .5))
          .add("original_ns", (long long)(f.original_ms * 1e6 + .5));
    if (!f.reason.empty())
      r.add("reason", f.reason);
    if (f.differing)
      r.add("where", f.where).add("value", f.value).add("should", f.should)
          .add("differing", f.differing).add("elements", f.elements);
    write(r);
    if (f.result == verdict::crash || f.result == verdict::timeout)
      give_up(s, f);
  }

  /* The device's memory is lost: the program cannot go on as if nothing had
   * happened. */
  void give_up(const site &s, const finding &f) {
    fprintf(stderr,
            "pipelinify: %s, rewritten: %s (%s); the program is ended\n",
            s.kernel.c_str(), verdict_name(f.result), f.reason.c_str());
    finish();
    fflush(nullptr);
    _exit(3);
  }

  bool was_launched(const std::string &name) const {
    for (auto &entry : sites_)
      if (entry.second.kernel == name)
        return true;
    return false;
  }

  void note_never_launched(const std::string &symbol) {
    signature sig = signature_of(symbol);
    bool is_rewritten = false;
    for (auto &f : setup_.forms) {
      is_rewritten |= f.any_kernel && symbol != REWRITTEN_MARK;
      for (auto &row : f.kernels)
        is_rewritten |= last_part(row.name) == sig.last;
    }
    if (!is_rewritten || was_launched(sig.name))
      return;
    write(record("idle").add("kernel", sig.name));
  }
};

/* Never destroyed: launches may come from other libraries' destructors. */
static shadow &the_shadow() {
  static shadow *s = [] {
    shadow *fresh = new shadow();
    std::atexit([] { the_shadow().finish(); });
    return fresh;
  }();
  return *s;
}

} // namespace pl

extern "C" __attribute__((visibility("default"))) int
pl_shadow_run(const pl_shadow_call *call) {
  return pl::the_shadow().launch(*call);
}

extern "C" __attribute__((visibility("default"))) void
pl_shadow_note(void *function, int is_kernel, const char *reason) {
  pl::the_shadow().note(function, is_kernel != 0, reason);
}

extern "C" __attribute__((visibility("default"))) void pl_shadow_forget(void) {
  pl::the_shadow().forget();
}
