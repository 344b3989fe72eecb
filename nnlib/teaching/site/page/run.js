// The cells of a lesson: edited, run, kept in this browser, handed in. Python runs in a worker (kernel.js).
import { colour, reachable } from "./read.js";
import { hear, show } from "./widgets.js";
import question from "./prediction.js";

const lesson = document.body.dataset.lesson, kept = `page of ${lesson}`;
const $ = (id) => document.getElementById(id);
const say = (words) => { $("state").textContent = words; };
const cells = [...document.querySelectorAll(".cell")].map((box) => {
  const code = box.querySelector("code");
  return { box, id: box.id, code, given: code.textContent, outputs: box.querySelector(".outputs"), shown: [] };
});
const cellOf = (id) => cells.find((cell) => cell.id === id);
const text = ({ code }) => code.textContent.replace(/\n+$/, "");
const isQuestion = (box) => box.classList.contains("question");
const changed = () => cells.filter((cell) => text(cell) !== cell.given);

// ---- what stays in this browser: texts that differ from the lesson's, and what was committed to
let committed = {}, safe = true, handed = "";
const names = [];  // of the questions that the page asks

function keep() {
  const sources = Object.fromEntries(changed().map((cell) => [cell.id, text(cell)]));
  try {
    localStorage.setItem(kept, JSON.stringify({ sources, committed, handed }));
    safe = true;
  } catch {
    safe = false;  // no storage, or it is full
  }
}

function bringBack() {
  let stored = null;
  try { stored = JSON.parse(localStorage.getItem(kept)); } catch { /* nothing that can be read */ }
  ({ committed = {}, handed = "" } = stored ?? {});
  for (const [id, source] of Object.entries(stored?.sources ?? {})) if (cellOf(id)) cellOf(id).code.textContent = source;
}

const work = () => JSON.stringify([changed().map((cell) => [cell.id, text(cell)]), committed]);

addEventListener("beforeunload", (event) => {
  const isNew = changed().length > 0 && (!safe || work() !== handed);
  if (isNew || running) event.preventDefault();
});

// ---- Python
let worker = null, running = false, ready = false, lastWell = true, gpu = "";

