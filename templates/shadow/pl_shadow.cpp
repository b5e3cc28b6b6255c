/* pl_shadow.cpp - pl_shadow.so: shadows the launches of one program.
 *
 * Decides which launches are run twice, keeps count of them, and writes down
 * what was found. */
#include "pl_check.h"
#include "pl_records.h"

#include <mutex>

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
    const kernel *k = kernel_of(call.function, call.is_kernel);
    if (!k || !k->is_rewritten)
      return call.run(&call);
    site &s = site_of(call.line, *k);
    s.launches++;
    if (s.attempts >= setup_.max_checks)
      return call.run(&call);
    finding f = check(setup_, *k, call).run();
    s.attempts += f.bytes > 0 || f.result != verdict::not_shadowed;
    if (f.result == verdict::not_shadowed)
      note_refusal(s, f.reason);
    else
      note_check(s, f);
    return f.error;
  }

  void note(void *function, bool is_kernel, const char *reason) {
    std::lock_guard<std::recursive_mutex> lock(mutex_);
    const kernel *k =
        cuda().missing.empty() ? kernel_of(function, is_kernel) : nullptr;
    if (!k || !k->is_rewritten)
      return;
    site &s = site_of(0, *k);
    s.launches++;
    note_refusal(s, reason);
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
    for (auto &entry : setup_.pipelined.entries)
      note_never_launched(entry.first);
    write(record("end"));
  }

private:
  std::recursive_mutex mutex_;
  setup setup_;
  std::map<void *, kernel> kernels_;
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

  const kernel *kernel_of(void *handle, bool is_kernel) {
    void *function = handle;
    if (is_kernel && (!cuda().of_kernel ||
                      cuda().of_kernel(&function, handle) != 0))
      return nullptr;
    auto found = kernels_.find(function);
    if (found == kernels_.end())
      found = kernels_.emplace(function, make_kernel(setup_, function)).first;
    return &found->second;
  }

  site &site_of(int line, const kernel &k) {
    site &s = sites_[{line, k.sig.name}];
    s.line = line;
    s.kernel = k.sig.name;
    return s;
  }

  void note_refusal(site &s, const std::string &reason) {
    s.refused++;
    for (auto &known : s.reasons)
      if (known == reason)
        return;
    s.reasons.push_back(reason);
    record r("refused");
    r.add("line", (long long)s.line).add("kernel", s.kernel);
    r.add("launch", s.launches).add("reason", reason);
    write(r);
  }

  void note_check(site &s, const finding &f) {
    s.checks++;
    record r("check");
    r.add("line", (long long)s.line).add("kernel", s.kernel);
    r.add("launch", s.launches).add("verdict", verdict_name(f.result));
    r.add("bytes", f.bytes).add("changed", f.changed);
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
    bool is_rewritten = setup_.any_kernel && symbol != REWRITTEN_MARK;
    for (auto &row : setup_.kernels)
      is_rewritten |= last_part(row.name) == sig.last;
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
