#pragma once

template <int N, typename T> struct vec;

template <int N, typename T> struct difference_of {
    __host__ __device__ static constexpr vec<N, T> call(vec<N, T> const &a, vec<N, T> const &b)
    {
        return vec<N, T>(a.x - b.x, a.y - b.y, a.z - b.z);
    }
};

template <typename T> struct vec<3, T> {
    union { T x, r; };
    union { T y, g; };
    union { T z, b; };

    vec() = default;
    vec(vec const &) = default;
    template <typename U>
    __host__ __device__ constexpr vec(vec<3, U> const &v)
        : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)), z(static_cast<T>(v.z)) {}
    __host__ __device__ constexpr explicit vec(T s) : x(s), y(s), z(s) {}
    __host__ __device__ constexpr vec(T a, T b_, T c) : x(a), y(b_), z(c) {}
    vec &operator=(vec const &) = default;

    template <typename U> __host__ __device__ constexpr vec &operator-=(vec<3, U> const &v)
    {
        return (*this = difference_of<3, T>::call(*this, vec<3, T>(v)));
    }
    template <typename U> __host__ __device__ constexpr vec &operator*=(U s)
    {
        return (*this = vec<3, T>(x * static_cast<T>(s), y * static_cast<T>(s), z * static_cast<T>(s)));
    }
};

template <typename T>
__host__ __device__ constexpr vec<3, T> operator-(vec<3, T> const &a, vec<3, T> const &b)
{
    return vec<3, T>(a) -= b;
}

template <typename T>
__host__ __device__ constexpr vec<3, T> operator*(T s, vec<3, T> const &v)
{
    return vec<3, T>(v) *= s;
}

template <typename T>
__host__ __device__ constexpr vec<3, T> cross(vec<3, T> const &a, vec<3, T> const &b)
{
    return vec<3, T>(a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y);
}
