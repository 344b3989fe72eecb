"""Everything that is drawn: `pictures.NAME(…)` ends a cell, with alt text that says the numbers.

| picture | lesson | what it shows |
|---|---|---|
| cpu_and_gpu() | 01 | what a chip spends its area on |
| host_and_device() | 01 | copy, launch, copy |
| dealing_stepper() | 01 | blocks that wait for a multiprocessor with room |
| memory_levels() | 01 | registers to host memory, one after the other: what sees it, size, latency |
| thread_explorer(n) | 01 | who am I: blocks, threads, elements, spare threads; two sliders |
| kernel_stepper(trace) | 01, 05 | statement by statement: active threads, variables, what is read and written |
| rows_in_memory() | 01 | an image and the same elements in memory: y * width + x |
| race_explorer(kernel, grid, block, args, right) | 01 | the warps in another order: a race gives wrong numbers |
| lane_timeline(trace) | 01 | active lanes of a warp, statement by statement |
| image_row({name: image}) | 01, 05 | images side by side |
| sector_strip(accesses) | 02 | lanes and the sectors they touch |
| stride_explorer() | 02 | the same with a slider |
| counted_and_timed({name: count}, what, part) | 01, 02 | bars: what was counted here, beside the times of an H200 |
| count_and_time({number: count}, …) | 02 | the same as curves over a number |
| own_clock({label: timing}, recorded, xlabel) | 02 … 04 | bars or curves: the times of this computer, beside those of an H200 |
| vector_loads() | 02 | what a lane loads as a float and as a float4, and the sectors below |
| block_sizes() | 02 | occupancy of an H200 and the recorded speed of `add`, by block size |
| blocks_started() | 02 | recorded: blocks of `add` that start per second, by their size |
| blocks_dealt() | 02 | the warps of one multiprocessor while blocks are dealt out to it |
| addition_by_size() | 02 | recorded: NumPy, the kernel, the kernel with its copies |
| descent({name: path}) | 02 | where the steps of gradient descent land on the error w² |
| curves(x, {name: y}, xlabel, ylabel) | 02 … 08 | lines over one x: sectors by stride, times by size |
| product_reads(A, B, C) | 03 | reads of A and B and writes of C, laid out as a product |
| linear_products() | 03 | the tiles of the three products of a linear layer, and where they walk |
| linear_stepper() | 03 | y = x wᵀ in tiles: what one thread computes, and what it loads |
| tile_stepper(A, B) | 03 | tiles of A and B in shared memory, with their numbers, step by step |
| two_warps() | 03 | a fast and a slow warp, with one barrier in each step and with two |
| bank_grid(accesses) | 03 | words per bank of shared memory |
| heat_map(counts) | 03 | how often each element is touched |
| roofline_stepper() | 03 | the roofs of a GPU: one memory, then three |
| climb(names) | 03 | products: what L1 and shared memory allow, and what was timed |
| roofline({name: profile}) | 03, 08 | kernels under the same roofs, recorded ones beside |
| bars({name: value}, label) | 03, 08 | one bar per name |
| stacked_bars({row: {part: value}}, label) | 08 | bars made of parts |
| histograms({row: {column: values}}, label) | 04, 06 | distributions, layer by layer |
| activation_curves(x, {name: (y, slope)}) | 04 | activations and their slopes |
| loss_gradient(p, gradient) | 04 | the gradient of softmax and loss: which logits a step lowers, and which it raises |
| tree_stepper() | 04 | a block's sum in shared memory |
| shuffle_stepper() | 04 | a warp's sum by shuffles |
| window_stepper() | 05 | the window goes over the picture |
| placement_explorer() | 05 | stride and padding |
| channel_stepper() | 05 | channels, stride and padding |
| index_stepper() | 05 | a thread's number taken apart, what it writes and what it reads |
| column_stepper() | 05 | im2col |
| pooling(picture, window, stride) | 05 | winners of max pooling |
| weight_gradient_stepper(picture, dy) | 06 | dW of a convolution, weight by weight |
| input_gradient_stepper(weights, dy) | 06 | dX of a convolution, pixel by pixel |
| graph_stepper(x, w, b, t) | 06 | a network of one weight: values forwards, gradients backwards |
| boundary_stepper(frames, points, labels) | 06 | a boundary that is learned |
| valley(paths) | 06 | ways down a steep valley |
| loss_curves({run: losses}) | 06, 07 | loss by step |
| sample_grid(images, labels, classes) | 07 | images with their classes |
| network(model, input_shape) | 07 | the layers and their kernels: which are the student's |
| learning_curves(history) | 07 | loss and accuracy by epoch |
| confusion_matrix(predicted, labels, classes) | 07 | what is taken for what |
| worst_mistakes(images, labels, probabilities) | 07 | the ten worst |
| filters({name: layer}) | 07 | the weights of convolutions, such as before and after training |
| feature_maps(model, image) | 07 | what each layer makes of one digit |
| calibration(probabilities, labels) | 07 | how often a network is right, over how sure it is |
| multiprocessors(blocks) | 08 | how many multiprocessors a grid keeps at work |
| shared_sum() | 08 | a sum dealt out to lanes, added by shuffles, stored once |
| halo_explorer() | 08 | the pixels that a tile of outputs sees, and how often |
| output_tiles(outputs, filters, images) | 08 | which block writes which outputs |
| register_blocking((R, G), …) | 03, 08 | numbers in registers and the sums they feed |
| thread_rows() | 08 | 16 x 4 threads, four rows each |
| conv_tile_stepper() | 08 | a register-tiled convolution: fill, barrier, sums, store |
| memory_traffic({row: {kernel: (read, written)}}) | 08 | what fusion keeps out of global memory |
| pipeline_explorer(…) | 08 | who does what when: batches, buffers, streams |
| own_path(path) | 08 | the student's own step after every change to the library, counted and timed |
| own_roofline(path) | 08 | the kernels that were replaced, before and after |
| your_path() | 08 | recorded: a training step after each replacement, as a graph |
| capture(way) | 08 | recorded: launches on the host and kernels on the GPU in the log that nsys reads |
| fragment_explorer(shape, packed) | 09 | which lane of a warp holds which element of the tiles of a tensor core |
| half_histogram({name: values}) | 09 | sizes of numbers, and which of them half precision loses |
| online_stepper() | 10 | a softmax in one pass: largest, total, result, and how they are rescaled |
| attention_tiles() | 10 | a block's way through the table of weights, of which one tile exists at a time |
| attention_maps(model, classes, text) | 10 | at which characters each head looks |
| sampled_names(model, classes, known) | 10 | names that a model makes up, by temperature |
| ring_stepper(devices) | 11 | chunks that go round a ring, and whose numbers each holds |
| transfers({name: run}) | 11 | what simulated devices send, over time |
| another_gpu() | 11 | a step by number of GPUs and size of the batch |
| leader_board(limit, yours) | 08 | seconds for five epochs: others, PyTorch, the course, a student, you |

The instruments that look into a run (kernel_stepper, sector_strip, …) are in `nnlib.course` by themselves as well.
rewards.py draws what `check` shows below a ✓. style.py holds the colours,
svg.py and widgets.py what drawings and sliders are made of.
"""

