"""Notebooks as students hand them in, written from their answers."""

import json

import pytest

MIRROR = '''%%cuda
extern "C" __global__ void mirror(const float* image, float* out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = image[y * width + width - 1 - x];
}'''
INTENSITY = "def intensity(bm, bn):\n    return bm * bn / (2 * (bm + bn))"


@pytest.fixture
def hand_in(tmp_path):
    """hand_in(cell, …) -> path of a notebook with these code cells; a pair is (source, tags)."""
    def write(*cells):
        cells = [cell if isinstance(cell, tuple) else (cell, []) for cell in cells]
        path = tmp_path / "handed_in.ipynb"
        path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
            {"cell_type": "code", "id": f"c{i}", "metadata": {"tags": tags}, "source": source, "outputs": [],
             "execution_count": None} for i, (source, tags) in enumerate(cells)]}))
        return path
    return write
