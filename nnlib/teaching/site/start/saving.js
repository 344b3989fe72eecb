// Beside JupyterLite: what was typed is kept, however the page closes. Its own autosave comes every ten seconds, and a page
// that closes does not wait for one. So the texts of changed cells go to the browser's local storage with every key, and
// come back when the notebook is opened again; two seconds after the last key they are saved in the notebook itself.
// Cells that are as they were saved stay out: another page may have changed them since.
const pause = 2000, look = 500;  // milliseconds
const saved = new WeakMap();  // of each notebook, the text of every cell as it was last saved
let waiting = 0, keeps = false;  // keeps: what this page has put there; another page may show the same notebook

const shown = () => window.jupyterapp?.shell?.currentWidget?.context;
const texts = (context) => new Map(context.model.sharedModel.cells.map((cell) => [cell.id, cell.source]));
const place = (context) => `typed in ${context.path}`;

function keep() {
  const context = shown();
  if (!context?.model?.dirty) return;
  const cells = context.model.sharedModel.cells
    .map(({ id, cell_type, source }, index) => ({ id, cell_type, source, index }))
    .filter((cell) => cell.source !== saved.get(context)?.get(cell.id));
  localStorage.setItem(place(context), JSON.stringify(cells));
  keeps = true;
}

function save() {
  clearTimeout(waiting);
  keep();
  const context = shown();
  if (context?.model?.dirty) context.save();
}

function bringBack(context) {
  const notebook = context.model.sharedModel;
  JSON.parse(localStorage.getItem(place(context)) ?? "[]").forEach(({ index, ...cell }) => {
    const there = notebook.cells.find((one) => one.id === cell.id);
    if (!there) notebook.insertCell(index, { ...cell, metadata: {} });
    else if (there.source !== cell.source) there.setSource(cell.source);
  });
}

function watch() {
  const context = shown();
  if (!context?.isReady || !context.model?.sharedModel?.cells) return;
  if (!saved.has(context)) {
    saved.set(context, texts(context));
    bringBack(context);
    save();
  } else if (!context.model.dirty) {
    saved.set(context, texts(context));
    if (keeps) localStorage.removeItem(place(context));
    keeps = false;
  }
}

function typed() {
  setTimeout(keep);  // when the key has done its work
  clearTimeout(waiting);
  waiting = setTimeout(save, pause);
}

addEventListener("input", typed, true);
addEventListener("keyup", typed, true);
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") save(); });
addEventListener("pagehide", save);
setInterval(watch, look);
