#define stage 3
#define slot(x) (x)
#define s_next ((
