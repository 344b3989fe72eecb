"""Parts of CUDA that the simulator lacks, or has only with a header: what each is, and what to write instead."""

from __future__ import annotations

import re

from .diagnostics import Fault, Unsupported
from .tree import Located

# How names begin -> what they stand for, and what to write instead.
Table = dict[str, tuple[str, str]]


def table(text: str) -> Table:
    """Read records with an empty line between them: how names begin, what that is, what to write instead."""
    lines = ([line.strip() for line in record.splitlines()] for record in text.split("\n\n"))
    return {"".join(names): (what, instead) for *names, what, instead in lines}


_IN_KERNELS = table(r"""
cuda[A-Z]
    CUDA's library for the host inside of a kernel
    call it from Python
""")
# Where a program's host side uses it.
_ON_HOST = table(r"""
cudaGraph|cudaStream(Begin|End)Capture
    this part of CUDA graphs
    launch the kernels one after the other in a stream, or capture them

cuda[A-Z]
    this part of CUDA's library
    use memory, copies, streams and events, or nvcc: %%cu --nvcc

cublas|CUBLAS_
    this part of cuBLAS
    include <cublas_v2.h>, which has gemm, gemv, ger, geam, axpy, scal, copy, swap, dot, nrm2, asum, amax, amin; or write a kernel

curand[A-Z]|CURAND_
    this part of cuRAND
    include <curand.h>, which has pseudo-random generators and uniform, normal and log-normal numbers

cu[A-Z]|CU[a-z]|CUDA_(SUCCESS|ERROR)
    CUDA's driver API
    use the runtime: cudaMalloc, cudaMemcpy, kernel<<<blocks, threads>>>(...)

(a64l|abort|asctime_r|asprintf|atexit|basename|bsearch|calloc|chdir|dirname|dprintf|dup2?|exec[lv]p?e?
|f(chmod|dopen|getc|getpos|printf|putc|read|reopen|scanf|stat|tell|write)|fork|freopen|get(cwd|env
|host(by)?name|line|pagesize|p?pid|pwuid|rusage|uid)|isatty|kill|l(div|gamma_r|labs|seek)|mem(chr|mem|move)
|mk(dir|dtemp|stemp|time)|open(dir)?|p(close|open|read|write)|pipe|poll|posix_\w+|pthread_\w+|putenv|puts
|qsort(_r)?|raise|readdir|readlink|remove|rename|rewind|rmdir|scandir|sem_\w+|setenv|set(jmp|locale|vbuf)
|longjmp|sig(action|nal)|sprintf|stat|str(casecmp|ncasecmp|cat|chr|coll|cspn|dup|error|ncat|ndup|ncpy|nlen
|pbrk|ptime|rchr|sep|spn|str|tok(_r)?|xfrm)|sysconf|system|tmp(file|nam)|ungetc|uname|unlink|v\w*printf
|v\w*scanf|wait(pid)?|wcs\w+|dl(open|sym|close))$
    this function of C's library
    write what it does, or leave it out

(no)?(showpos|showbase|showpoint|uppercase|unitbuf|skipws)$|hexfloat$|setbase$|(re)?setiosflags$|emit$
    this manipulator of streams
    leave it out, or use printf

omp_
    OpenMP (omp.h)
    write a plain loop

cub::|thrust::
    CUDA's C++ libraries
    write a loop, or a kernel
""")
_REFUSED = table(r"""
(malloc|free|alloca)$
    memory from inside a kernel
    use a local array, or pass memory as an argument

__match_all_sync$
    functions with several results
    use __match_any_sync(mask, value) == mask

wchar_t$
    wchar_t
    use int

(int|uint|float|double)1$
    vectors of one
    use \1

__(ballot|any|all)$
    warp functions without a mask
    write \g<0>_sync(0xffffffff, ...)

curandState(MRG|Mtgp|Sobol|Scrambled)|curandDirection
    this generator of cuRAND
    use curandState or curandStatePhilox4_32_10_t

curand_(poisson|discrete|mtgp)
    this distribution of cuRAND
    make it of curand_uniform(&state)

__(d(add|sub|mul|div|rcp|sqrt)|fma|(ll|ull)2(float|double))_r[zud]$
    rounding other than to the nearest number
    use the function whose name ends in _rn

__vi[a-z0-9]+_[su]16x2
    functions for several small numbers in one word
    take the word apart with >> and &

cyl_bessel_i[01]f?$|[jy][01n]f?$
    Bessel functions
    pass a table of their values as an argument

__builtin_
    functions of the compiler
    leave it out, or write what it computes

__fns$|__funnelshift_[lr]c$|__urhadd$|(remquo|ilogb|scalbln)f?$|__prof_trigger$|__brkpt$|__cvta_generic_to
|__is(Global|Shared|Local|Constant)$|(str(len|cpy|cmp)|mem(move|cmp)|vprintf)$
    this function of CUDA
    write what it computes with operators and a loop

cudaTexture|tex(1D|2D|3D|Cubemap)
    this kind of texture
    use tex1Dfetch, or tex1D, tex2D, tex3D and their layered forms

cudaSurface|surf(1D|2D|3D|Cubemap)
    this kind of surface
    use surf1D, surf2D or surf3D, read and write

cudaGraph|cudaStream(Begin|End)Capture
    this part of CUDA graphs
    launch the kernels one after the other in a stream, or capture them

C(Array|Indexer)$
    CuPy's views of arrays (cupy/carray.cuh)
    take a pointer and the strides

__nv_fp[468]|__nv_cvt_
    numbers of 8 bits and less (cuda_fp8.h)
    use __half or __nv_bfloat16

cu(fft|sparse|solver|dnn|tensor)[A-Z_]|CU(FFT|SPARSE|SOLVER|DNN)_|nccl|nvml
    this library of CUDA's
    write a kernel that does the same, or use nvcc: %%cu --nvcc

cuda[A-Z]
    this part of CUDA's library
    use memory, streams and events, on the host

CU(result|device|context|module|function|deviceptr|stream|event)$
    CUDA's driver API
    use the runtime: cudaMalloc, cudaMemcpy, kernel<<<blocks, threads>>>(...)

(cub::)?(Block|Warp|Device|Caching|Grid)[A-Z]\w+(::\w+)?$
    this part of CUB
    use its reduce, scan, load and store of a block or warp, or write the loop

cuda::(?!barrier|(make_)?pipeline)
    libcu++
    use the plain functions: atomicAdd(), __syncthreads(), ...

cooperative_groups::
    this part of cooperative groups
    use thread_block, tiled_partition, coalesced_threads, grid_group and reduce

nvcuda::
    this part of mma.h
    use fragment, load_matrix_sync, fill_fragment, mma_sync, store_matrix_sync

cub::|thrust::
    CUDA's C++ libraries
    write the loop, or call the library from Python
""")
# What older versions of CUDA had.
_REMOVED = table(r"""
(texture|surface|cudaBindTexture(2D|ToArray)?|cudaUnbindTexture|cudaBindSurfaceToArray)$
    references to textures and surfaces are gone since CUDA 12
    create a cudaTextureObject_t or a cudaSurfaceObject_t and pass it to the kernel

__shfl(_up|_down|_xor)?$
    \g<0>() is gone: GPUs since Volta need the mask of the lanes
    write \g<0>_sync(0xffffffff, ...)
""")


