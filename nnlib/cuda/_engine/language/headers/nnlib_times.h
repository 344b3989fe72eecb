// Types of C's time, which a text of kernels may name where it declares functions of the host.
struct timespec { long tv_sec, tv_nsec; };
struct timeval { long tv_sec, tv_usec; };
