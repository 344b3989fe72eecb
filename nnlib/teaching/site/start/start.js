// Opens a lesson: says what this browser lacks, loads what a kernel needs and says how far it is, then goes there.
const $ = id => document.getElementById(id);
const files = JSON.parse($("files").textContent);
const say = (id, text) => { $(id).textContent = text; $(id).hidden = false; };

const canCompute = typeof WebAssembly === "object" && typeof Worker === "function" && typeof BigInt64Array === "function";

async function canStore() {
  try {
    localStorage.setItem("nnlib", "1");
    localStorage.removeItem("nnlib");
    await new Promise((done, failed) => {
      const request = indexedDB.open("nnlib-probe");
      request.onsuccess = () => { request.result.close(); indexedDB.deleteDatabase("nnlib-probe"); done(); };
      request.onerror = request.onblocked = failed;
    });
    return Boolean(navigator.serviceWorker);
  } catch {
    return false;
  }
}

async function look() {
  if (!canCompute) {
    say("wrong", "This browser cannot run Python: it has no WebAssembly (a very old one, or one that has been locked down). "
      + "The slides below can be read. To run kernels, use Firefox, Chrome, Edge or Safari of the last three years.");
  } else if (!await canStore()) {
    say("hint", "This window keeps nothing: its storage is switched off, or it is a private window. You can do the lessons, "
      + "but after a reload your kernels and your progress are gone.");
  } else if (matchMedia("(max-width: 600px)").matches) {
    say("hint", "A small screen: lessons can be read and run here. To write kernels, a computer is better.");
  }
}

async function load(show) {
  let bytes = 0, done = 0;
  await Promise.all(files.map(async url => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    for (const reader = response.body.getReader(); ;) {
      const { done: end, value } = await reader.read();
      if (end) break;
      bytes += value.length;
      show(done, bytes);
    }
    show(++done, bytes);
  }));
}

let wanted = "";
async function open() {
  const lesson = wanted = decodeURIComponent(location.hash.slice(1));
  if (!/^\w+$/.test(lesson) || !canCompute) return;
  const target = `notebooks/index.html?path=${lesson}.ipynb`;
  const start = performance.now();
  $("now").href = target;
  $("loading").hidden = false;
  $("loading").scrollIntoView({ block: "center" });
  const show = (done, bytes) => {
    say("what", `Loading Python, NumPy and the simulator: ${done} of ${files.length} files, ${(bytes / 1e6).toFixed(0)} MB.`);
    $("bar").value = done / files.length;
  };
  show(0, 0);
  try {
    await load(show);
    if (wanted === lesson) location.href = target;
  } catch (error) {
    say("what", "A file did not arrive. Is there a network? Reload this page to try again; what has arrived is kept. "
      + `(${error.message})`);
  }
  console.info(`loaded in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

addEventListener("hashchange", open);
addEventListener("pageshow", event => { if (event.persisted) $("loading").hidden = true; });
look();
open();
