const HEIGHT = 690, WIDTH = 1220, SMALLEST = 0.9, COLUMNS = 98;  // COLUMNS: of code that is not shrunk
const ROOM = HEIGHT / SMALLEST;
const GIVE = 0.2;  // by so much a picture may shrink

// Sliders choose one of the pictures that lie in the page.
for (const stepper of document.querySelectorAll('.nn-stepper')) {
  const sliders = [...stepper.querySelectorAll('input')];
  const panels = [...stepper.children].slice(1);
  stepper.addEventListener('input', () => {
    let at = 0;
    for (const slider of sliders) {
      at = at * (Number(slider.max) + 1) + Number(slider.value);
      slider.nextElementSibling.textContent = slider.dataset.values.split('|')[slider.value];
    }
    panels.forEach((panel, i) => { panel.hidden = i !== at; });
  });
  // Only the arrows, Home and End are the slider's; a clicker's PageDown, Space or Esc belong to the presenter.
  stepper.addEventListener('keydown', (event) => {
    if (['PageDown', 'PageUp', ' '].includes(event.key)) event.preventDefault();
  });
  stepper.addEventListener('pointerup', () => document.activeElement?.blur());
}

function forPresenter(event) {
  const slider = document.activeElement?.closest('.nn-stepper');
  if (slider && /^(Arrow|Home|End)/.test(event.key)) return false;
  if (slider) document.activeElement.blur();
  return true;
}

// The answer of a prediction comes with the next step.
for (const folded of document.querySelectorAll('details.nn-answer')) {
  const step = document.createElement('div');
  step.className = 'fragment nn-answer-step';
  step.append(...[...folded.childNodes].slice(1));
  folded.replaceWith(step);
}

const leaves = () => [...document.querySelectorAll('.slides section')].filter((s) => !s.querySelector('section'));
const height = (element) => element.getBoundingClientRect().height;

const sum = (elements) => elements.reduce((total, element) => total + height(element), 0);

// What is too high for one slide goes on on the next, cell by cell; what comes as one step is cells, then.
function divide(section) {
  const box = document.createElement('div');
  box.append(...section.childNodes);
  section.append(box);
  if (height(box) <= ROOM) return;
  for (const step of box.querySelectorAll(':scope > .fragment')) step.replaceWith(...step.childNodes);
  let cells = shown(box), at = fitting(box, cells);
  if (at < cells.length && (few(cells.slice(0, at)) || height(cells[at]) > ROOM)) {
    cut(cells[at], box);
    cells = shown(box);
    at = fitting(box, cells);
  }
  at = Math.max(at, 1);
  while (at > 1 && cells[at - 1].querySelector('h1, h2, h3')) at--;  // no heading at the foot of a slide
  if (at >= cells.length || !at) return;
  const rest = cells.slice(at);
  if (few(rest)) {  // a line or two are no slide: the picture gives way to them, or comes along
    if (height(box) <= ROOM + GIVE * sum([...box.querySelectorAll('img')])) return;
    const seen = cells[at - 1].querySelector('.jp-Cell-outputWrapper');
    if (seen) rest.unshift(seen);
  }
  const next = document.createElement('section');
  next.append(...rest);
  section.after(next);
  divide(next);
}

const shown = (box) => [...box.children].filter((cell) => !cell.matches('aside'));

// How many cells one slide has room for.
function fitting(box, cells) {
  const top = box.getBoundingClientRect().top;
  const at = cells.findIndex((cell) => cell.getBoundingClientRect().bottom - top > ROOM);
  return at < 0 ? cells.length : at;
}

// A cell may end behind its source, or behind one of its outputs: those that find no room become an element of their own.
function cut(cell, box) {
  const outputs = [...cell.querySelectorAll('.jp-OutputArea-child')];
  const at = fitting(box, outputs);
  const late = outputs.slice(few(outputs.slice(at)) ? Math.max(at - 1, 0) : at);
  if (!late.length || late.length === outputs.length && cell.matches('.jp-Cell-outputWrapper')) return;
  const area = late[0].parentElement.cloneNode(false), wrapper = late[0].closest('.jp-Cell-outputWrapper').cloneNode(false);
  area.append(...late);
  wrapper.append(area);
  cell.after(wrapper);
}

// Are these texts only, together of at most two lines?
function few(elements) {
  return !elements.some((element) => element.querySelector('img, .highlight, .nn-predict')) &&
    elements.map((element) => element.innerText.trim()).join(' ').length < 2 * COLUMNS;
}

// Pictures take the room there is; what is still too high is shrunk. `data-zoom` tells a test by how much.
function fit(section) {
  const box = section.firstElementChild;
  for (const image of box.querySelectorAll('img')) {
    const { width, height: own } = image.getBoundingClientRect();
    if (!width || image.closest('[hidden]')) continue;
    const factor = Math.min(WIDTH / width, (HEIGHT - height(box) + own) / own, 2);
    const panels = image.closest('.nn-stepper')?.querySelectorAll('img') ?? [image];
    for (const each of panels) each.style.width = `${(factor > 1 ? factor : Math.max(factor, 1 - GIVE)) * width}px`;
  }
  // Long lines of code get letters as small as code may be, where nothing else makes them smaller.
  for (const pre of box.querySelectorAll('.highlight pre'))
    pre.classList.toggle('long', pre.textContent.split('\n').some((line) => line.length > COLUMNS));
  if (height(box) > HEIGHT) for (const pre of box.querySelectorAll('.long')) pre.classList.remove('long');
  box.classList.toggle('dense', height(box) > HEIGHT);
  let zoom = 1;
  for (let i = 0; i < 12 && height(box) > HEIGHT; i++) {
    zoom *= Math.max(0.8, Math.min(0.97, HEIGHT / height(box)));
    box.style.zoom = zoom;
  }
  section.dataset.zoom = zoom.toFixed(2);
}

// Nothing on a slide that is not shown can be reached by Tab.
function onlyThisSlide() {
  for (const section of leaves()) section.inert = section !== Reveal.getCurrentSlide();
}

(async () => {
  await MathJax.startup.promise;
  await Promise.all([...document.images].map(image => image.decode().catch(() => null)));
  document.body.classList.add('measuring');
  leaves().forEach(divide);
  leaves().forEach(fit);
  document.body.classList.remove('measuring');
  await Reveal.initialize({
    width: 1240, height: 700, margin: 0.04, center: false, hash: true, slideNumber: 'c/t', transition: 'none',
    navigationMode: 'linear',  // otherwise the right arrow leaves out the slides below
    pdfSeparateFragments: false, plugins: [RevealNotes], keyboardCondition: forPresenter,
  });
  if (!location.search.includes('print-pdf')) {
    onlyThisSlide();
    Reveal.on('slidechanged', onlyThisSlide);
  }
  document.documentElement.dataset.ready = '1';
})();
