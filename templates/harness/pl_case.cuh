/* pl_case.cuh - one kernel form on one set of sizes: arguments, a run, and what
 * it left behind. */
#ifndef PL_CASE_CUH
#define PL_CASE_CUH

#include "pl_memory.cuh"

#include <dlfcn.h>

struct Form {
  std::string label;
  pl_kernel kernel;
};

/* Loads a form's shared object and finds the kernel of a launch. Lazily, since
 * host code that nobody calls may want libraries that are not there. */
static Form load_form(const std::string &label, const char *path, int launch) {
  Form form = {label, {}};
  void *object = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (!object)
    throw Failure{"harness-error", dlerror()};
  std::string symbol = "pl_kernel_" + std::to_string(launch);
  void (*describe)(pl_kernel *) =
      (void (*)(pl_kernel *))dlsym(object, symbol.c_str());
  if (!describe)
    throw Failure{"harness-error", symbol + " is not in " + path};
  describe(&form.kernel);
  return form;
}

static bool is_real(int kind) {
  return kind == PL_KIND_FLOAT || kind == PL_KIND_HALF ||
         kind == PL_KIND_BFLOAT16;
}

/* Why an argument does not fit its parameter; NULL where it does. */
static const char *misfit(const Argument &a, const pl_param &p) {
  if (a.kind == 'b')
    return p.is_pointer ? NULL : "the parameter is no pointer";
  if (p.is_pointer)
    return a.kind == 'n' ? NULL : "the parameter is a pointer";
  if (p.lanes != 1 || p.size > 8 || (p.kind == PL_KIND_OTHER && p.size != 4))
    return "a parameter of this type cannot be described";
  if (a.kind == 'r' && !is_real(p.kind))
    return "the parameter is no floating type";
  return NULL;
}

static void check_signature(const Form &form, const SizeSet &set) {
  const pl_kernel &k = form.kernel;
  if ((size_t)k.n_params != set.args.size())
    throw Failure{"undescribed",
                  "the kernel has " + std::to_string(k.n_params) +
                      " parameters, the description " +
                      std::to_string(set.args.size())};
  for (size_t i = 0; i < set.args.size(); i++)
    if (const char *why = misfit(set.args[i], k.params[i]))
      throw Failure{"undescribed", set.args[i].name + ": " + why};
}

static void check_same_signature(const Form &a, const Form &b) {
  bool same = a.kernel.n_params == b.kernel.n_params;
  for (int i = 0; same && i < a.kernel.n_params; i++)
    same = a.kernel.params[i].is_pointer == b.kernel.params[i].is_pointer &&
           a.kernel.params[i].size == b.kernel.params[i].size &&
           a.kernel.params[i].kind == b.kernel.params[i].kind;
  if (!same)
    throw Failure{"build-failed", b.label + " has other parameters"};
}

/* Numbers are what a vector or a struct of floats is made of. */
struct Numbers {
  int kind;
  unsigned size;
  size_t per_element;
};

static Numbers numbers_of(const pl_param &p) {
  if (p.kind != PL_KIND_OTHER)
    return {p.kind, p.size / p.lanes, p.lanes};
  if (p.size % 4 == 0)
    return {PL_KIND_FLOAT, 4, p.size / 4};
  return {PL_KIND_UNSIGNED, 1, p.size};
}

/* One argument of a case: where it works and what it begins with. */
struct Buffer {
  const Argument *arg;
  const pl_param *param;
  size_t bytes;
  Guarded work;
  char *initial; /* NULL for `out` */
  char *wanted;  /* what the original leaves */
};

struct Case {
  const SizeSet *set;
  std::vector<Buffer> buffers; /* one an argument; bytes 0 for scalars */
  std::vector<unsigned long long> scalars;
  u64 seed;
};

static bool is_buffer(const Argument &a) { return a.kind == 'b'; }

static size_t bytes_of(const Argument &a, const pl_param &p) {
  return is_buffer(a) ? (size_t)a.count * p.size : 0;
}

/* What a case takes from the pool. */
static size_t memory_of(const SizeSet &set, const Form &form) {
  size_t sum = 0;
  for (size_t i = 0; i < set.args.size(); i++) {
    size_t bytes = bytes_of(set.args[i], form.kernel.params[i]);
    sum += guarded_size(bytes) + 2 * round_up(bytes, ALIGNMENT);
  }
  return sum;
}

