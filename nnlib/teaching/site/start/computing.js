// Beside JupyterLite: a cell that takes long says under itself that it goes on, whatever its Python does meanwhile.
// Python itself cannot say it: its worker is deaf while NumPy computes.
let silence = 8;  // seconds
const note = document.createElement("p");
note.className = "nn-computing";
note.setAttribute("role", "status");
note.style.cssText = "margin: 4px 0 4px 80px; font-style: italic";
let computing = null, since = 0;

// Of the cells that wait or compute the first, and whether Python is there yet.
function current() {
  const panel = window.jupyterapp?.shell?.currentWidget;
  const kernel = panel?.sessionContext?.kernelDisplayStatus;
  const cell = kernel === "idle" ? null : panel?.content?.widgets?.find(
    cell => cell.inputArea?.promptNode?.textContent.includes("*"));  // of a folded cell, too
  return [cell?.node ?? null, kernel === "busy"];
}

function look() {
  const [cell, busy] = current();
  if (cell !== computing) {
    [computing, since] = [cell, Date.now()];
    note.remove();
  }
  const seconds = Math.round((Date.now() - since) / 1000);
  if (!cell || seconds < silence) return;
  if (note.parentNode !== cell) cell.append(note);
  note.innerHTML = (busy ? "This cell computes, and goes on: a page has one slow core. Kernel, Restart Kernel stops it"
                            : "Python is still starting")
    + `. <span aria-hidden="true">${seconds} s</span>`;  // a screen reader says the sentence once
}

// A ring that turns beside "Python 3" has the page painted sixty times a second by the cores that start Python.
const still = document.createElement("style");
still.textContent = ".jp-KernelStatus-spinner { animation: none !important }";
document.head.append(still);
setInterval(look, 1000);
