typedef float sample;
