/* pl_ptx.h - PTX instructions as functions, for inline assembly.
 *
 * An instruction's dots and colons become underscores, its operands arguments
 * in order, brackets dropped: src/validate/emulator/emuptx.c writes the calls. An instruction
 * that is not here does not compile, and the kernel is left to the GPU proof.
 * Fragment layouts are those of the PTX manual, "Matrix fragments for
 * mma.m16n8k*" and "ldmatrix". */
#ifndef PL_PTX_H
#define PL_PTX_H

#include "pl_half.h"

template <class T> PL_EMU unsigned pl_word(const T &v) {
  static_assert(sizeof(T) == 4, "a 32-bit register");
  unsigned r;
  __builtin_memcpy(&r, &v, 4);
  return r;
}

/* --- asynchronous copies, barriers --------------------------------------- */

#define PL_CP_ASYNC(name)                                                      \
  template <class S>                                                           \
  PL_EMU void pl_ptx_cp_async_##name(unsigned dst, S src, unsigned n) {        \
    pl_rt_copy(pl_rt_shared_pointer(dst), (const void *)src, n, 0);            \
  }                                                                            \
  template <class S>                                                           \
  PL_EMU void pl_ptx_cp_async_##name(unsigned dst, S src, unsigned n,          \
                                     unsigned from_source) {                   \
    pl_rt_copy(pl_rt_shared_pointer(dst), (const void *)src, n,                \
               n - from_source);                                               \
  }
PL_CP_ASYNC(ca_shared_global)
PL_CP_ASYNC(cg_shared_global)
PL_CP_ASYNC(ca_shared__cta_global)
PL_CP_ASYNC(cg_shared__cta_global)
PL_CP_ASYNC(ca_shared_global_L2__128B)
PL_CP_ASYNC(cg_shared_global_L2__128B)
PL_CP_ASYNC(ca_shared_global_L2__256B)
PL_CP_ASYNC(cg_shared_global_L2__256B)
PL_CP_ASYNC(cg_shared_global_L2__64B)
PL_EMU void pl_ptx_cp_async_commit_group() { pl_rt_copy_commit(); }
PL_EMU void pl_ptx_cp_async_wait_group(unsigned n) { pl_rt_copy_wait(n); }
PL_EMU void pl_ptx_cp_async_wait_all() { pl_rt_copy_wait_all(); }

#define PL_BAR(name)                                                           \
  PL_EMU void pl_ptx_##name(int id, int n = 0, int line = __builtin_LINE()) {  \
    pl_rt_named_barrier(id, n, line);                                          \
  }
PL_BAR(bar_sync) PL_BAR(barrier_sync) PL_BAR(barrier_cta_sync)
PL_BAR(bar_sync_aligned) PL_BAR(barrier_sync_aligned)
PL_EMU void pl_ptx_bar_warp_sync(unsigned mask) { __syncwarp(mask); }
PL_EMU void pl_ptx_trap() { pl_rt_trap("trap"); }
PL_EMU void pl_ptx_membar_gl() { pl_rt_fence(); }
PL_EMU void pl_ptx_membar_cta() {}
PL_EMU void pl_ptx_fence_acq_rel_gpu() { pl_rt_fence(); }
PL_EMU void pl_ptx_fence_proxy_async() {}

/* --- moves and addresses ------------------------------------------------- */

#define PL_MOVE(name)                                                          \
  template <class D, class S> PL_EMU void pl_ptx_##name(D &d, S s) {           \
    d = (D)s;                                                                  \
  }