from nnlib.course.pictures.activations import (
    activation_curves,
    loss_gradient,
    shared_sum,
    shuffle_stepper,
    tree_stepper,
)
from nnlib.course.pictures.addresses import index_stepper
from nnlib.course.pictures.attention import (
    attention_maps,
    attention_tiles,
    online_stepper,
    sampled_names,
)
from nnlib.course.pictures.charts import bars, curves, histograms, image_row, stacked_bars
from nnlib.course.pictures.clocks import own_clock
from nnlib.course.pictures.convolution import (
    channel_stepper,
    column_stepper,
    input_gradient_stepper,
    placement_explorer,
    pooling,
    weight_gradient_stepper,
    window_stepper,
)
from nnlib.course.pictures.costs import (
    addition_by_size,
    block_sizes,
    blocks_started,
    count_and_time,
    counted_and_timed,
)
from nnlib.course.pictures.dealing import blocks_dealt, dealing_stepper
from nnlib.course.pictures.devices import ring_stepper, transfers
from nnlib.course.pictures.features import calibration, feature_maps, filters
from nnlib.course.pictures.fragments import fragment_explorer
from nnlib.course.pictures.layout import rows_in_memory, vector_loads
from nnlib.course.pictures.learning import (
    boundary_stepper,
    descent,
    graph_stepper,
    loss_curves,
    valley,
)
from nnlib.course.pictures.linear import linear_products, linear_stepper
from nnlib.course.pictures.machine import (
    cpu_and_gpu,
    host_and_device,
    memory_levels,
    multiprocessors,
)
from nnlib.course.pictures.memory import (
    product_reads,
    stride_explorer,
    tile_stepper,
    two_warps,
)
from nnlib.course.pictures.microscope import bank_grid, heat_map, lane_timeline, sector_strip
from nnlib.course.pictures.network import network
from nnlib.course.pictures.optimization import (
    capture,
    leader_board,
    memory_traffic,
    pipeline_explorer,
    your_path,
)
from nnlib.course.pictures.own_path import own_path, own_roofline
from nnlib.course.pictures.plots import (
    confusion_matrix,
    learning_curves,
    sample_grid,
    worst_mistakes,
)
from nnlib.course.pictures.precision import half_histogram
from nnlib.course.pictures.races import race_explorer
from nnlib.course.pictures.roofline import climb, roofline, roofline_stepper
from nnlib.course.pictures.scaling import another_gpu
from nnlib.course.pictures.stepper import kernel_stepper
from nnlib.course.pictures.tiling import (
    conv_tile_stepper,
    halo_explorer,
    output_tiles,
    register_blocking,
    thread_rows,
)
from nnlib.course.pictures.widgets import thread_explorer

