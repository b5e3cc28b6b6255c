#define FOUND 32
