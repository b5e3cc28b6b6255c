#define SIDE 4
