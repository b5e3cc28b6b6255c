/* The C and C++ library as far as kernels and typical host code name it. All
 * standard headers of the shim are this one. */
#ifndef PL_STD_H
#define PL_STD_H
#pragma GCC system_header

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define PRIu64 "lu"
#define PRId64 "ld"

inline __host__ __device__ void *operator new(size_t, void *p) noexcept { return p; }

struct FILE;
extern FILE *stdin, *stdout, *stderr;
extern "C" {
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int sscanf(const char *, const char *, ...);
int puts(const char *);
int putchar(int);
int fflush(FILE *);
FILE *fopen(const char *, const char *);
int fclose(FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
void perror(const char *);
void exit(int) __attribute__((noreturn));
void abort() __attribute__((noreturn));
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void *aligned_alloc(size_t, size_t);
int rand();
void srand(unsigned);
double drand48();
int atoi(const char *);
long atol(const char *);
double atof(const char *);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
double strtod(const char *, char **);
char *getenv(const char *);
size_t strlen(const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strcpy(char *, const char *);
char *strchr(const char *, int);
char *strstr(const char *, const char *);
long time(long *);
}

namespace std {
using ::size_t; using ::ptrdiff_t; using ::int8_t; using ::uint8_t;
using ::int16_t; using ::uint16_t; using ::int32_t; using ::uint32_t;
using ::int64_t; using ::uint64_t; using ::intptr_t; using ::uintptr_t;
using ::printf; using ::fprintf; using ::snprintf; using ::exit; using ::abort;
using ::malloc; using ::free; using ::calloc; using ::memcpy; using ::memset;
using ::memmove; using ::memcmp; using ::rand; using ::srand; using ::atoi;
using ::atof; using ::strlen; using ::strcmp; using ::getenv; using ::time;
using ::FILE; using ::fopen; using ::fclose; using ::fread; using ::fwrite;
using ::sqrt; using ::exp; using ::exp2; using ::log; using ::log2;
using ::log10; using ::log1p; using ::expm1; using ::sin; using ::cos;
using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2;
using ::sinh; using ::cosh; using ::tanh; using ::asinh; using ::acosh;
using ::atanh; using ::modf; using ::pow; using ::fmod;
using ::floor; using ::ceil; using ::round; using ::trunc; using ::fabs;
using ::abs; using ::fmin; using ::fmax; using ::fma; using ::isnan;
using ::isinf; using ::isfinite; using ::hypot; using ::erf; using ::cbrt;
using ::sqrtf; using ::expf; using ::powf; using ::fabsf; using ::fmaf;
using ::lround; using ::ldexp; using ::frexp; using ::signbit;
PL_HD float modf(float, float *);
typedef decltype(nullptr) nullptr_t;
#if __cplusplus >= 201703L
enum class byte : unsigned char {};
template <class I> PL_HD constexpr I to_integer(byte b) { return I(b); }
#endif

template <class T, T V> struct integral_constant {
  static constexpr T value = V;
  typedef T value_type;
  PL_HD constexpr operator T() const { return V; }
  PL_HD constexpr T operator()() const { return V; }
};
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <bool B> using bool_constant = integral_constant<bool, B>;
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool B, class T = void>
using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional { typedef T type; };
template <class T, class F> struct conditional<false, T, F> { typedef F type; };
template <bool B, class T, class F>
using conditional_t = typename conditional<B, T, F>::type;
template <class...> using void_t = void;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> struct remove_cv { typedef T type; };
template <class T> struct remove_cv<const T> { typedef T type; };
template <class T> struct remove_cv<volatile T> { typedef T type; };
template <class T> struct remove_cv<const volatile T> { typedef T type; };
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> using remove_const = remove_cv<T>;
template <class T> using remove_const_t = remove_cv_t<T>;
template <class T> struct remove_pointer { typedef T type; };
template <class T> struct remove_pointer<T *> { typedef T type; };
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> struct decay {
  typedef remove_cv_t<remove_reference_t<T>> type;
};
template <class T> using decay_t = typename decay<T>::type;
template <class T> struct make_unsigned { typedef __make_unsigned(T) type; };
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;
template <class A, class B> struct is_same : bool_constant<__is_same(A, B)> {};
template <class A, class B> constexpr bool is_same_v = __is_same(A, B);
#define PL_TRAIT(NAME, TEST)                                                   \
  template <class T> struct NAME : bool_constant<TEST> {};                     \
  template <class T> constexpr bool NAME##_v = TEST;
PL_TRAIT(is_integral, __is_integral(T))
PL_TRAIT(is_floating_point, __is_floating_point(T))
PL_TRAIT(is_arithmetic, __is_arithmetic(T))
PL_TRAIT(is_signed, __is_signed(T))
PL_TRAIT(is_unsigned, __is_unsigned(T))
PL_TRAIT(is_pointer, __is_pointer(T))
PL_TRAIT(is_void, __is_void(T))
PL_TRAIT(is_enum, __is_enum(T))
PL_TRAIT(is_class, __is_class(T))
PL_TRAIT(is_const, __is_const(T))
PL_TRAIT(is_reference, __is_reference(T))
PL_TRAIT(is_trivial, __is_trivial(T))
PL_TRAIT(is_trivially_copyable, __is_trivially_copyable(T))
PL_TRAIT(is_trivially_constructible, __is_trivially_constructible(T))
PL_TRAIT(is_trivially_default_constructible, __is_trivially_constructible(T))
PL_TRAIT(is_default_constructible, __is_constructible(T))
PL_TRAIT(is_copy_constructible, __is_constructible(T, const T &))
PL_TRAIT(is_nothrow_move_constructible, __is_nothrow_constructible(T, T))
PL_TRAIT(is_standard_layout, __is_standard_layout(T))
PL_TRAIT(is_pod, __is_pod(T))
PL_TRAIT(is_empty, __is_empty(T))
PL_TRAIT(is_union, __is_union(T))
PL_TRAIT(is_array, __is_array(T))
PL_TRAIT(is_function, __is_function(T))
PL_TRAIT(is_scalar, __is_scalar(T))
#undef PL_TRAIT
template <class T, class... A>
constexpr bool is_constructible_v = __is_constructible(T, A...);
template <class T, class... A>
struct is_constructible : bool_constant<__is_constructible(T, A...)> {};
#define PL_TRAIT(NAME, TEST)                                                   \
  template <class A, class B> struct NAME : bool_constant<TEST> {};            \
  template <class A, class B> constexpr bool NAME##_v = TEST;
PL_TRAIT(is_convertible, __is_convertible_to(A, B))
PL_TRAIT(is_base_of, __is_base_of(A, B))
PL_TRAIT(is_assignable, __is_assignable(A, B))
#undef PL_TRAIT
template <class T> struct add_const { typedef const T type; };
template <class T> using add_const_t = const T;
template <class T> struct add_pointer { typedef __remove_reference_t(T) *type; };
template <class T> using add_pointer_t = typename add_pointer<T>::type;
template <class T> struct make_signed { typedef __make_signed(T) type; };
template <class T> using make_signed_t = typename make_signed<T>::type;
template <class T> struct underlying_type { typedef __underlying_type(T) type; };
template <class T>
using underlying_type_t = typename underlying_type<T>::type;

template <class T> PL_HD T &&declval() noexcept;
template <class T> PL_HD constexpr remove_reference_t<T> &&move(T &&t) {
  return static_cast<remove_reference_t<T> &&>(t);
}
template <class T> PL_HD constexpr T &&forward(remove_reference_t<T> &t) {
  return static_cast<T &&>(t);
}
template <class T> PL_HD constexpr void swap(T &a, T &b) {
  T c = a; a = b; b = c;
}
template <class T> PL_HD constexpr const T &min(const T &a, const T &b) {
  return b < a ? b : a;
}
template <class T> PL_HD constexpr const T &max(const T &a, const T &b) {
  return a < b ? b : a;
}
template <class T>
PL_HD constexpr const T &clamp(const T &a, const T &lo, const T &hi) {
  return a < lo ? lo : hi < a ? hi : a;
}
template <class T> class initializer_list {
  const T *p_; size_t n_;
public:
  constexpr initializer_list() : p_(0), n_(0) {}
  constexpr initializer_list(const T *p, size_t n) : p_(p), n_(n) {}
  constexpr size_t size() const { return n_; }
  constexpr const T *begin() const { return p_; }
  constexpr const T *end() const { return p_ + n_; }
};
template <class A, class B> struct pair {
  A first; B second;
  PL_HD constexpr pair() {}
  PL_HD constexpr pair(const A &a, const B &b) : first(a), second(b) {}
};
template <class A, class B> PL_HD pair<A, B> make_pair(A, B);
template <class T, size_t N> PL_HD constexpr size_t size(const T (&)[N]) {
  return N;
}
template <class T, size_t N> struct array {
  T v[N];
  PL_HD constexpr T &operator[](size_t i) { return v[i]; }
  PL_HD constexpr const T &operator[](size_t i) const { return v[i]; }
  PL_HD constexpr size_t size() const { return N; }
  PL_HD constexpr T *data() { return v; }
  PL_HD constexpr T *begin() { return v; }
  PL_HD constexpr T *end() { return v + N; }
};
template <class... T> struct tuple { tuple(T...); };
template <class T, T... I> struct integer_sequence {};
template <size_t... I> using index_sequence = integer_sequence<size_t, I...>;
template <size_t N>
using make_index_sequence = __make_integer_seq<integer_sequence, size_t, N>;

enum float_round_style { round_toward_zero, round_to_nearest };
enum float_denorm_style { denorm_absent, denorm_present };
template <class T> struct pl_limits_base {
  static constexpr bool is_integer = __is_integral(T),
                        is_signed = __is_signed(T), is_specialized = true,
                        has_infinity = __is_floating_point(T),
                        has_quiet_NaN = has_infinity,
                        has_signaling_NaN = has_infinity,
                        is_iec559 = has_infinity, is_exact = is_integer,
                        is_bounded = true, is_modulo = is_integer && !is_signed,
                        has_denorm_loss = false, traps = is_integer,
                        tinyness_before = false;
  static constexpr int digits = sizeof(T) * 8 - __is_signed(T), radix = 2;
  static constexpr float_round_style round_style = round_to_nearest;
  static constexpr float_denorm_style has_denorm =
      has_infinity ? denorm_present : denorm_absent;
  PL_HD static constexpr T infinity() { return (T)__builtin_huge_val(); }
  PL_HD static constexpr T quiet_NaN() { return (T)__builtin_nan(""); }
};
#define PL_LIMITS(T, LOW, HIGH, MINP, EPS)                                     \
  template <> struct numeric_limits<T> : pl_limits_base<T> {                   \
    PL_HD static constexpr T lowest() { return LOW; }                          \
    PL_HD static constexpr T min() { return MINP; }                            \
    PL_HD static constexpr T max() { return HIGH; }                            \
    PL_HD static constexpr T epsilon() { return EPS; }                         \
  };
template <class T> struct numeric_limits;
PL_LIMITS(bool, false, true, false, 0)
PL_LIMITS(char, -128, 127, -128, 0)
PL_LIMITS(signed char, -128, 127, -128, 0)
PL_LIMITS(unsigned char, 0, 255, 0, 0)
PL_LIMITS(short, SHRT_MIN, SHRT_MAX, SHRT_MIN, 0)
PL_LIMITS(unsigned short, 0, USHRT_MAX, 0, 0)
PL_LIMITS(int, INT_MIN, INT_MAX, INT_MIN, 0)
PL_LIMITS(unsigned, 0, UINT_MAX, 0, 0)
PL_LIMITS(long, -LONG_MAX - 1, LONG_MAX, -LONG_MAX - 1, 0)
PL_LIMITS(unsigned long, 0, UINT64_MAX, 0, 0)
PL_LIMITS(long long, -LLONG_MAX - 1, LLONG_MAX, -LLONG_MAX - 1, 0)
PL_LIMITS(unsigned long long, 0, ULLONG_MAX, 0, 0)
PL_LIMITS(float, -FLT_MAX, FLT_MAX, FLT_MIN, FLT_EPSILON)
PL_LIMITS(double, -DBL_MAX, DBL_MAX, DBL_MIN, DBL_EPSILON)
#undef PL_LIMITS

template <class C> struct basic_string {
  basic_string(); basic_string(const C *);
  const C *c_str() const; size_t size() const; bool empty() const;
  size_t length() const; C &operator[](size_t); C *begin(); C *end();
  basic_string &operator+=(const basic_string &);
  size_t find(const basic_string &, size_t = 0) const;
  basic_string substr(size_t, size_t = 0) const;
};
typedef basic_string<char> string;
string operator+(const string &, const string &);
bool operator==(const string &, const string &);
bool operator!=(const string &, const string &);
bool operator<(const string &, const string &);
template <class T> string to_string(T);
int stoi(const string &);
float stof(const string &);
double stod(const string &);
template <class T> struct vector {
  typedef T value_type; typedef T *iterator;
  vector(); explicit vector(size_t); vector(size_t, const T &);
  vector(initializer_list<T>); template <class I> vector(I *, I *);
  T &operator[](size_t); const T &operator[](size_t) const; T &at(size_t);
  T *data(); const T *data() const; size_t size() const; bool empty() const;
  T *begin(); T *end(); const T *begin() const; const T *end() const;
  T &back(); T &front(); void push_back(const T &); void pop_back();
  template <class... A> void emplace_back(A &&...); void resize(size_t);
  void resize(size_t, const T &); void reserve(size_t); void clear();
  void assign(size_t, const T &);
};
template <class T> struct default_delete {};
template <class T, class D = default_delete<T>> struct unique_ptr {
  typedef __remove_extent(T) element; typedef element *pointer;
  unique_ptr(nullptr_t = nullptr); explicit unique_ptr(pointer);
  unique_ptr(pointer, const D &); unique_ptr(unique_ptr &&);
  unique_ptr &operator=(unique_ptr &&);
  pointer get() const; element &operator*() const; pointer operator->() const;
  element &operator[](size_t) const; pointer release();
  void reset(pointer = nullptr); explicit operator bool() const;
};
template <class T, class... A> unique_ptr<T> make_unique(A &&...);
template <class T> struct shared_ptr {
  typedef __remove_extent(T) element;
  shared_ptr(nullptr_t = nullptr); explicit shared_ptr(element *);
  template <class D> shared_ptr(element *, D);
  element *get() const; element &operator*() const; element *operator->() const;
  element &operator[](size_t) const; void reset(); explicit operator bool() const;
};
template <class T, class... A> shared_ptr<T> make_shared(A &&...);
template <class T, class U = T> T exchange(T &, U &&);
template <class K, class V> struct map {
  V &operator[](const K &); size_t size() const;
};
template <class F> struct function;
template <class R, class... A> struct function<R(A...)> {
  function(); template <class F> function(F); R operator()(A...) const;
};
struct ostream {
  template <class T> ostream &operator<<(const T &);
  ostream &operator<<(ostream &(*)(ostream &));
};
struct istream { template <class T> istream &operator>>(T &); };
struct stringstream : ostream { string str() const; };
typedef stringstream ostringstream;
struct ofstream : ostream { ofstream(const string &); void close(); };
struct ifstream : istream { ifstream(const string &); void close(); };
extern ostream cout, cerr, clog;
extern istream cin;
ostream &endl(ostream &);
ostream &flush(ostream &);
ostream &fixed(ostream &);
ostream &scientific(ostream &);
struct pl_manipulator {};
pl_manipulator setprecision(int);
pl_manipulator setw(int);
struct exception { virtual const char *what() const; };
struct runtime_error : exception { runtime_error(const string &); };
struct logic_error : exception { logic_error(const string &); };
struct invalid_argument : logic_error { invalid_argument(const string &); };
template <class I, class T> void fill(I, I, const T &);
template <class I, class F> void generate(I, I, F);
template <class I> void sort(I, I);
template <class I, class F> void sort(I, I, F);
template <class I, class O> O copy(I, I, O);
template <class I, class T> void iota(I, I, T);
template <class I, class T> T accumulate(I, I, T);
template <class I> I max_element(I, I);
template <class I> I min_element(I, I);
template <class I, class F> I max_element(I, I, F);
template <class I, class F> I min_element(I, I, F);
template <class I, class T, class F> T accumulate(I, I, T, F);
template <class I, class J, class T> T inner_product(I, I, J, T);
template <class I, class N, class T> I fill_n(I, N, const T &);
template <class I, class N, class F> I generate_n(I, N, F);
template <class I, class N, class O> O copy_n(I, N, O);
template <class I, class O, class F> O copy_if(I, I, O, F);
template <class I, class F> F for_each(I, I, F);
template <class I, class O, class F> O transform(I, I, O, F);
template <class I, class J, class O, class F> O transform(I, I, J, O, F);
template <class I, class T> I find(I, I, const T &);
template <class I, class F> I find_if(I, I, F);
template <class I, class T> ptrdiff_t count(I, I, const T &);
template <class I, class F> ptrdiff_t count_if(I, I, F);
template <class I, class F> bool all_of(I, I, F);
template <class I, class F> bool any_of(I, I, F);
template <class I, class F> bool none_of(I, I, F);
template <class I, class J> bool equal(I, I, J);
template <class I, class J, class F> bool equal(I, I, J, F);
template <class I, class G> void shuffle(I, I, G &&);
template <class I> void reverse(I, I);
template <class I> I unique(I, I);
template <class I> void nth_element(I, I, I);
template <class I, class F> void stable_sort(I, I, F);
template <class I, class F> I remove_if(I, I, F);
template <class I, class T> I lower_bound(I, I, const T &);
template <class I> ptrdiff_t distance(I, I);
template <class C> auto begin(C &c) -> decltype(c.begin());
template <class C> auto end(C &c) -> decltype(c.end());
template <class T, size_t N> T *begin(T (&)[N]);
template <class T, size_t N> T *end(T (&)[N]);
template <class C> struct back_insert_iterator {
  back_insert_iterator &operator*(); back_insert_iterator &operator++();
  template <class T> back_insert_iterator &operator=(const T &);
};
template <class C> back_insert_iterator<C> back_inserter(C &);
struct random_device { unsigned operator()(); };
struct mt19937 { mt19937(unsigned = 0); unsigned operator()(); };
typedef mt19937 mt19937_64;
typedef mt19937 default_random_engine;
template <class T = float> struct uniform_real_distribution {
  uniform_real_distribution(T = 0, T = 1); template <class G> T operator()(G &);
};
template <class T = int> struct uniform_int_distribution {
  uniform_int_distribution(T = 0, T = 1); template <class G> T operator()(G &);
};
template <class T = float> struct normal_distribution {
  normal_distribution(T = 0, T = 1); template <class G> T operator()(G &);
};
template <intmax_t N, intmax_t D = 1> struct ratio {};
typedef ratio<1, 1000> milli;
typedef ratio<1, 1000000> micro;
typedef ratio<1, 1000000000> nano;
namespace chrono {
template <class T, class P = ratio<1>> struct duration {
  duration(); template <class D> duration(const D &); T count() const;
};
typedef duration<long, nano> nanoseconds;
typedef duration<long, micro> microseconds;
typedef duration<long, milli> milliseconds;
typedef duration<long> seconds;
struct time_point { nanoseconds time_since_epoch() const; };
nanoseconds operator-(time_point, time_point);
struct steady_clock {
  typedef chrono::time_point time_point; static time_point now();
};
typedef steady_clock high_resolution_clock;
typedef steady_clock system_clock;
template <class D, class F> D duration_cast(const F &);
} // namespace chrono
template <class T> struct complex {
  constexpr complex(T = T(), T = T()); T real() const; T imag() const;
};
enum memory_order {
  memory_order_relaxed, memory_order_consume, memory_order_acquire,
  memory_order_release, memory_order_acq_rel, memory_order_seq_cst
};
template <class T> struct atomic {
  atomic(T = T()); T load(memory_order = memory_order_seq_cst) const;
  void store(T, memory_order = memory_order_seq_cst);
  T fetch_add(T, memory_order = memory_order_seq_cst);
  T fetch_sub(T, memory_order = memory_order_seq_cst);
  T fetch_or(T, memory_order = memory_order_seq_cst);
  T exchange(T, memory_order = memory_order_seq_cst); operator T() const;
};
struct mutex { void lock(); void unlock(); };
template <class M> struct lock_guard { explicit lock_guard(M &); };
template <class M> struct unique_lock { explicit unique_lock(M &); };
struct once_flag {};
template <class F, class... A> void call_once(once_flag &, F, A &&...);
struct nullopt_t {};
constexpr nullopt_t nullopt{};
template <class T> struct optional {
  typedef T value_type;
  optional(); optional(nullopt_t); optional(const T &);
  bool has_value() const; explicit operator bool() const;
  T &value(); const T &value() const; T value_or(const T &) const;
  T &operator*(); const T &operator*() const; T *operator->();
};
struct string_view {
  string_view(); string_view(const char *); string_view(const string &);
  const char *data() const; size_t size() const; bool empty() const;
};
bool operator==(string_view, string_view);
#define PL_OPERATOR(NAME, GIVES, OP)                                           \
  template <class T = void> struct NAME {                                      \
    PL_HD constexpr GIVES operator()(const T &a, const T &b) const {           \
      return a OP b;                                                           \
    }                                                                          \
  };                                                                           \
  template <> struct NAME<void> {                                              \
    template <class A, class B>                                                \
    PL_HD constexpr auto operator()(const A &a, const B &b) const              \
        -> decltype(a OP b) {                                                  \
      return a OP b;                                                           \
    }                                                                          \
  };
PL_OPERATOR(plus, T, +) PL_OPERATOR(minus, T, -) PL_OPERATOR(multiplies, T, *)
PL_OPERATOR(divides, T, /) PL_OPERATOR(modulus, T, %) PL_OPERATOR(bit_and, T, &)
PL_OPERATOR(bit_or, T, |) PL_OPERATOR(bit_xor, T, ^) PL_OPERATOR(less, bool, <)
PL_OPERATOR(greater, bool, >) PL_OPERATOR(less_equal, bool, <=)
PL_OPERATOR(greater_equal, bool, >=) PL_OPERATOR(equal_to, bool, ==)
PL_OPERATOR(not_equal_to, bool, !=) PL_OPERATOR(logical_and, bool, &&)
PL_OPERATOR(logical_or, bool, ||)
#undef PL_OPERATOR
template <class T> struct hash { size_t operator()(const T &) const; };
template <class K, class V> struct unordered_map : map<K, V> {};
template <class T> struct tuple_size;
template <class... T>
struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
struct input_iterator_tag {};
struct forward_iterator_tag : input_iterator_tag {};
struct random_access_iterator_tag : forward_iterator_tag {};
template <class I> struct iterator_traits {
  typedef typename I::value_type value_type;
  typedef ptrdiff_t difference_type;
};
template <class T> struct iterator_traits<T *> {
  typedef remove_cv_t<T> value_type; typedef T &reference;
  typedef ptrdiff_t difference_type;
  typedef random_access_iterator_tag iterator_category;
};
} // namespace std

#endif
