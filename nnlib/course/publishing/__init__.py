"""What a teacher makes of the lessons: slides, pages, copies for students, graded assignments, a web site.

Each is a command: `nnlib slides`, `nnlib pages`, `nnlib student`, `nnlib assignment`, `nnlib site`, in a file of that
name. checkout.py: where lessons lie, and how a folder is filled. cells.py, execution.py: notebooks, read, run and
stored. copies.py, package.py, left_out.py: what students get. templates/: how nbconvert writes decks and pages, and
values for a hub on Kubernetes.
"""
