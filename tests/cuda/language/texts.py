"""What stands around the cases."""

# Statements in a kernel with these parameters, line 2 of the text. {} is where they go.
KERNEL = """extern "C" __global__ void k(float* x, const float* c, int* p, int n, unsigned u, double d, float4* v) {
%s
}
"""

# Above a kernel that uses groups, which then stands in line 5.
GROUPS = ("#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
          "#include <cooperative_groups/scan.h>\nnamespace cg = cooperative_groups;\n")
