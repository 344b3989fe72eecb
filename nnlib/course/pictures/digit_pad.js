// A 280 x 280 canvas to draw on. After every stroke its ink goes to the kernel, which answers with probabilities.
const SIDE = 280, SIZE = 70, CELL = SIDE / SIZE, PEN = 22;

const STYLE = `
.nn-pad { display: flex; flex-wrap: wrap; gap: 16px; align-items: flex-start; font-size: 14px; }
.nn-pad canvas { background: #111; border-radius: 4px; outline: 1px solid #888; image-rendering: pixelated; }
.nn-pad .nn-draw { cursor: crosshair; touch-action: none; }
.nn-pad button { margin: 6px 6px 0 0; padding: 4px 12px; font-size: 14px; }
.nn-pad .nn-middle { width: 160px; }
.nn-pad .nn-bar { display: grid; grid-template-columns: 6em 170px 5em; gap: 6px; align-items: center; height: 23px; }
.nn-pad .nn-bar span:first-child { text-align: right; }
.nn-pad .nn-track { background: #EDEDED; height: 15px; }
.nn-pad .nn-fill { background: #0072B2; height: 15px; width: 0; }
.nn-pad .nn-best { font-weight: bold; }
.nn-pad .nn-maps { flex-basis: 100%; display: grid; grid-template-columns: 11em 1fr; gap: 4px 8px; align-items: center; }
.nn-pad .nn-maps canvas { max-width: 100%; }
`;

function make(parent, tag, properties = {}) {
  const element = Object.assign(document.createElement(tag), properties);
  parent.append(element);
  return element;
}

function bars(parent, names) {
  return names.map((name) => {
    const row = make(parent, "div", { className: "nn-bar" });
    make(row, "span", { textContent: name });
    const fill = make(make(row, "div", { className: "nn-track" }), "div", { className: "nn-fill" });
    return { row, fill, share: make(row, "span") };
  });
}

// The mean brightness of each 4 x 4 square.
function ink(canvas) {
  const pixels = canvas.getContext("2d").getImageData(0, 0, SIDE, SIDE).data;
  const sums = new Float32Array(SIZE * SIZE);
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++)
      sums[Math.floor(y / CELL) * SIZE + Math.floor(x / CELL)] += pixels[4 * (y * SIDE + x) + 3];
  return new DataView(Uint8Array.from(sums, (sum) => Math.round(sum / CELL ** 2)).buffer);
}

function paint(canvas, image) {
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, canvas.width, canvas.height);
  const cell = canvas.width / 28;
  for (let i = 0; i < image.byteLength; i++) {
    context.fillStyle = `rgba(255, 255, 255, ${image.getUint8(i) / 255})`;
    context.fillRect((i % 28) * cell, Math.floor(i / 28) * cell, cell, cell);
  }
}

// A layer's channels side by side: bright is above zero, blue below. Returns where the next layer's numbers begin.
function paintMaps(canvas, [channels, rows, columns], numbers, first) {
  const context = canvas.getContext("2d"), cell = Math.max(2, Math.round(48 / rows)), step = cell * columns + 4;
  canvas.width = channels * step;
  canvas.height = cell * rows;
  for (let i = 0; i < channels * rows * columns; i++) {
    const value = numbers.getInt8(first + i) / 127, place = i % (rows * columns);
    context.fillStyle = value < 0 ? `rgba(86, 180, 233, ${-value})` : `rgba(255, 255, 255, ${value})`;
    context.fillRect(Math.floor(i / (rows * columns)) * step + (place % columns) * cell,
      Math.floor(place / columns) * cell, cell, cell);
  }
  return first + channels * rows * columns;
}

function render({ model, el }) {
  const pad = make(el, "div", { className: "nn-pad" });
  make(pad, "style", { textContent: STYLE });
  const left = make(pad, "div");
  const canvas = make(left, "canvas", { className: "nn-draw", width: SIDE, height: SIDE });
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "Draw a digit here with mouse, pen or finger; the button sample needs no mouse");
  const buttons = make(left, "div");
  const clear = make(buttons, "button", { type: "button", textContent: "clear" });
  const sample = make(buttons, "button", { type: "button", textContent: "sample" });

  const middle = make(pad, "div", { className: "nn-middle" });
  make(middle, "div", { textContent: "what the network sees" });
  const seen = make(middle, "canvas", { width: 112, height: 112 });
  const said = make(middle, "p", { className: "nn-said", textContent: "Draw a digit." });
  said.setAttribute("role", "status");
  const rows = bars(make(pad, "div"), model.get("classes"));
  const layers = make(pad, "div", { className: "nn-maps" });

  const context = canvas.getContext("2d", { willReadFrequently: true });
  Object.assign(context, { lineWidth: PEN, lineCap: "round", lineJoin: "round", strokeStyle: "white" });
  let last = null;
  const at = (event) => [event.offsetX, event.offsetY];

  canvas.addEventListener("pointerdown", (event) => {
    if (model.get("truth")) context.clearRect(0, 0, SIDE, SIDE); // a sample is not drawn over
    canvas.setPointerCapture(event.pointerId);
    last = at(event);
    draw(event);
    event.preventDefault();
  });
  canvas.addEventListener("pointermove", draw);
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, send);

  function draw(event) {
    if (!last) return;
    const here = at(event);
    context.beginPath();
    context.moveTo(...last);
    context.lineTo(...here);
    context.stroke();
    last = here;
  }

  function send() {
    if (!last) return;
    last = null;
    model.send("ink", undefined, [ink(canvas)]);
  }

  clear.addEventListener("click", () => {
    for (const each of [canvas, seen]) each.getContext("2d").clearRect(0, 0, SIDE, SIDE);
    for (const { fill, share, row } of rows) {
      fill.style.width = "0";
      share.textContent = "";
      row.classList.remove("nn-best");
    }
    layers.replaceChildren();
    said.textContent = "Draw a digit.";
  });
  sample.addEventListener("click", () => model.send("sample"));

  function answer() {
    const probabilities = model.get("probabilities"), truth = model.get("truth");
    if (!probabilities.length) return;
    paint(seen, model.get("seen"));
    if (truth) paint(canvas, model.get("seen"));
    layers.replaceChildren();
    let first = 0;
    for (const [name, ...shape] of model.get("maps")) {
      make(layers, "div", { textContent: name });
      const channels = make(layers, "canvas");
      channels.setAttribute("role", "img");
      channels.setAttribute("aria-label", `${shape[0]} channels of ${shape[1]} by ${shape[2]}: bright above zero, blue below`);
      first = paintMaps(channels, shape, model.get("channels"), first);
    }
    const best = probabilities.indexOf(Math.max(...probabilities));
    rows.forEach(({ row, fill, share }, i) => {
      fill.style.width = `${100 * probabilities[i]}%`;
      share.textContent = `${(100 * probabilities[i]).toFixed(1)} %`;
      row.classList.toggle("nn-best", i === best);
    });
    said.textContent = `Read as ${model.get("classes")[best]} (${(100 * probabilities[best]).toFixed(0)} %)` +
      (truth ? `; its label is ${truth}.` : ".");
  }

  model.on("change:answers", answer);
  return () => model.off("change:answers", answer);
}

export default { render };
