"""WebAssembly: the printer of its operations, the encoder of its bytes, and the engines that run them."""
