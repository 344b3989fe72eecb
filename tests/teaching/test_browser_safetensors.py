"""What writes .safetensors in a page, where the package itself is not."""

import json

import numpy as np

from nnlib.teaching.site.safetensors import numpy as written_here


def test_the_header_is_filled_up_to_eight_bytes_and_says_where_the_numbers_are():
    tensors = {"w": np.arange(6, dtype=np.float32).reshape(2, 3), "bias": np.ones(3, np.float32)}
    for metadata in (None, {"a": "b"}, {"a": "bc"}, {"a": "bcd"}):
        content = written_here.save(tensors, metadata)
        length = int.from_bytes(content[:8], "little")
        assert length % 8 == 0
        header, numbers = json.loads(content[8 : 8 + length]), content[8 + length :]
        for name, array in tensors.items():
            begin, end = header[name]["data_offsets"]
            assert numbers[begin:end] == array.tobytes() and header[name]["shape"] == list(
                array.shape
            )
