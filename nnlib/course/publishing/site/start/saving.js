// Beside JupyterLite: what was typed is kept, however the page closes. Its own autosave comes every ten seconds, and a page
// that closes does not wait for one. So the cells' texts go to the browser's local storage with every key, and come back
// when the notebook is opened again; two seconds after the last key they are saved in the notebook itself.
const pause = 2000, look = 500;  // milliseconds
const known = new WeakSet();
let waiting = 0, keeps = false;  // keeps: what this page has put there; another page may show the same notebook

const shown = () => window.jupyterapp?.shell?.currentWidget?.context;
const place = (context) => `typed in ${context.path}`;

function keep() {
  const context = shown();
  if (!context?.model?.dirty) return;
  const cells = context.model.sharedModel.cells.map((cell) => ({
    id: cell.id, cell_type: cell.cell_type, source: cell.source }));
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
  JSON.parse(localStorage.getItem(place(context)) ?? "[]").forEach((cell, index) => {
    const there = notebook.cells.find((one) => one.id === cell.id);
    if (!there) notebook.insertCell(index, { ...cell, metadata: {} });
    else if (there.source !== cell.source) there.setSource(cell.source);
  });
}

function watch() {
  const context = shown();
  if (!context?.isReady || !context.model?.sharedModel?.cells) return;
  if (!known.has(context)) {
    known.add(context);
    bringBack(context);
    save();
  } else if (keeps && !context.model.dirty) {
    localStorage.removeItem(place(context));
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
