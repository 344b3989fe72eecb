"""Everything that is drawn: `pictures.NAME(…)` ends a cell, with alt text that says the numbers. Lesson 01.

| picture | lesson | what it shows |
|---|---|---|
| cpu_and_gpu() | 01 | what a chip spends its area on |
| host_and_device() | 01 | copy, launch, copy |
| memory_levels() | 01 | registers to host memory: who sees it, size, latency |
| thread_explorer(n) | 01 | who am I: blocks, threads, elements, spare threads; two sliders |
| kernel_stepper(trace) | 01 | statement by statement: active threads, variables, what is touched |
| lane_timeline(trace) | 01 | active lanes of a warp, statement by statement |
| image_row({name: image}) | 01, 05 | images side by side |
| sector_strip(accesses) | 02 | lanes and the sectors they touch |
| stride_explorer(), offset_explorer() | 02 | the same with a slider |
| grid_stride_explorer(n, block) | 02 | rounds of a grid-stride loop |
| occupancy_by_block(registers) | 02 | occupancy against block size on several GPUs |
| curves(x, {name: y}, xlabel, ylabel) | 02 … 08 | lines over one x: sectors by stride, times by size |
| product_reads(A, B, C) | 03 | reads of A and B and writes of C, laid out as a product |
| tile_stepper() | 03 | tiles of A and B in shared memory, step by step |
| bank_grid(accesses) | 03 | words per bank of shared memory |
| heat_map(counts) | 03 | how often each element is touched |
| roofline(points, machine) | 03, 08 | where kernels lie under the limits |
| bars({name: value}, label) | 03, 08 | one bar per name |
| stacked_bars({row: {part: value}}, label) | 08 | bars made of parts |
| histograms({row: {column: values}}, label) | 04, 06 | distributions, layer by layer |

The instruments that look into a run (kernel_stepper, sector_strip, …) are in `nnlib.course` by themselves as well.
style.py holds the colours, svg.py and widgets.py what drawings and sliders are made of.
"""

from nnlib.course.pictures.charts import bars, curves, histograms, image_row, stacked_bars
from nnlib.course.pictures.machine import cpu_and_gpu, host_and_device, memory_levels
from nnlib.course.pictures.memory import (
    grid_stride_explorer,
    occupancy_by_block,
    offset_explorer,
    product_reads,
    stride_explorer,
    tile_stepper,
)
from nnlib.course.pictures.microscope import bank_grid, heat_map, lane_timeline, roofline, sector_strip
from nnlib.course.pictures.widgets import kernel_stepper, thread_explorer

__all__ = [
    "bank_grid", "bars", "cpu_and_gpu", "curves", "grid_stride_explorer", "heat_map", "histograms", "host_and_device",
    "image_row", "kernel_stepper", "lane_timeline", "memory_levels", "occupancy_by_block", "offset_explorer",
    "product_reads", "roofline", "sector_strip", "stacked_bars", "stride_explorer", "thread_explorer", "tile_stepper",
]
