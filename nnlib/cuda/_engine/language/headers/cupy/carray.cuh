// CuPy's views of arrays, of which nothing is known here but the halves that come with them.
#include <cupy/float16.cuh>