__all__ = [
    "activation_curves",
    "addition_by_size",
    "another_gpu",
    "attention_maps",
    "attention_tiles",
    "bank_grid",
    "bars",
    "block_sizes",
    "blocks_dealt",
    "blocks_started",
    "boundary_stepper",
    "calibration",
    "capture",
    "channel_stepper",
    "climb",
    "column_stepper",
    "confusion_matrix",
    "conv_tile_stepper",
    "count_and_time",
    "counted_and_timed",
    "cpu_and_gpu",
    "curves",
    "dealing_stepper",
    "descent",
    "feature_maps",
    "filters",
    "fragment_explorer",
    "graph_stepper",
    "half_histogram",
    "halo_explorer",
    "heat_map",
    "histograms",
    "host_and_device",
    "image_row",
    "index_stepper",
    "input_gradient_stepper",
    "kernel_stepper",
    "lane_timeline",
    "leader_board",
    "learning_curves",
    "linear_products",
    "linear_stepper",
    "loss_curves",
    "loss_gradient",
    "memory_levels",
    "memory_traffic",
    "multiprocessors",
    "network",
    "online_stepper",
    "output_tiles",
    "own_clock",
    "own_path",
    "own_roofline",
    "pipeline_explorer",
    "placement_explorer",
    "pooling",
    "product_reads",
    "race_explorer",
    "register_blocking",
    "ring_stepper",
    "roofline",
    "roofline_stepper",
    "rows_in_memory",
    "sample_grid",
    "sampled_names",
    "sector_strip",
    "shared_sum",
    "shuffle_stepper",
    "stacked_bars",
    "stride_explorer",
    "thread_explorer",
    "thread_rows",
    "tile_stepper",
    "transfers",
    "tree_stepper",
    "two_warps",
    "valley",
    "vector_loads",
    "weight_gradient_stepper",
    "window_stepper",
    "worst_mistakes",
    "your_path",
]
