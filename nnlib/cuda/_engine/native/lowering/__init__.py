"""The kernel in its normal form -> operations on lanes, which a target prints.

A LoweringState is what one lowering has at hand. LaneMemory reads and writes, LaneArithmetic computes, Lvalues finds
addresses, Branches masks lanes; LaneExpressions and LaneStatements put these together. Parts runs statements for all
threads of a block, Collectives what they do together, Regions the kernel. Constants, Varying and Plan know beforehand what
is constant, what differs between threads, and where a kernel is cut.
"""