function start() {
  worker = new Worker(new URL("./kernel.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => told[data.kind](data);
  worker.onerror = ({ message }) => told.failed({ failed: message });
  worker.postMessage({ act: "prepare" });
  say("Python is loading. You can read on, or run a cell.");
}

function run(only) {
  if (!worker) start();
  running = true;
  say(ready ? "Running …" : "Python is loading; then this cell runs.");
  worker.postMessage({ act: "run", only, cells: cells.map((cell) => [cell.id, text(cell)]),
                       questions: names, committed });
}

function stop() {
  worker?.terminate();
  running = ready = false;
  for (const cell of cells) cell.box.classList.remove("now");
  start();
  say("Stopped. Python starts anew: a cell runs those again that it needs.");
}

const told = {
  gpu(found) { gpu = found.gpu; },
  ready() { ready = true; if (!running) say(`Python is ready. ${gpu}`); },
  loading({ what }) { say(`Loading ${what} …`); },
  start({ cell }) {
    const { box, outputs } = cellOf(cell);
    for (const each of cells) each.box.classList.toggle("now", each.id === cell);
    if (!isQuestion(box)) outputs.replaceChildren();
    cellOf(cell).shown = [];
    for (const fold of box.querySelectorAll("details")) if (fold.contains(outputs)) fold.open = true;
    ready = true;
  },
  output({ cell, output }) {
    if (!cellOf(cell)) return;  // of an import, before the first cell
    const { box, outputs, shown } = cellOf(cell);
    if (output.output_type === "clear") {
      shown.length = 0;
      return outputs.replaceChildren();
    }
    shown.push(output);
    if (!isQuestion(box)) draw(outputs, output);
  },
  end({ cell, well }) {
    const { box, outputs } = cellOf(cell);
    box.classList.remove("now");
    reachable(box);
    lastWell = well;
    if (!well) outputs.scrollIntoView({ block: "nearest" });
  },
  idle() {
    running = false;
    say(lastWell ? "Done." : "A cell failed: its report stands below it.");
    document.dispatchEvent(new Event("lesson-idle"));
  },
  comm(message) { hear(message, (answer) => worker.postMessage({ act: "comm", ...answer })); },
  failed({ failed }) {
    running = ready = false;
    worker = null;
    say(`Python did not load. Is there a network? Run tries again. (${failed})`);
  },
};

// ---- outputs
function draw(outputs, output) {
  if (output.output_type === "stream") return print(outputs, output);
  const box = output.update
    ? [...outputs.children].find((child) => child.dataset.display === output.display_id) ?? outputs.appendChild(make())
    : outputs.appendChild(make());
  if (output.display_id) box.dataset.display = output.display_id;
  box.replaceChildren();
  const widget = output.data?.["application/vnd.jupyter.widget-view+json"];
  if (output.output_type === "error") box.append(printed(output.traceback.join("\n"), "mistake"));
  else if (widget && show(widget.model_id, box)) return;
  else if (output.data["text/html"]) box.innerHTML = output.data["text/html"];
  else box.append(printed(output.data["text/plain"]));
}

const make = () => document.createElement("div");
const printed = (words, kind = "") => Object.assign(document.createElement("pre"), { textContent: words, className: kind });

function print(outputs, { name, text }) {
  const last = outputs.lastElementChild;
  const pre = last?.dataset.stream === name ? last : outputs.appendChild(printed(""));
  pre.dataset.stream = name;
  pre.textContent = (pre.textContent + text).replace(/^.*\r(?!\n)/gm, "");
}

// ---- questions are answered in the page, whether Python is there or not

function ask(cell) {
  const asked = [...cell.outputs.querySelectorAll(".nn-predict")];
  cell.outputs.replaceChildren();
  [...text(cell).matchAll(/"(.*?)"/g)].forEach(([, name], k) => {
    const choices = [...asked[k].querySelectorAll("li")].map((item) => item.textContent);
    asked[k].querySelectorAll("b, ul").forEach((part) => part.remove());
    const state = { question: asked[k].textContent.trim(), choices, chosen: committed[name] ?? -1 };
    let tell = () => {};
    names.push(name);
    question.render({ el: cell.outputs, model: {
      get: (key) => state[key], set: (key, value) => { state[key] = value; }, on: (_, act) => { tell = act; }, off() {},
      save_changes() {
        if (state.chosen < 0) return;
        committed[name] = state.chosen;
        keep();
        tell();
      } } });
  });
}

// ---- editing
function edit(cell, number) {
  const { code, box } = cell;
  const isCuda = code.className === "cuda";
  Object.assign(code, { contentEditable: "plaintext-only", spellcheck: false });
  for (const [name, value] of Object.entries({ role: "textbox", "aria-multiline": true, autocapitalize: "off",
    "aria-label": `Cell ${number + 1}, ${isCuda ? "CUDA C" : "Python"}` })) code.setAttribute(name, value);
  const bar = Object.assign(make(), { className: "run" });
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Run" });
  button.setAttribute("aria-label", `Run cell ${number + 1}`);
  button.onclick = () => run(number);
  const back = Object.assign(document.createElement("button"), { type: "button", textContent: "Undo all changes" });
  const look = () => { back.hidden = text(cell) === cell.given; };
  const typed = () => { colour(code); keep(); look(); };
  back.onclick = () => { code.textContent = cell.given; typed(); code.focus(); };
  code.addEventListener("input", typed);
  code.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (event.shiftKey || event.ctrlKey || event.metaKey) return run(number);
    const before = textBefore(code), indent = before.match(/[ \t]*(?=[^\n]*$)/)[0];
    const deeper = /[{:(\[]\s*$/.test(before) ? "    " : "";
    document.execCommand("insertText", false, `\n${indent}${deeper}`);
  });
  bar.append(button, back);
  code.closest("pre").after(bar);
  look();
  colour(code);
}

function textBefore(code) {
  const range = getSelection().getRangeAt(0).cloneRange();
  range.setStart(code, 0);
  return range.toString();
}

// ---- handing in, and JupyterLab
async function notebook() {
  const whole = await (await fetch(new URL(`files/${lesson}.ipynb`, import.meta.url))).json();
  for (const there of whole.cells) {
    const cell = cellOf(there.id);
    if (!cell) continue;
    there.source = text(cell);
    if (cell.shown.length) there.outputs = cell.shown.filter((output) => !output.update).map(({ display_id, ...output }) =>
      output.output_type === "stream" ? output : { ...output, metadata: {} });
  }
  return whole;
}

async function handIn() {
  const file = new Blob([JSON.stringify(await notebook(), null, 1)], { type: "application/x-ipynb+json" });
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: `${lesson}.ipynb` });
  link.click();
  handed = work();
  keep();
  say(`${lesson}.ipynb is in your downloads: hand in this file.`);
}

// saving.js, beside JupyterLab, takes these texts when the notebook opens.
function takeAlong() {
  const texts = changed().map((cell) => ({ id: cell.id, cell_type: "code", source: text(cell), index: 0 }));
  if (texts.length) localStorage.setItem(`typed in ${lesson}.ipynb`, JSON.stringify(texts));
}

document.body.classList.add("running");
bringBack();
cells.forEach(edit);
cells.filter(({ box }) => isQuestion(box)).forEach(ask);
$("all").onclick = () => run(-1);
$("stop").onclick = stop;
$("hand-in").onclick = handIn;
$("lab").onclick = takeAlong;
// Not for somebody who pays for every megabyte.
if (typeof WebAssembly !== "object") say("This browser cannot run Python: the lesson can be read.");
else if (!navigator.connection?.saveData) addEventListener("load", () => { if (!worker) start(); });
