// The widgets that lessons use, drawn without Jupyter: anywidget's, and of ipywidgets boxes, text and simple controls.
const models = new Map();

// Of a widget in Python: its state, and who wants to hear of changes.
class Model {
  constructor(id, send) { Object.assign(this, { id, send, state: {}, changed: {}, listeners: [] }); }
  get(key) { return this.state[key]; }
  set(key, value) { this.state[key] = this.changed[key] = value; }
  save_changes() {
    if (Object.keys(this.changed).length) this.send({ method: "update", state: this.changed, buffer_paths: [] });
    this.changed = {};
  }
  on(event, act) { this.listeners.push([event, act]); }
  off(event, act) { this.listeners = this.listeners.filter(([name, known]) => name !== event || (act && known !== act)); }
  tell(event, ...values) { for (const [name, act] of [...this.listeners]) if (name === event) act(...values); }
  update(state) {
    Object.assign(this.state, state);
    for (const key of Object.keys(state)) this.tell(`change:${key}`, state[key]);
    this.tell("change");
  }
}

function withBuffers({ state, buffer_paths = [] }, buffers) {
  buffer_paths.forEach((path, k) => {
    const owner = path.slice(0, -1).reduce((part, key) => part[key], state);
    owner[path.at(-1)] = new DataView(buffers[k].buffer, buffers[k].byteOffset, buffers[k].byteLength);
  });
  return state;
}

// A message of Python about a widget. send: takes what goes back.
export function hear({ id, type, data, buffers }, send) {
  if (type === "comm_open") models.set(id, new Model(id, (data, buffers = []) => send({ id, data, buffers })));
  const model = models.get(id);
  if (type === "comm_close" || !model) return models.delete(id);
  if (data.state) model.update(withBuffers(data, buffers));
  if (data.method === "custom") model.tell("msg:custom", data.content, buffers);
}

function make(parent, tag, properties = {}) {
  const element = Object.assign(document.createElement(tag), properties);
  parent.append(element);
  return element;
}

async function own(model, el) {
  const address = URL.createObjectURL(new Blob([model.get("_esm")], { type: "text/javascript" }));
  const { default: widget } = await import(address);
  const sends = model.send;
  // anywidget's send is for messages of the author's own; changes of the state go with save_changes.
  const face = Object.create(model, {
    send: { value: (content, _, buffers = []) => sends({ method: "custom", content },
      buffers.map((each) => new Uint8Array(each.buffer ?? each))) },
    save_changes: { value: () => model.save_changes() },
  });
  await (widget.render ?? (() => {}))({ model: face, el });
}

function box(model, el, kind) {
  const row = make(el, "div", { className: `widget-${kind}` });
  const fill = () => {
    row.replaceChildren();
    for (const child of model.get("children")) show(child.replace("IPY_MODEL_", ""), row);
  };
  model.on("change:children", fill);
  fill();
}

function control(model, el, tag, properties, event, read) {
  const label = make(el, "label", { textContent: model.get("description") });
  const entry = make(label, tag, properties);
  entry.addEventListener(event, () => { read(entry); model.save_changes(); });
  return entry;
}

const views = {
  AnyModel: own,
  VBoxModel: (model, el) => box(model, el, "column"),
  HBoxModel: (model, el) => box(model, el, "row"),
  HTMLModel(model, el) {
    const text = make(el, "div");
    const fill = () => { text.innerHTML = model.get("value"); };
    model.on("change:value", fill);
    fill();
  },
  ButtonModel(model, el) {
    make(el, "button", { type: "button", textContent: model.get("description"), title: model.get("tooltip") ?? "",
      onclick: () => model.send({ method: "custom", content: { event: "click" } }) });
  },
  DropdownModel(model, el) {
    const entry = control(model, el, "select", {}, "change", ({ selectedIndex }) => model.set("index", selectedIndex));
    for (const words of model.get("_options_labels")) make(entry, "option", { textContent: words });
    entry.selectedIndex = model.get("index") ?? 0;
  },
  BoundedIntTextModel(model, el) {
    control(model, el, "input", { type: "number", min: model.get("min"), max: model.get("max"), value: model.get("value") },
      "change", ({ value }) => model.set("value", Number(value)));
  },
  TextModel(model, el) {
    control(model, el, "input", { type: "text", value: model.get("value"), spellcheck: false },
      "change", ({ value }) => model.set("value", value));
  },
};

// Draw a widget; false where this page does not know its kind.
export function show(id, el) {
  const model = models.get(id), view = views[model?.get("_model_name")];
  if (!view) return false;
  const place = make(el, "div");
  const layout = models.get(model.get("layout")?.replace("IPY_MODEL_", ""));
  const arrange = () => { place.hidden = layout.get("display") === "none"; };
  if (layout) {
    layout.on("change:display", arrange);
    arrange();
  }
  view(model, place);
  return true;
}