PL_MOVE(cvta_to_global_u64) PL_MOVE(cvt_u32_u64) PL_MOVE(cvt_u64_u32)
PL_MOVE(mov_u32) PL_MOVE(mov_s32) PL_MOVE(mov_u64)
PL_MOVE(cvt_rn_f32_s32) PL_MOVE(cvt_f32_f16) PL_MOVE(cvt_s32_s8)
PL_MOVE(cvt_s64_s32) PL_MOVE(cvt_u16_u32) PL_MOVE(cvt_u32_u16)
template <class D, class S> PL_EMU void pl_ptx_mov_b32(D &d, S s) {
  static_assert(sizeof(D) == 4 && sizeof(S) == 4, "32 bits");
  __builtin_memcpy(&d, &s, 4);
}
template <class D, class S>
PL_EMU void pl_ptx_cvta_to_shared_u64(D &d, S s) {
  d = (D)pl_rt_shared_address((const void *)(size_t)s);
}
template <class D, class S> PL_EMU void pl_ptx_cvta_shared_u64(D &d, S s) {
  d = (D)(size_t)pl_rt_shared_pointer((unsigned)s);
}
template <class D, class S>
PL_EMU void pl_ptx_cvt_rna_tf32_f32(D &d, S s) {
  unsigned bits = pl_word(s);
  bits = (bits & 0x7f800000u) == 0x7f800000u ? bits
                                             : (bits + 0x1000) & 0xffffe000u;
  __builtin_memcpy(&d, &bits, 4);
}
template <class D> PL_EMU void pl_ptx_cvt_rn_f16_f32(D &d, float s) {
  unsigned short bits = pl_float_to_half(s);
  __builtin_memcpy(&d, &bits, 2);
}
template <class D>
PL_EMU void pl_ptx_cvt_rn_f16x2_f32(D &d, float high, float low) {
  unsigned bits = (unsigned)pl_float_to_half(high) << 16 | pl_float_to_half(low);
  __builtin_memcpy(&d, &bits, 4);
}
template <class D>
PL_EMU void pl_ptx_cvt_rn_bf16x2_f32(D &d, float high, float low) {
  unsigned bits =
      (unsigned)pl_float_to_bfloat16(high) << 16 | pl_float_to_bfloat16(low);
  __builtin_memcpy(&d, &bits, 4);
}

PL_EMU unsigned pl_ptx_register_laneid() { return pl_rt_lane(); }
PL_EMU unsigned pl_ptx_register_warpid() {
  return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) /
         32;
}
PL_EMU unsigned pl_ptx_register_smid() { return 0; }
PL_EMU unsigned pl_ptx_register_dynamic_smem_size() {
  return pl_rt_dynamic_size();
}
PL_EMU unsigned pl_ptx_register_clock() { return 0; }

#define PL_COMPARE(name, op)                                                   \
  template <class A, class B>                                                  \
  PL_EMU void pl_ptx_setp_##name(bool &p, A a, B b) { p = a op b; }
PL_COMPARE(ne_b32, !=) PL_COMPARE(eq_b32, ==) PL_COMPARE(ne_u32, !=)
PL_COMPARE(eq_u32, ==) PL_COMPARE(ne_s32, !=) PL_COMPARE(eq_s32, ==)
PL_COMPARE(lt_s32, <) PL_COMPARE(gt_s32, >) PL_COMPARE(ge_s32, >=)
PL_COMPARE(le_s32, <=) PL_COMPARE(lt_u32, <) PL_COMPARE(gt_u32, >)

#define PL_ARITHMETIC(name, expression)                                        \
  template <class D, class A, class B>                                         \
  PL_EMU void pl_ptx_##name(D &d, A a, B b) { d = (D)(expression); }
PL_ARITHMETIC(add_s32, (int)((unsigned)a + (unsigned)b))
PL_ARITHMETIC(add_u32, (unsigned)a + (unsigned)b)
PL_ARITHMETIC(sub_s32, (int)((unsigned)a - (unsigned)b))
PL_ARITHMETIC(mul_lo_s32, (int)((unsigned)a * (unsigned)b))
PL_ARITHMETIC(add_f32, a + b) PL_ARITHMETIC(mul_f32, a * b)
PL_ARITHMETIC(and_b32, a &b) PL_ARITHMETIC(or_b32, a | b)
PL_ARITHMETIC(xor_b32, a ^ b) PL_ARITHMETIC(shl_b32, a << b)
PL_ARITHMETIC(shr_u32, (unsigned)a >> b)
template <class D>
PL_EMU void pl_ptx_fma_rn_f32(D &d, float a, float b, float c) {
  d = fmaf(a, b, c);
}

