"""The lessons as a web site: JupyterLite, Pyodide and nnlib in one static folder. `python -m tests.notebooks.site`"""
