# make lab   opens the lessons       make test  everything CI checks       make help  the rest
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# With an NVIDIA driver CuPy brings its CUDA libraries along; without one the lessons leave it out, and only tests import it.
comma := ,
GPU := $(shell nvidia-smi -L 2>/dev/null)
CUPY := $(if $(GPU),gpu,cupy)
COURSE := [course$(if $(GPU),$(comma)gpu)]
# An installed package brings along what colours %%cuda cells in JupyterLab; an editable one is linked to it.
LABEXTENSIONS := $(VENV)/share/jupyter/labextensions
COLOUR = mkdir -p $(LABEXTENSIONS) && ln -sfn "$(CURDIR)/nnlib/course/labextensions/nnlib-cuda" $(LABEXTENSIONS)/nnlib-cuda

# Tests start hundreds of programs that import the same modules: those find byte code.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help lab gpu test style types tests docs notebooks slides pages student assignment exam gradebook similar site benchmarks clean

help:  ## what can be made
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:[^#]*## */\t/' | expand -t 14

lab: $(VENV)/.lab  ## set up and open JupyterLab at the lessons; LAB_ARGS="--no-browser --port=9000" is passed on
	$(BIN)/jupyter lab $(if $(findstring --notebook-dir,$(LAB_ARGS)),,--notebook-dir=notebooks) $(LAB_ARGS)

test: $(VENV)/.test  ## set up and run everything that CI checks
	$(MAKE) --jobs 2 style types tests

style:
	$(BIN)/ruff check nnlib tests notebooks
	$(BIN)/ruff format --check --quiet nnlib tests .github
	$(BIN)/lint-imports

types:  # one core is enough for it, the tests have the others
	$(BIN)/mypy

tests:  # pytest keeps byte code of its own, and the programs that run answers write none
	$(BIN)/python -m compileall -q nnlib
	$(BIN)/pytest --numprocesses auto --dist loadfile --no-loadscope-reorder --nbval --nbval-current-env \
	  --nbval-cell-timeout 3600 --nbval-kernel-startup-timeout 3600 --nbval-sanitize-with tests/notebooks/nbval_sanitize.cfg $(TEST_ARGS) tests notebooks

docs: $(VENV)/.test  ## the API reference of nnlib and of nnlib.cuda, and the glossary, in docs/
	$(BIN)/python .github/docs.py docs

notebooks: $(VENV)/.test  ## run every lesson and store its outputs in canonical form
	$(BIN)/python -m tests.notebooks.execute notebooks/*.ipynb

slides: $(VENV)/.test  ## one slide deck per lesson in slides/, for offline use; SLIDES_ARGS=--pdf prints them
	$(BIN)/nnlib slides $(SLIDES_ARGS)

pages: $(VENV)/.test  ## one HTML page per lesson in pages/, solutions and answers folded
	$(BIN)/nnlib pages

site: $(VENV)/.test  ## the lessons in the browser, in site/; SITE_ARGS=--student leaves solutions out, --cdn takes Pyodide from its CDN
	$(BIN)/nnlib site $(SITE_ARGS)

student: $(VENV)/.lab  ## for students, without solutions, in student/; STUDENT_ARGS=--pieces for lesson 08
	$(BIN)/python -m pip install --quiet "setuptools>=77"
	$(BIN)/nnlib student $(STUDENT_ARGS)

assignment: $(VENV)/.lab  ## graded lessons for nbgrader and otter-grader in assignment/; ASSIGNMENT_ARGS="--points 2"
	$(BIN)/nnlib assignment $(ASSIGNMENT_ARGS)

exam: $(VENV)/.lab  ## a written exam with solutions and marking scheme in exams/; EXAM_ARGS="--seed 7"
	$(BIN)/nnlib exam $(EXAM_ARGS)

gradebook: $(VENV)/.lab  ## a term's marks in one table; GRADEBOOK_ARGS=term names the folder of term.toml and marks
	$(BIN)/nnlib gradebook $(GRADEBOOK_ARGS)

similar: $(VENV)/.lab  ## answers that look like copies; SIMILAR_ARGS=submitted names the folder of notebooks
	$(BIN)/python -m pip install --quiet --editable ".[similar]"
	$(BIN)/nnlib similar $(SIMILAR_ARGS)

# Those that need a GPU say so without one, and the rest goes on.
benchmarks: $(VENV)/.test  ## measure this machine, then renew the tables of README.md and the teacher's guide
	-$(BIN)/python -m tests.benchmarks.train_gpu
	-$(BIN)/python -m tests.benchmarks.timeline
	-$(BIN)/python -m tests.benchmarks.matmul
	-$(BIN)/python -m tests.benchmarks.kernels
	-$(BIN)/python -m tests.benchmarks.patterns
	-$(BIN)/python -m tests.benchmarks.convolution
	$(BIN)/python -m tests.benchmarks.train
	$(BIN)/python -m tests.benchmarks.simulator
	$(BIN)/python -m tests.benchmarks.native
	$(BIN)/python -m tests.benchmarks.lessons
	$(BIN)/python -m tests.benchmarks.render

# Folders that a class has worked in for a term are not ours to delete.
clean:  ## remove what make made, but for student/ and assignment/, which may hold a class's work
	rm -rf $(VENV) docs slides pages site build dist .pytest_cache .hypothesis .mypy_cache .ruff_cache *.egg-info

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.lab: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".$(COURSE)"
	$(if $(GPU),,@$(BIN)/python -m pip install --quiet --only-binary llvmlite --editable ".[fast]" || \
	  echo "llvmlite has no wheel for this computer: kernels become native code through WebAssembly, which is slower")
	@$(BIN)/python -m pip install --quiet --only-binary wgpu --editable ".[webgpu]" || \
	  echo "wgpu has no wheel for this computer: kernels do not reach a GPU that is not NVIDIA's"
	$(COLOUR)
	$(if $(GPU),,@echo "No NVIDIA driver found, so CuPy was left out and kernels run in the simulator. To add it later: make gpu")
	touch $@

gpu: $(VENV)/.lab  ## add CuPy and the CUDA libraries, once there is an NVIDIA driver
	$(BIN)/python -m pip install --editable ".[course,gpu]"

# Only what the tests import is compiled, when they do.
$(VENV)/.test: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --no-compile --editable ".[test,$(CUPY)]"
	$(COLOUR)
	touch $@ $(VENV)/.lab