/* Bit by bit, the row of `table` that the three bits name. */
template <class D>
PL_EMU void pl_ptx_lop3_b32(D &d, unsigned a, unsigned b, unsigned c,
                            unsigned table) {
  unsigned bits = 0;
  for (unsigned row = 0; row < 8; row++)
    if (table >> row & 1)
      bits |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  d = (D)bits;
}

/* Two halves in a word. */
PL_EMU float pl_half_of(unsigned word, int which) {
  return pl_half_to_float((unsigned short)(word >> 16 * which));
}
#define PL_HALVES(name, expression)                                            \
  template <class D>                                                           \
  PL_EMU void pl_ptx_##name(D &d, unsigned x, unsigned y, unsigned z = 0) {    \
    unsigned bits = 0;                                                         \
    for (int i = 0; i < 2; i++) {                                              \
      float a = pl_half_of(x, i), b = pl_half_of(y, i), c = pl_half_of(z, i);  \
      bits |= (unsigned)pl_float_to_half(expression) << 16 * i;                \
      (void)c;                                                                 \
    }                                                                          \
    d = (D)bits;                                                               \
  }
PL_HALVES(add_f16x2, a + b) PL_HALVES(sub_f16x2, a - b)
PL_HALVES(mul_f16x2, a *b) PL_HALVES(fma_rn_f16x2, fmaf(a, b, c))
PL_HALVES(add_rn_f16x2, a + b) PL_HALVES(sub_rn_f16x2, a - b)
PL_HALVES(mul_rn_f16x2, a *b)

/* --- loads and stores ---------------------------------------------------- */

template <class T> PL_EMU const T *pl_from(unsigned address) {
  return (const T *)pl_rt_shared_pointer(address);
}
template <class T, class P> PL_EMU const T *pl_from(P *p) {
  return (const T *)p;
}
template <class T> PL_EMU const T *pl_from(unsigned long p) {
  return (const T *)p;
}
template <class T> PL_EMU const T *pl_from(unsigned long long p) {
  return (const T *)p;
}
template <class T, class D> PL_EMU void pl_put_bits(D &d, T v) {
  if (sizeof(D) == sizeof(T))
    __builtin_memcpy((void *)&d, &v, sizeof(T));
  else
    d = (D)v;
}

/* "global_nc", "global_nc_L1__no_allocate" */
constexpr bool pl_is_read_only(const char *space) {
  return space[0] == 'g' && space[6] && space[7] == 'n';
}
template <class T, class P> PL_EMU const T *pl_load_from(const char *space, P p, int n) {
  const T *from = pl_from<T>(p);
  if (pl_is_read_only(space))
    pl_rt_read_only(from, n * sizeof *from);
  return from;
}
#define PL_PTX_LOAD(space, type, T)                                            \
  template <class D, class P>                                                  \
  PL_EMU void pl_ptx_ld_##space##_##type(D &d, P p) {                          \
    pl_put_bits<T>(d, *pl_load_from<T>(#space, p, 1));                         \
  }                                                                            \
  template <class D, class P>                                                  \
  PL_EMU void pl_ptx_ld_##space##_v2_##type(D &a, D &b, P p) {                 \
    const T *from = pl_load_from<T>(#space, p, 2);                             \
    pl_put_bits<T>(a, from[0]);                                                \
    pl_put_bits<T>(b, from[1]);                                                \
  }                                                                            \
  template <class D, class P>                                                  \
  PL_EMU void pl_ptx_ld_##space##_v4_##type(D &a, D &b, D &c, D &d, P p) {     \
    const T *from = pl_load_from<T>(#space, p, 4);                             \
    pl_put_bits<T>(a, from[0]);                                                \
    pl_put_bits<T>(b, from[1]);                                                \
    pl_put_bits<T>(c, from[2]);                                                \
    pl_put_bits<T>(d, from[3]);                                                \
  }
#define PL_PTX_STORE(space, type, T)                                           \
  template <class S, class P>                                                  \
  PL_EMU void pl_ptx_st_##space##_##type(P p, S s) {                           \
    T v;                                                                       \
    pl_put_bits<S>(v, s);                                                      \
    *(T *)pl_from<T>(p) = v;                                                   \
  }                                                                            \
  template <class S, class P>                                                  \
  PL_EMU void pl_ptx_st_##space##_v4_##type(P p, S a, S b, S c, S d) {         \
    S all[4] = {a, b, c, d};                                                   \
    T v;                                                                       \
    for (int i = 0; i < 4; i++) {                                              \
      pl_put_bits<S>(v, all[i]);                                               \
      ((T *)pl_from<T>(p))[i] = v;                                             \
    }                                                                          \
  }
