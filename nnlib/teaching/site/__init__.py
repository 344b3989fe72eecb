"""The lessons as a web site: JupyterLite, Pyodide and nnlib in one folder. build.py makes it, serve.py shows it."""
