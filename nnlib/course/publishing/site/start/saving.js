// Beside JupyterLite: what was typed is kept as soon as the page is hidden or left, and two seconds after the last key.
// Its own autosave comes every ten seconds, and a page that closes does not wait for it.
const pause = 2000;  // milliseconds
let waiting = 0;

function save() {
  clearTimeout(waiting);
  const context = window.jupyterapp?.shell?.currentWidget?.context;
  if (context?.model?.dirty) context.save();
}

addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(save, pause); }, true);
addEventListener("keyup", () => { clearTimeout(waiting); waiting = setTimeout(save, pause); }, true);
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") save(); });
addEventListener("pagehide", save);
