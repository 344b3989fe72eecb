// A worker with Python: NumPy and nnlib first; a lesson adds what its cells need (shell.py). kernel.json says where all is.
const at = (path) => new URL(path, import.meta.url).href;
const post = (text, buffers) => postMessage({ ...JSON.parse(text), buffers: buffers.toJs() });
// Python that is called so can wait for what JavaScript promises, such as an answer of the GPU.
const call = (python, ...args) => (WebAssembly.Suspending ? python.callPromising(...args) : python(...args));
let simulator = null, lesson = null;

async function bytes(path, kind = "arrayBuffer") {
  const response = await fetch(at(path));
  if (!response.ok) throw new Error(path);
  return response[kind]();
}

async function loadSimulator() {
  const where = await bytes("kernel.json", "json");
  const wheel = bytes(where.nnlib);
  const { loadPyodide } = await import(at(`${where.base}pyodide.mjs`));
  const python = await loadPyodide({
    indexURL: at(where.base), lockFileURL: at(where.lock), packages: ["numpy"],
    env: { HOME: "/home/pyodide", MPLBACKEND: "agg", NNLIB_PAGE: at("./"), JUPYTER_WIDGETS_ECHO: "0",
      ...where.env },
  });
  python.unpackArchive(await wheel, "wheel");  // alone: what lessons need besides is not needed for a kernel
  postMessage({ kind: "gpu", gpu: await python.pyimport("nnlib.cuda").open_page_gpu() });
  return { python, where };
}

// Only a worker may wait for a file: an import cannot.
function fetchNow(path) {
  postMessage({ kind: "loading", what: path.split("/").at(-1).split("-")[0] });
  const request = new XMLHttpRequest();
  request.open("GET", at(path), false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(path);
  return new Uint8Array(request.response);
}

const stored = (python, load) => new Promise((done) => python.FS.syncfs(load, done));  // an error: this window keeps nothing

async function loadLesson({ python, where }) {
  const wheels = where.wheels.map((path) => bytes(path));
  const shell = bytes("shell.py", "text");
  python.FS.mkdirTree("/drive");
  python.FS.mount(python.FS.filesystems.IDBFS, {}, "/drive");
  await stored(python, true);
  for (const wheel of wheels) python.unpackArchive(await wheel, "wheel");
  python.FS.writeFile("/home/pyodide/shell.py", await shell);
  python.runPython("import os, sys; sys.path.append('/home/pyodide'); os.chdir('/drive')");
  return python.pyimport("shell").begin(post, python.toPy(where.late), fetchNow);
}

const acts = {
  async attempt({ source }, { python }) {
    const [right, text] = (await call(python.pyimport("nnlib.cuda.demo").attempt, source)).toJs();
    postMessage({ right, text });
  },
  async run({ cells, only, questions, committed }, { python }) {
    lesson ??= loadLesson(await simulator);
    const page = await lesson;
    await call(page.run, python.toPy(cells), only, python.toPy(questions), python.toPy(committed));
    await stored(python, false);
    postMessage({ kind: "idle" });
  },
  async comm({ id, data, buffers }, { python }) {
    await call((await lesson).message, id, python.toPy(data), python.toPy(buffers));
    await stored(python, false);
  },
  async call({ module, name }, { python }) {
    postMessage({ kind: "result", text: await call(python.pyimport(module)[name]) });
  },
  async prepare() {
    lesson ??= loadLesson(await simulator);
    await call((await lesson).prepare);
    postMessage({ kind: "ready" });
  },
};

let turn = Promise.resolve();
onmessage = ({ data }) => {
  turn = turn.then(async () => {
    try {
      simulator ??= loadSimulator();
      await acts[data.act](data, await simulator);
    } catch (error) {
      simulator = lesson = null;
      console.error(error);
      postMessage({ kind: "failed", failed: error.message || String(error) });
    }
  });
};
