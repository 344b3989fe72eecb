// A question, its choices as radio buttons, and a button that commits to one of them.
const STYLE = `
.nn-predict-live { border: 2px solid #E69F00; border-radius: 6px; padding: .4em .8em; margin: .4em 0; font-size: 14px; }
.nn-predict-live fieldset { border: 0; margin: 0; padding: 0; }
.nn-predict-live label { display: block; padding: 3px 0; }
.nn-predict-live button { margin: 6px 10px 2px 0; padding: 4px 14px; font-size: 14px; }
.nn-predict-live button[aria-disabled="true"] { opacity: .5; }
`;
let count = 0;

function make(parent, tag, properties = {}) {
  const element = Object.assign(document.createElement(tag), properties);
  parent.append(element);
  return element;
}

function render({ model, el }) {
  const box = make(el, "div", { className: "nn-predict-live" });
  for (const event of ["mousedown", "mouseup"]) box.addEventListener(event, (e) => e.stopPropagation());
  make(box, "style", { textContent: STYLE });
  const fields = make(box, "fieldset");
  const legend = make(fields, "legend");
  make(legend, "b", { textContent: "Predict. " });
  legend.append(model.get("question"));
  const name = `nn-predict-${count++}`;
  const entries = model.get("choices").map((words, index) => {
    const label = make(fields, "label");
    const entry = make(label, "input", { type: "radio", name, value: index });
    label.append(" " + words);
    // The arrow keys belong to the choices; JupyterLab, which asks the focused element, would move to another cell.
    entry.setAttribute("data-lm-suppress-shortcuts", "true");
    // After a click JupyterLab focuses the cell; the arrow keys need the choice.
    entry.addEventListener("click", () => setTimeout(() => entry.focus({ preventScroll: true }), 50));
    return entry;
  });
  const button = make(box, "button", { type: "button", textContent: "Commit" });
  const said = make(box, "span");
  said.setAttribute("role", "status");

  function show() {
    const chosen = model.get("chosen"), committed = chosen >= 0;
    entries.forEach((entry, index) => {
      entry.disabled = committed;
      if (committed) entry.checked = index === chosen;
    });
    button.setAttribute("aria-disabled", committed); // "disabled" would drop the focus, and the keys would go nowhere
    if (committed) said.textContent = `Committed: ${model.get("choices")[chosen]}. Now run the next cells.`;
  }

  button.addEventListener("click", () => {
    if (model.get("chosen") >= 0) return;
    const chosen = entries.findIndex((entry) => entry.checked);
    if (chosen < 0) {
      said.textContent = "Choose one first.";
      return;
    }
    model.set("chosen", chosen);
    model.save_changes();
  });
  model.set("shown", true);
  model.save_changes();
  model.on("change:chosen", show);
  show();
  return () => model.off("change:chosen", show);
}

export default { render };
