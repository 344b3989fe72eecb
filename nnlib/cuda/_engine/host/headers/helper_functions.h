// What cuda-samples' header of this name gives their programs.
#include "helper_string.h"
#include "helper_timer.h"
#include "helper_image.h"
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
#ifndef MIN
#define MIN(a, b) (a < b ? a : b)
#endif
