// What cuda-samples' header of this name gives their programs.
struct StopWatchInterface { double begun, total; int times; };
inline bool sdkCreateTimer(StopWatchInterface** timer) {
    *timer = (StopWatchInterface*)calloc(1, sizeof(StopWatchInterface));
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) { free(*timer); *timer = NULL; return true; }
inline bool sdkResetTimer(StopWatchInterface** timer) {
    (*timer)->total = 0; (*timer)->times = 0; (*timer)->begun = __seconds();
    return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) { (*timer)->begun = __seconds(); return true; }
inline bool sdkStopTimer(StopWatchInterface** timer) {
    (*timer)->total += 1e3 * (__seconds() - (*timer)->begun);
    (*timer)->times++;
    return true;
}
inline float sdkGetTimerValue(StopWatchInterface** timer) { return (float)(*timer)->total; }
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) {
    return (*timer)->times ? (float)((*timer)->total / (*timer)->times) : 0.0f;
}
