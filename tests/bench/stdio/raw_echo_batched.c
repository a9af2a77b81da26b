// The raw loop that writes the answers to everything one read brought with one write.
#define _GNU_SOURCE
#include "raw_loop.h"

int main(void) { return serve(false); }