#define PL_PTX_TYPES(m, space)                                                 \
  m(space, f32, float) m(space, u32, unsigned) m(space, s32, int)              \
  m(space, b32, unsigned) m(space, u16, unsigned short)                        \
  m(space, b16, unsigned short) m(space, u64, unsigned long long)              \
  m(space, f64, double) m(space, u8, unsigned char)
PL_PTX_TYPES(PL_PTX_LOAD, global)
PL_PTX_TYPES(PL_PTX_LOAD, global_nc)
PL_PTX_TYPES(PL_PTX_LOAD, global_nc_L1__no_allocate)
PL_PTX_TYPES(PL_PTX_LOAD, global_cg)
PL_PTX_TYPES(PL_PTX_LOAD, global_ca)
PL_PTX_TYPES(PL_PTX_LOAD, shared)
PL_PTX_TYPES(PL_PTX_STORE, global)
PL_PTX_TYPES(PL_PTX_STORE, shared)
template <class P> PL_EMU void pl_ptx_prefetch_global_L2(P) {}
template <class P> PL_EMU void pl_ptx_prefetch_global_L1(P) {}

/* --- ldmatrix ------------------------------------------------------------ */

struct pl_ldmatrix {
  const unsigned short *row;
  const unsigned short *at[4][2];
};

/* Tells each lane where its elements lie: row (lane / 4) of matrix m is at the
 * address that lane 8 m + lane / 4 gave; transposed, two rows are needed. */
template <int N, bool Trans>
PL_QUIET inline void pl_finish_ldmatrix(void *const *deposits, unsigned) {
  for (int lane = 0; lane < 32; lane++) {
    pl_ldmatrix *own = (pl_ldmatrix *)deposits[lane];
    for (int m = 0; own && m < N; m++)
      for (int e = 0; e < 2; e++) {
        int r = Trans ? 2 * (lane % 4) + e : lane / 4;
        int c = Trans ? lane / 4 : 2 * (lane % 4) + e;
        const pl_ldmatrix *o = (const pl_ldmatrix *)deposits[8 * m + r];
        own->at[m][e] = o ? o->row + c : nullptr;
      }
  }
}

PL_QUIET PL_EMU unsigned pl_pair_at(const unsigned short *const *at) {
  return (unsigned)*at[0] | (unsigned)*at[1] << 16;
}

template <int N, bool Trans>
PL_EMU void pl_do_ldmatrix(unsigned *to, unsigned address, int line) {
  pl_ldmatrix own;
  own.row = (const unsigned short *)pl_rt_shared_pointer(address);
  pl_rt_meet(0xffffffffu, &own, pl_finish_ldmatrix<N, Trans>, line);
  for (int m = 0; m < N; m++) {
    pl_rt_read(own.at[m][0], 2);
    pl_rt_read(own.at[m][1], 2);
    to[m] = pl_pair_at(own.at[m]);
  }
}

#define PL_LDMATRIX(before, after, trans)                                      \
  template <class D>                                                           \
  PL_EMU void pl_ptx_ldmatrix_sync_aligned_##before##1##after(                 \
      D &a, unsigned p, int line = __builtin_LINE()) {                         \
    unsigned r[1];                                                             \
    pl_do_ldmatrix<1, trans>(r, p, line);                                      \
    a = (D)r[0];                                                               \
  }                                                                            \
  template <class D>                                                           \
  PL_EMU void pl_ptx_ldmatrix_sync_aligned_##before##2##after(                 \
      D &a, D &b, unsigned p, int line = __builtin_LINE()) {                   \
    unsigned r[2];                                                             \
    pl_do_ldmatrix<2, trans>(r, p, line);                                      \
    a = (D)r[0];                                                               \
    b = (D)r[1];                                                               \
  }                                                                            \
  template <class D>                                                           \
  PL_EMU void pl_ptx_ldmatrix_sync_aligned_##before##4##after(                 \
      D &a, D &b, D &c, D &d, unsigned p, int line = __builtin_LINE()) {       \
    unsigned r[4];                                                             \
    pl_do_ldmatrix<4, trans>(r, p, line);                                      \
    a = (D)r[0];                                                               \
    b = (D)r[1];                                                               \
    c = (D)r[2];                                                               \
    d = (D)r[3];                                                               \
  }
