// What Swift's Glibc module leaves out: malloc_trim(3).
#include <malloc.h>
