// Colours %%cuda and %%cu cells, and .cu files, as CUDA C++ in JupyterLab 4 and JupyterLite; pictures in its dark
// themes; widgets without a mouse. Lesson 01.
//
// JupyterLab loads what stands in share/jupyter/labextensions/nnlib-cuda as a webpack container: an object with init and
// get under window._JUPYTERLAB. This file is one, written by hand: what it needs of JupyterLab and CodeMirror 6 are
// modules that JupyterLab shares with its extensions. So nothing is built, and nothing is fetched.
(() => {
  const MIME = 'text/x-cuda';
  const MAGIC = /^\s*%%cu(da)?(\s|$)/;
  const words = text => new Set(text.split(' '));
  const KEYWORDS = words(
    'alignas alignof asm auto break case class const const_cast constexpr continue decltype default delete do else enum ' +
    'explicit extern false for friend goto if inline mutable namespace new noexcept nullptr operator private protected ' +
    'public register reinterpret_cast restrict return sizeof static static_assert static_cast struct switch template ' +
    'this true typedef typename union using virtual volatile while __global__ __device__ __host__ __shared__ ' +
    '__constant__ __managed__ __restrict__ __launch_bounds__ __forceinline__ __noinline__');
  const TYPES = words('bool char double float half int long short signed unsigned void wchar_t dim3 size_t __half');
  const VECTOR = /^(u?(char|short|int|long|longlong)|float|double|half)[1-4]$|^u?int(8|16|32|64)_t$/;
  // Charts and drawings are dark on white; turned round, each colour keeps its name, but black and white. Shades stay.
  const DARK = `body[data-jp-theme-light="false"] img[style*="background:white"]:not(.nn-shades) {
    filter: invert(0.93) hue-rotate(180deg) brightness(1.25); }
    body[data-jp-theme-light="false"] img.nn-shades { background: none !important; }`;
  const BUILT_IN = words('threadIdx blockIdx blockDim gridDim warpSize');

  // ---- the language: one token after the other; a state is what a later token has to know
  const startState = () => ({ inComment: false, indent: 0, opened: 0, branch: false, hangs: false, base: null });

  function token(stream, state) {
    if (stream.sol()) beginLine(stream, state);
    if (state.inComment || stream.match('/*')) {
      state.inComment = !stream.match(/^.*?\*\//);
      if (state.inComment) stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match('//')) { stream.skipToEnd(); return 'comment'; }
    if (stream.match(/^(%%cu|#\s*\w)/)) { stream.skipToEnd(); return 'meta'; }
    state.hangs = false;
    if (stream.match(/^(u8|[uUL])?"(\\.|[^"\\])*"?/) || stream.match(/^'(\\.|[^'\\])*'?/)) return 'string';
    if (stream.match(/^0[xX][\da-fA-F']+[uUlL]*/) || stream.match(/^(\d[\d']*\.?\d*|\.\d+)([eE][-+]?\d+)?[fFuUlLhH]*/))
      return 'number';
    const word = stream.match(/^[A-Za-z_]\w*/);
    if (word) {
      if (/^(if|for|while|else|do)$/.test(word[0])) state.branch = true;
      state.hangs = state.branch && word[0] === 'else';
      return kindOf(word[0]);
    }
    const sign = stream.next();
    if (sign === '{') state.opened++;
    if (sign === '}') state.opened--;
    state.hangs = state.branch && sign === ')';
    return /[-+*/%=<>!&|^~?:]/.test(sign) ? 'operator' : null;
  }

  function kindOf(word) {
    if (KEYWORDS.has(word)) return 'keyword';
    if (TYPES.has(word) || VECTOR.test(word)) return 'typeName.definition'; // JupyterLab's style has a colour for definitions, none for types
    if (BUILT_IN.has(word)) return 'variableName.standard';
    return 'variableName';
  }

  // ---- indentation: one step after a line that opens a brace, and for the one line below an if, for, while or else
  function beginLine(stream, state) {
    const below = following(state, 4);
    state.base = state.hangs ? state.base ?? state.indent : null;
    state.indent = stream.eol() ? below : stream.indentation();
    state.opened = 0;
    state.hangs = state.branch = false;
  }

  function following(state, unit) {
    if (state.opened > 0 || state.hangs) return state.indent + unit;
    return state.base ?? state.indent;
  }

  function indent(state, textAfter, context) {
    const below = following(state, context.unit);
    return /^\s*\}/.test(textAfter) ? Math.max(0, below - context.unit) : below;
  }

  // ---- JupyterLab: a code cell whose first line is %%cuda gets the language, one that no longer has it gives it back
  function follow(notebook) {
    const seen = new WeakSet();
    const colour = cell => {
      const isCuda = MAGIC.test(cell.sharedModel.getSource());
      if (isCuda) cell.mimeType = MIME;
      else if (cell.mimeType === MIME) cell.mimeType = notebook.codeMimetype;
    };
    const watch = () => {
      for (const cell of notebook.model?.cells ?? []) {
        if (cell.type !== 'code' || seen.has(cell)) continue;
        seen.add(cell);
        cell.contentChanged.connect(colour);
        cell.mimeTypeChanged.connect(colour); // the kernel's answer makes all cells Python
        colour(cell);
      }
    };
    const begin = () => { watch(); notebook.model?.cells.changed.connect(watch); };
    notebook.modelChanged.connect(begin);
    begin();
  }

  // ---- widgets: the one that gets the focus has a name to be read aloud, and the keys of a menu are its own
  const BUTTONS = { play: 'play or pause', pause: 'play or pause', stop: 'stop', retweet: 'repeat' };

  function focused({ target }) {
    if (!target.closest('.jp-OutputArea')) return;
    if (target.matches('select')) target.setAttribute('data-lm-suppress-shortcuts', 'true'); // else letters edit the notebook
    if (target.matches('.noUi-handle')) {
      const row = target.closest('.widget-inline-hbox');
      target.ariaLabel = row.querySelector('.widget-label').textContent;
      row.querySelector('.widget-readout').setAttribute('role', 'status'); // the handle says a number of its own
    }
    const icon = target.closest('.widget-play') && target.querySelector('i')?.className.match(/fa-(\w+)/)?.[1];
    if (icon in BUTTONS) target.ariaLabel = BUTTONS[icon];
  }

  let shared; // name of a module -> its versions, as webpack shares them

  async function load(name) {
    const newest = Object.keys(shared[name]).sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
    return (await shared[name][newest].get())();
  }

  async function plugin() {
    const [{ IEditorLanguageRegistry }, { INotebookTracker }, { LanguageSupport, StreamLanguage }] =
      await Promise.all(['@jupyterlab/codemirror', '@jupyterlab/notebook', '@codemirror/language'].map(load));
    const languageData = { commentTokens: { line: '//', block: { open: '/*', close: '*/' } }, indentOnInput: /^\s*\}$/ };
    const cuda = () => new LanguageSupport(
      StreamLanguage.define({ name: 'cuda', startState, token, indent, languageData }));
    return {
      id: 'nnlib-cuda:cells',
      autoStart: true,
      requires: [IEditorLanguageRegistry],
      optional: [INotebookTracker],
      activate: (app, languages, notebooks) => {
        document.addEventListener('focusin', focused);
        document.head.append(Object.assign(document.createElement('style'), { textContent: DARK }));
        languages.addLanguage({
          name: 'CUDA', mime: MIME, extensions: ['cu', 'cuh'], load: async () => cuda(),
        });
        notebooks?.forEach(panel => follow(panel.content));
        notebooks?.widgetAdded.connect((_, panel) => follow(panel.content));
      },
    };
  }

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB['nnlib-cuda'] = {
    init: scope => { shared = scope; },
    get: async () => { const found = await plugin(); return () => ({ default: found, __esModule: true }); },
  };
})();