PL_LDMATRIX(m8n8_x, _shared_b16, false)
PL_LDMATRIX(m8n8_x, _trans_shared_b16, true)
PL_LDMATRIX(m8n8_x, _shared__cta_b16, false)
PL_LDMATRIX(m8n8_x, _trans_shared__cta_b16, true)
PL_LDMATRIX(x, _m8n8_shared_b16, false)
PL_LDMATRIX(x, _trans_m8n8_shared_b16, true)

/* --- mma.m16n8k* --------------------------------------------------------- */

struct pl_f16 {
  static constexpr int per_word = 2;
  typedef float sum;
  PL_QUIET PL_EMU_MEMBER static float get(unsigned w, int i) {
    return pl_half_to_float((unsigned short)(w >> 16 * i));
  }
};
struct pl_bf16 {
  static constexpr int per_word = 2;
  typedef float sum;
  PL_QUIET PL_EMU_MEMBER static float get(unsigned w, int i) {
    return pl_bfloat16_to_float((unsigned short)(w >> 16 * i));
  }
};
struct pl_tf32 {
  static constexpr int per_word = 1;
  typedef float sum;
  PL_QUIET PL_EMU_MEMBER static float get(unsigned w, int) {
    return __uint_as_float(w & 0xffffe000u);
  }
};
struct pl_s8 {
  static constexpr int per_word = 4;
  typedef int sum;
  PL_QUIET PL_EMU_MEMBER static int get(unsigned w, int i) {
    return (signed char)(w >> 8 * i);
  }
};
struct pl_u8 {
  static constexpr int per_word = 4;
  typedef int sum;
  PL_QUIET PL_EMU_MEMBER static int get(unsigned w, int i) {
    return (unsigned char)(w >> 8 * i);
  }
};

/* One lane's registers: NA words of A, NA / 2 of B, four sums of C and D. */
template <class E, int NA> struct pl_mma16 {
  unsigned a[NA], b[NA / 2];
  typename E::sum c[4];

  PL_QUIET static void finish(void *const *deposits, unsigned) {
    const int P = E::per_word, K = 2 * NA * P;
    typedef typename E::sum S;
    S a[16][K], b[K][8];
    for (int lane = 0; lane < 32; lane++) {
      const pl_mma16 *m = (const pl_mma16 *)deposits[lane];
      int g = lane >> 2, t = lane & 3;
      for (int r = 0; r < NA; r++)
        for (int i = 0; i < P; i++) {
          a[g + 8 * (r & 1)][t * P + (r >> 1) * 4 * P + i] =
              m ? E::get(m->a[r], i) : S();
          if (r < NA / 2)
            b[t * P + r * 4 * P + i][g] = m ? E::get(m->b[r], i) : S();
        }
    }
    for (int lane = 0; lane < 32; lane++) {
      pl_mma16 *m = (pl_mma16 *)deposits[lane];
      int g = lane >> 2, t = lane & 3;
      for (int r = 0; m && r < 4; r++)
        for (int k = 0; k < K; k++)
          m->c[r] += a[g + 8 * (r >> 1)][k] * b[k][2 * t + (r & 1)];
    }
  }
};

template <class E, int NA, class S>
PL_EMU void pl_mma_now(const unsigned *a, const unsigned *b, S *c) {
  pl_mma16<E, NA> m;
  for (int i = 0; i < NA; i++)
    m.a[i] = a[i];
  for (int i = 0; i < NA / 2; i++)
    m.b[i] = b[i];
  for (int i = 0; i < 4; i++)
    m.c[i] = c[i];
  pl_rt_meet(0xffffffffu, &m, pl_mma16<E, NA>::finish, 0);
  for (int i = 0; i < 4; i++)
    c[i] = m.c[i];
}

