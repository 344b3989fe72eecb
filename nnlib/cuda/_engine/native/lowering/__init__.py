"""The flattened kernel -> operations on lanes, which a target prints."""
