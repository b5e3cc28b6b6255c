// Numbers of a library: pairs, and bytes with few bits for the exponent.
#pragma once

#define ZERO_OF(T) T()

template <unsigned Exponent, unsigned Mantissa>
__device__ inline float unpacked(unsigned char bits)
{
    unsigned mantissa = bits & ((1 << Mantissa) - 1);
    unsigned exponent = (bits & 127) >> Mantissa;
    if (exponent == 0) {
        unsigned shift = 1 + __clz(mantissa) - (32 - Mantissa);
        mantissa <<= shift;
        exponent += 1 - shift;
    }
    float value = 1.0f + mantissa * (1.0f / (1 << Mantissa));
    return ldexpf(bits & 128 ? -value : value,
                  static_cast<int>(exponent) - (1 << (Exponent - 1)) + 1);
}

struct byte_float {
    unsigned char bits;

    byte_float() = default;
    __host__ __device__ byte_float(float value) : bits(value < 0 ? 128 : 0) {}
    __device__ operator float() const { return unpacked<4, 3>(bits); }
};

__device__ inline byte_float operator*(const byte_float &a, const byte_float &b)
{
    return static_cast<float>(a) * static_cast<float>(b);
}

template <class T> struct pair_of {
    T re = T(0);
    T im = T(0);

    constexpr pair_of() = default;
    __host__ __device__ constexpr pair_of(const T &re_, const T &im_ = T())
        : re(re_), im(im_) {}
    __host__ __device__ constexpr pair_of &operator=(T re_)
    {
        re = re_;
        im = ZERO_OF(T);
        return *this;
    }
};

template <class T>
__host__ __device__ constexpr pair_of<T> operator*(const pair_of<T> &a, const pair_of<T> &b)
{
    return pair_of<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

template <class T>
__host__ __device__ constexpr pair_of<T> &operator+=(pair_of<T> &a, const pair_of<T> &b)
{
    a.re += b.re;
    a.im += b.im;
    return a;
}

template <> struct pair_of<byte_float> {
    byte_float re, im;

    pair_of() = default;
    __device__ operator pair_of<float>() const { return {re, im}; }
};

__host__ __device__ inline pair_of<float> real_pair(float value)
{
    return pair_of<float>(value);
}
