// A worker with Python, NumPy and nnlib: answers a kernel with what `nnlib demo` says about it.
let loading = null;

async function load({ base, lock, nnlib }) {
  const wheel = fetch(nnlib).then(response => response.ok ? response.arrayBuffer() : Promise.reject(new Error(nnlib)));
  const { loadPyodide } = await import(`${base}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: base, lockFileURL: lock, packages: ["numpy"] });
  python.unpackArchive(await wheel, "wheel");  // alone: what lessons need besides is not needed here
  return python.pyimport("nnlib.cuda.demo");
}

onmessage = async ({ data: { urls, source } }) => {
  try {
    loading ??= load(urls);
    const demo = await loading;
    const [right, text] = demo.attempt(source).toJs();
    postMessage({ right, text });
  } catch (error) {
    loading = null;
    postMessage({ failed: error.message });
  }
};
