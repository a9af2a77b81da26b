// The raw loop that writes once per answer.
#define _GNU_SOURCE
#include "raw_loop.h"

int main(void) { return serve(true); }
