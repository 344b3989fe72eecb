// What cuda-samples' header of this name gives their programs.
#include "helper_string.h"
#include "helper_timer.h"
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
#ifndef MIN
#define MIN(a, b) (a < b ? a : b)
#endif
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned length, const float epsilon) {
    float error = 0, norm = 0;
    for (unsigned i = 0; i < length; i++) {
        float difference = reference[i] - data[i];
        error += difference * difference;
        norm += reference[i] * reference[i];
    }
    return sqrtf(error) / sqrtf(norm) < epsilon;
}
inline bool compareData(const float* reference, const float* data, const unsigned length, const float epsilon,
                        const float threshold) {
    unsigned wrong = 0;
    for (unsigned i = 0; i < length; i++) wrong += fabsf(reference[i] - data[i]) > epsilon;
    return threshold == 0.0f ? wrong == 0 : length * threshold > wrong;
}
