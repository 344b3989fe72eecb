// A worker with Python: NumPy and nnlib first; a lesson adds what its cells need (shell.py). kernel.json says where all is.
import { environment, late, start, wheelsOf } from "./snapshot.mjs";

const at = (path) => new URL(path, import.meta.url).href;
const post = (text, buffers) => postMessage({ ...JSON.parse(text), buffers: buffers.toJs() });
// Python that is called so can wait for what JavaScript promises, such as an answer of the GPU.
const call = (python, ...args) => (WebAssembly.Suspending ? python.callPromising(...args) : python(...args));
let simulator = null, lesson = null;

async function bytes(path, kind = "arrayBuffer") {
  const response = await fetch(at(path));
  if (!response.ok) throw new Error(path);
  return kind === "body" ? response.body : response[kind]();
}

// What this browser keeps unpacked for the next visit: to unzip a memory takes longer than to start it. Older ones go.
async function keptFor(snapshot) {
  try {
    const others = (await caches.keys()).filter((name) => name !== snapshot && name.startsWith(snapshot.replace(/[^-]*$/, "")));
    await Promise.all(others.map((name) => caches.delete(name)));
    return await caches.open(snapshot);
  } catch { /* a page that is not secure, or a window that keeps nothing */ }
}

async function unzipped(path, kept) {
  const before = await kept?.match(at(path));
  if (before) return before.arrayBuffer();
  const body = await bytes(path, "body");
  const content = await new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  kept?.put(at(path), new Response(content)).catch(console.warn);  // there may be no room
  return content;
}

async function loadSimulator() {
  const where = await bytes("kernel.json", "json");
  const options = { indexURL: at(where.base), lockFileURL: at(where.lock), env: { ...environment, ...where.env } };
  const { loadPyodide } = await import(at(`${where.base}pyodide.mjs`));
  const python = await (where.snapshot ? fromSnapshot : fromWheels)(loadPyodide, options, where);
  python.pyimport("os").environ.set("NNLIB_PAGE", at("./"));
  postMessage({ kind: "gpu", gpu: await python.pyimport("nnlib.cuda").open_page_gpu() });
  return { python, where };
}

async function fromSnapshot(loadPyodide, options, { snapshot }) {
  const kept = await keptFor(at(snapshot));
  const [parts, content, memory] = await Promise.all([
    bytes(`${snapshot}.json`, "json"), unzipped(`${snapshot}.files.bin`, kept), unzipped(`${snapshot}.memory.bin`, kept)]);
  return start(loadPyodide, { ...options, packages: [], _loadSnapshot: memory }, parts, new Uint8Array(content));
}

async function fromWheels(loadPyodide, options, { nnlib }) {
  const wheel = bytes(nnlib);
  const python = await loadPyodide({ ...options, packages: ["numpy"] });
  python.unpackArchive(await wheel, "wheel");  // alone: what lessons need besides is not needed for a kernel
  return python;
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
  python.FS.mkdirTree("/drive");
  python.FS.mount(python.FS.filesystems.IDBFS, {}, "/drive");
  await stored(python, true);
  if (!where.snapshot) {
    const lock = await bytes(where.lock, "json"), lacks = where.there.filter((name) => !["ipython", "numpy", "nnlib"].includes(name));
    const wheels = await Promise.all(wheelsOf(lacks, lock, where.lock).map((path) => bytes(path)));
    for (const wheel of wheels) python.unpackArchive(wheel, "wheel");
    python.FS.writeFile("/home/pyodide/shell.py", await bytes("shell.py", "text"));
    python.runPython("import sys; sys.path.append('/home/pyodide')");
    python.pyimport("shell").prepare(python.toPy(late(lock, where.lock, where.there)));
  }
  python.pyimport("os").chdir("/drive");
  return python.pyimport("shell").begin(post, fetchNow);
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
    await (lesson ??= loadLesson(await simulator));
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