# Of C++'s standard library, where the text, or a header that is known, does not have it.
_STANDARD = table(r"""
(any|any_cast|async|atomic|atomic_flag|atomic_int|auto_ptr|barrier|basic_string|bind|bitset|byte|chrono|codecvt
|condition_variable|counting_semaphore|cref|deque|discrete_distribution|dynamic_extent|exception|exception_ptr
|exclusive_scan|expected|fisher_f_distribution|filesystem|format|forward_list|from_chars|function|future
|gamma_distribution|geometric_distribution|get|getline|hash|hex|ifstream|ignore|index_sequence|input_iterator_tag
|inserter|integer_sequence|invoke|ios|iostream|istream|istream_iterator|istringstream|iterator|iterator_traits|jthread
|knuth_b|latch|launch|list|locale|lock_guard|logic_error|make_heap|make_index_sequence|make_shared|make_tuple
|make_unique|map|mem_fn|merge|monostate|multimap|multiset|mutex|next_permutation|once_flag|optional|ostream_iterator
|ostringstream|out_of_range|packaged_task|partition|placeholders|poisson_distribution|pop_heap|prev_permutation
|priority_queue|promise|push_heap|queue|random_access_iterator_tag|range_error|ranges|ranlux24|ranlux48
|recursive_mutex|ref|reference_wrapper|regex|rotate|runtime_error|sample|scoped_lock|search|set|set_difference
|set_intersection|set_union|setfill|shared_lock|shared_mutex|shared_ptr|shared_timed_mutex|span|sregex_iterator|stack
|stack_trace|stringstream|string_view|system_clock|system_error|this_thread|thread|tie|to_array|to_chars|tuple
|tuple_element|tuple_size|type_index|typeindex|uncaught_exception|unique_lock|unique_ptr|unordered_map
|unordered_multimap|unordered_set|valarray|variant|vector|visit|weak_ptr|wstring|yield|invalid_argument|length_error
|overflow_error|underflow_error|bad_alloc|nothrow|initializer_list|string|cout|cerr|cin|endl|sort|copy|find|transform
|for_each|reverse|accumulate|iota|fill|fill_n|mt19937|mt19937_64|random_device|default_random_engine
|uniform_int_distribution|uniform_real_distribution|normal_distribution|pair|array|ofstream|fstream|numeric_limits
|less|greater|plus|multiplies|fixed|setw|setprecision|is_same|is_same_v|enable_if|enable_if_t|conditional
|conditional_t)($|::)
    this part of C++'s standard library
    include its header, if it is not there yet; else write it out
""")
# Names that a header brings.
_HEADERS = {
    r"curandState(XORWOW)?(_t)?|curandStatePhilox4_32_10(_t)?|curand_\w+": "curand_kernel.h",
    r"(__|nv_)?half2?": "cuda_fp16.h",
    r"(__)?nv_bfloat162?": "cuda_bf16.h",
    r"(make_)?cu(Float|Double)?Complex|cuC(real|imag|onj|add|sub|mul|div|abs|fma)f?": "cuComplex.h",
    "cooperative_groups": "cooperative_groups.h",
    "cout|cerr|endl": "iostream",
    r"(nvcuda::)?wmma(::.*)?": "mma.h",
    r"cuda::(make_)?pipeline\w*": "cuda/pipeline",
    r"cuda::barrier(::.*)?": "cuda/barrier",
}


def refused(
    where: Located, name: str, on_host: bool | None = None, what: str = "type"
) -> Fault | None:
    """Return the Fault for a name of CUDA's that is not supported, which says what to write instead; else None.

    on_host: None while the text is parsed, when it is unknown which side runs it. what: what the name should be.
    """
    side = {None: {}, True: _ON_HOST, False: _IN_KERNELS}[on_host]
    standard = {} if what == "name" else _STANDARD
    for kind, known in ((Fault, _REMOVED), (Unsupported, _REFUSED | side | standard)):
        for start, why in known.items():
            if match := re.match(start, name):
                return kind(where, *map(match.expand, why))
    for pattern, header in _HEADERS.items():
        if re.fullmatch(pattern, name):
            return Fault(
                where,
                f"'{name}' is not known without its header",
                f"write #include <{header}> above",
            )
    return None
