// What a page does without Python: colours for code, pictures to step through, and boxes that the keyboard can scroll.
const C = "alignas auto bool break case char class const constexpr continue default delete do double else enum extern false " +
  "float for half if inline int long namespace new nullptr return short signed sizeof static struct switch template this " +
  "true typedef typename union unsigned using void volatile while dim3 size_t __global__ __device__ __host__ __shared__ " +
  "__constant__ __restrict__ __launch_bounds__ __forceinline__";
const PYTHON = "and as assert break class continue def del elif else except False finally for from global if import in is " +
  "lambda None nonlocal not or pass raise return True try while with yield";
const STRING = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`;
const tokens = (comment, words) =>
  new RegExp(String.raw`(?<comment>${comment})|(?<string>${STRING})|(?<number>\b\d[\w.]*)|(?<keyword>\b(?:${words.split(" ").join("|")})\b)`, "g");
const LANGUAGES = { cuda: tokens(String.raw`\/\/.*|\/\*[\s\S]*?\*\/|^%%.*|#\s*\w+`, C), python: tokens("#.*", PYTHON) };
const ranges = new WeakMap();  // of each code element: what it has in the highlights

// Colours are highlights over the text, not elements in it, so an editor's text stays one text.
export function colour(code) {
  if (!globalThis.Highlight) return;
  for (const [kind, range] of ranges.get(code) ?? []) CSS.highlights.get(kind).delete(range);
  const found = [];
  const language = LANGUAGES[/^%%cu/.test(code.textContent) ? "cuda" : code.className];
  for (const node of language ? code.childNodes : []) {
    if (node.nodeType !== Node.TEXT_NODE) continue;
    for (const match of node.data.matchAll(language)) {
      const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
      const range = new StaticRange({ startContainer: node, startOffset: match.index,
                                      endContainer: node, endOffset: match.index + match[0].length });
      if (!CSS.highlights.has(kind)) CSS.highlights.set(kind, new Highlight());
      CSS.highlights.get(kind).add(range);
      found.push([kind, range]);
    }
  }
  ranges.set(code, found);
}

// Sliders choose one of the pictures that lie in the page.
document.addEventListener("input", ({ target }) => {
  const stepper = target.closest(".nn-stepper");
  if (!stepper) return;
  let at = 0;
  for (const slider of stepper.querySelectorAll("input")) {
    at = at * (Number(slider.max) + 1) + Number(slider.value);
    slider.nextElementSibling.textContent = slider.dataset.values.split("|")[slider.value];
  }
  [...stepper.children].slice(1).forEach((panel, k) => { panel.hidden = k !== at; });
});

// What can be scrolled sideways can be reached by the keyboard.
export function reachable(box = document) {
  for (const element of box.querySelectorAll("pre, table, math, .outputs > div")) {
    if (element.scrollWidth > element.clientWidth + 1 && !element.querySelector("[contenteditable]")) element.tabIndex = 0;
  }
}

document.querySelectorAll("code").forEach(colour);
reachable();
