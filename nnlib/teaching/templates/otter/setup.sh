#!/bin/bash
# For otter grade, which runs this in an image that has everything: see the Dockerfile.
test -x /opt/marks/venv/bin/otter