static Buffer make_buffer(Pool *pool, const Argument &a, const pl_param &p) {
  Buffer b = {&a, &p, bytes_of(a, p), {}, NULL, NULL};
  if (!is_buffer(a))
    return b;
  b.work = take_guarded(pool, b.bytes);
  b.wanted = pool->take(b.bytes);
  if (a.direction != 'o')
    b.initial = pool->take(b.bytes);
  return b;
}

static unsigned long long scalar_bits(const Argument &a, const pl_param &p) {
  unsigned long long bits = 0;
  if (!is_buffer(a) && !p.is_pointer)
    put_number((char *)&bits, p.kind, p.size,
               a.kind == 'r' ? a.low : (double)a.value, a.value);
  return bits;
}

static Case make_case(Pool *pool, const SizeSet &set, const Form &form) {
  pool->reserve(memory_of(set, form));
  Case c = {&set, {}, {}, 0};
  for (size_t i = 0; i < set.args.size(); i++) {
    const pl_param &p = form.kernel.params[i];
    c.buffers.push_back(make_buffer(pool, set.args[i], p));
    c.scalars.push_back(scalar_bits(set.args[i], p));
  }
  return c;
}

static void fill_initial(const Buffer &b, u64 seed, cudaStream_t stream) {
  if (!b.initial || !b.bytes)
    return;
  Numbers n = numbers_of(*b.param);
  const Argument &a = *b.arg;
  size_t count = (size_t)a.count * n.per_element;
  Fill fill = {a.fill, n.kind, n.size, a.below, a.low, a.high};
  fill_numbers<<<blocks_for(count), 256, 0, stream>>>(b.initial, count, fill,
                                                      seed);
}

/* Fresh random inputs. */
static void refresh(Case *c, u64 seed, cudaStream_t stream) {
  c->seed = seed;
  for (size_t i = 0; i < c->buffers.size(); i++)
    fill_initial(c->buffers[i], random_bits(seed, i), stream);
  require(cudaGetLastError(), "fill");
}

/* Puts a buffer into the state in which every run finds it: inputs as they are
 * at first, outputs and the zones around all of them poisoned. */
static void restore(const Case &c, size_t i, cudaStream_t stream) {
  const Buffer &b = c.buffers[i];
  if (!is_buffer(*b.arg))
    return;
  u64 seed = c.seed + 1000 * (i + 1);
  poison_guards(b.work, seed, stream);
  if (b.initial)
    require(cudaMemcpyAsync(b.work.data, b.initial, b.bytes,
                            cudaMemcpyDeviceToDevice, stream),
            "copy");
  else
    poison(b.work.data, b.bytes, seed + 2, stream);
}

static void restore_all(const Case &c, cudaStream_t stream) {
  for (size_t i = 0; i < c.buffers.size(); i++)
    restore(c, i, stream);
  require(cudaGetLastError(), "poison");
}

/* The values of the arguments, pointers among them. */
struct Arguments {
  std::vector<unsigned long long> values;

  explicit Arguments(const Case &c) : values(c.scalars) {
    for (size_t i = 0; i < c.buffers.size(); i++)
      if (is_buffer(*c.buffers[i].arg))
        values[i] = (unsigned long long)c.buffers[i].work.data;
  }
  std::vector<void *> addresses() {
    std::vector<void *> all;
    for (unsigned long long &v : values)
      all.push_back(&v);
    all.push_back(NULL);
    return all;
  }
};

static int start(const Form &form, const Case &c, Arguments *arguments,
                 cudaStream_t stream) {
  pl_shape shape = shape_of(*c.set, form.label);
  return form.kernel.launch(form.kernel.function, &shape,
                            arguments->addresses().data(), stream);
}

static Failure crash(const Form &form, const Case &c, int error) {
  std::string verdict = form.label == "original" ? "original-crash" : "crash";
  return {verdict, form.label + " [" + c.set->text + "]: " +
                       cudaGetErrorString((cudaError_t)error)};
}

/* Runs a form from a restored state to its end. */
static void run(const Form &form, const Case &c, cudaStream_t stream) {
  Arguments arguments(c);
  restore_all(c, stream);
  int error = start(form, c, &arguments, stream);
  if (!error)
    error = cudaStreamSynchronize(stream);
  if (error)
    throw crash(form, c, error);
}

/* Keeps what the last run left as what others have to leave. */
static void keep_wanted(const Case &c, cudaStream_t stream) {
  for (const Buffer &b : c.buffers)
    if (b.bytes)
      require(cudaMemcpyAsync(b.wanted, b.work.data, b.bytes,
                              cudaMemcpyDeviceToDevice, stream),
              "copy");
}

#endif
