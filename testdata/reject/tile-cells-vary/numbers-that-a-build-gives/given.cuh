#define GIVEN 32
