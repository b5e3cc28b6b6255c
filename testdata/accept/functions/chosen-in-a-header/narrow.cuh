// Bytes with an exponent of four bits: how a float becomes one is chosen by its size.
#pragma once

struct narrow {
    unsigned char bits;

    narrow() = default;
    __host__ __device__ inline narrow(float value);
    __host__ __device__ inline operator float() const;
};

__host__ __device__ inline unsigned char narrow_bits(float value)
{
    unsigned char sign = value < 0 ? 128 : 0;
    float size = value < 0 ? -value : value;
    unsigned char bits = 0;
    if (size >= 15.5f) {
        bits = 127; // the largest one
    } else {
        if (size < 0.125f)
            bits = (unsigned char)(size * 64.0f); /* no exponent */
        else if (size < 1.0f)
            bits = 8 + (unsigned char)(size * 32.0f);
        else
            bits = 40 + (unsigned char)(size * 4.0f);
    }
    return sign | bits;
}

__host__ __device__ inline float narrow_value(unsigned char bits)
{
    unsigned char size = bits & 127;
    float value;
    if (size < 8)
        value = size / 64.0f;
    else if (size < 40)
        value = (size - 8) / 32.0f;
    else
        value = (size - 40) / 4.0f;
    return bits & 128 ? -value : value;
}

__host__ __device__ inline narrow::narrow(float value) : bits(narrow_bits(value)) {}
__host__ __device__ inline narrow::operator float() const { return narrow_value(bits); }
