"""What a teacher makes of the lessons: slides, pages, copies for students, graded assignments, exams, a web site.

Each is a command: `nnlib slides`, `nnlib pages`, `nnlib student`, `nnlib assignment`, `nnlib exam`, `nnlib similar`,
`nnlib site`, in a file or folder of that name. marking/: marks for notebooks that were handed in. overview.py: which
exercises a class has solved. options.py: the options of all these commands. reading.py: tables and other files of a
teacher. checkout.py: where lessons lie, and how a folder is filled. cells.py, execution.py: notebooks, read, run and
stored. copies.py, package.py, left_out.py: what students get. templates/: how nbconvert writes decks and pages, and
values for a hub on Kubernetes.
"""
