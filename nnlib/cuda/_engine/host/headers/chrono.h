// <chrono>: clocks, and the time between two of their readings in units of one's choice.
template <long N, long D = 1> struct ratio { static const long num = N; static const long den = D; };
typedef ratio<1, 1000> milli;
typedef ratio<1, 1000000> micro;
typedef ratio<1, 1000000000> nano;
struct __span {
    long ns;
    __span(long n) { ns = n; }
    long count() const { return ns; }
};
template <typename R, typename P = ratio<1>> struct duration {
    R ticks;
    duration() { ticks = 0; }
    explicit duration(R n) { ticks = n; }
    duration(const __span& s) { ticks = (R)((double)s.ns / (1e9 * P::num / P::den)); }
    R count() const { return ticks; }
    duration& operator+=(const __span& s) { ticks += duration(s).ticks; return *this; }
    duration& operator-=(const __span& s) { ticks -= duration(s).ticks; return *this; }
    operator __span() const { return __span((long)(ticks * (1e9 * P::num / P::den))); }
};
typedef duration<long, nano> nanoseconds;
typedef duration<long, micro> microseconds;
typedef duration<long, milli> milliseconds;
typedef duration<long> seconds;
template <typename To> To duration_cast(const __span& s) { return To(s); }
template <typename Clock> struct time_point {
    long ns;
    time_point(long n = 0) { ns = n; }
    __span time_since_epoch() const { return __span(ns); }
};
template <typename Clock> __span operator-(const time_point<Clock>& a, const time_point<Clock>& b) {
    return __span(a.ns - b.ns);
}
#define __clock(name)                                                                                                  \
    struct name {                                                                                                      \
        static time_point<name> now() { return time_point<name>((long)(__seconds() * 1e9)); }                          \
        typedef time_point<name> time_point;                                                                           \
    };
namespace std { namespace chrono {
__clock(high_resolution_clock)
__clock(steady_clock)
__clock(system_clock)
} }