#define PL_MMA4(name, E)                                                       \
  template <class D, class A, class B, class C>                                \
  PL_EMU void pl_ptx_mma_sync_aligned_##name(                                  \
      D &d0, D &d1, D &d2, D &d3, A a0, A a1, A a2, A a3, B b0, B b1, C c0,    \
      C c1, C c2, C c3) {                                                      \
    unsigned a[4] = {pl_word(a0), pl_word(a1), pl_word(a2), pl_word(a3)};      \
    unsigned b[2] = {pl_word(b0), pl_word(b1)};                                \
    E::sum c[4] = {(E::sum)c0, (E::sum)c1, (E::sum)c2, (E::sum)c3};            \
    pl_mma_now<E, 4>(a, b, c);                                                 \
    d0 = (D)c[0];                                                              \
    d1 = (D)c[1];                                                              \
    d2 = (D)c[2];                                                              \
    d3 = (D)c[3];                                                              \
  }
#define PL_MMA2(name, E)                                                       \
  template <class D, class A, class B, class C>                                \
  PL_EMU void pl_ptx_mma_sync_aligned_##name(D &d0, D &d1, D &d2, D &d3, A a0, \
                                             A a1, B b0, C c0, C c1, C c2,     \
                                             C c3) {                           \
    unsigned a[2] = {pl_word(a0), pl_word(a1)}, b[1] = {pl_word(b0)};          \
    E::sum c[4] = {(E::sum)c0, (E::sum)c1, (E::sum)c2, (E::sum)c3};            \
    pl_mma_now<E, 2>(a, b, c);                                                 \
    d0 = (D)c[0];                                                              \
    d1 = (D)c[1];                                                              \
    d2 = (D)c[2];                                                              \
    d3 = (D)c[3];                                                              \
  }
PL_MMA4(m16n8k16_row_col_f32_f16_f16_f32, pl_f16)
PL_MMA4(m16n8k16_row_col_f32_bf16_bf16_f32, pl_bf16)
PL_MMA4(m16n8k8_row_col_f32_tf32_tf32_f32, pl_tf32)
PL_MMA4(m16n8k32_row_col_s32_s8_s8_s32, pl_s8)
PL_MMA4(m16n8k32_row_col_satfinite_s32_s8_s8_s32, pl_s8)
PL_MMA4(m16n8k32_row_col_s32_u8_u8_s32, pl_u8)
PL_MMA2(m16n8k8_row_col_f32_f16_f16_f32, pl_f16)
PL_MMA2(m16n8k8_row_col_f32_bf16_bf16_f32, pl_bf16)
PL_MMA2(m16n8k4_row_col_f32_tf32_tf32_f32, pl_tf32)
PL_MMA2(m16n8k16_row_col_s32_s8_s8_s32, pl_s8)
PL_MMA2(m16n8k16_row_col_s32_u8_u8_s32, pl_u8)

/* Half accumulators come two to a register. */
template <class D, class A, class B, class C>
PL_EMU void pl_ptx_mma_sync_aligned_m16n8k16_row_col_f16_f16_f16_f16(
    D &d0, D &d1, A a0, A a1, A a2, A a3, B b0, B b1, C c0, C c1) {
  unsigned a[4] = {pl_word(a0), pl_word(a1), pl_word(a2), pl_word(a3)};
  unsigned b[2] = {pl_word(b0), pl_word(b1)};
  float c[4] = {pl_f16::get(pl_word(c0), 0), pl_f16::get(pl_word(c0), 1),
                pl_f16::get(pl_word(c1), 0), pl_f16::get(pl_word(c1), 1)};
  pl_mma_now<pl_f16, 4>(a, b, c);
  pl_ptx_cvt_rn_f16x2_f32(d0, c[1], c[0]);
  pl_ptx_cvt_rn_f16x2_f32(d1, c[3], c[2]);
}

#endif
