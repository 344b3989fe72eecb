// A slide, in pixels
const HEIGHT = 684, WIDTH = 1208;
const TITLE = 48;
const SMALLEST = 0.9;  // of its size: what is too high is shrunk to that, and no further
const ROOM = HEIGHT / SMALLEST;
const FLAT = 0.5 * HEIGHT;  // a picture that is lower, as wide as a slide, leaves room for words
const CRAMPED = 0.75;  // of its size alone on a slide: a picture that would be smaller below words is alone
const LABEL = 20.4;  // letters of drawings: 20 on a screen of 720
const LETTERS = 27;  // letters of code where there is room
const LARGEST = 1.6;  // how much words are enlarged at most

// Code, in columns
const COLUMNS = 98;  // is not shrunk
const EDGE = 9;  // beside enlarged code
const LONGEST = 104;  // a line that lets the words beside it grow
const SMALL = 109, NARROW = 122;  // small code, and small code that is set tight
const WIDE = 0.602;  // a letter, in em

// What fits on a slide, in words
const WORDS = 82;  // beside its title
const PIECE = 76;  // a table or list that is not divided
const CELL = 0.6;  // a word of a table, which is looked up rather than read
const LINE = 2;  // a line of code
const CAPTION = 24, ABOVE = 48;  // below and above a picture
const FIRST = 40;  // do not make a first step of their own

// And in lines
const PRINTED = 8;  // output that stays with its code
const LISTING = 20;  // code and its output that stay together
const FEW = 5;  // of both that stay with whatever is above them
const QUIET = 10;  // code that only prepares what the next slide shows

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

// A slide scrolls where an opened hint needs more than it has.
document.addEventListener('toggle', ({ target }) => {
  const section = target.closest('.slides section');
  if (!section) return;
  const open = section.querySelector('details[open]') !== null, zoom = Number(section.dataset.zoom);
  section.classList.toggle('nn-open', open);
  const box = section.querySelector(':scope > div');
  enlarge(box, zoom);
  for (let less = zoom; open && less > 1 && height(box) / Reveal.getScale() > HEIGHT - TITLE; less *= 0.95) enlarge(box, Math.max(1, less * 0.95));
  if (target.open) target.scrollIntoView({ block: 'nearest' });
}, true);

// The answer of a prediction comes with the next step.
for (const folded of document.querySelectorAll('details.nn-answer')) {
  const step = document.createElement('div');
  step.className = 'fragment nn-answer-step';
  step.append(...[...folded.childNodes].slice(1));
  folded.replaceWith(step);
}

// An answer begins with the right choice, in bold; a reason with the choice that it refutes, in quotation marks.
const choices = [...document.querySelectorAll('.nn-predict li')].map((choice) => choice.textContent.trim()).sort((a, b) => b.length - a.length);
for (const right of document.querySelectorAll('.nn-answer-step > p')) {
  const words = right.textContent, [end] = /^( \([^)]* to be exact\))?\. /.exec(words.slice(choices.find((one) => words.startsWith(one))?.length)) ?? [];
  if (!end) continue;
  const bold = document.createElement('b');
  bold.textContent = words.slice(0, words.indexOf(end) + end.length - 2);
  right.replaceChildren(bold, `: ${words.slice(words.indexOf(end) + end.length)}`);
}
for (const reason of document.querySelectorAll('.nn-answer-step li')) {
  const refuted = choices.find((choice) => reason.textContent.startsWith(`not ${choice}:`));
  if (refuted) reason.textContent = `not “${refuted}”${reason.textContent.slice(4 + refuted.length)}`;
}

const leaves = () => [...document.querySelectorAll('.slides section')].filter((s) => !s.querySelector('section'));
const height = (element) => element.getBoundingClientRect().height;
const isHeading = (element) => /^H[1-3]$/.test(element.tagName);
const PICTURE = 'img, svg:not(mjx-container svg), .nn-stepper';
const hasPicture = (element) => element.matches(PICTURE) || element.querySelector(PICTURE) !== null;

// ---- a section becomes slides: its cells are taken apart into units, and units are dealt out again

// What it costs a slide: the words that are read, the lines of code and of output.
function unit(element) {
  const seen = document.createElement('div');
  seen.append(element.cloneNode(true));
  for (const gone of seen.querySelectorAll('pre, img, svg, style, [hidden], .nn-first, .nn-controls')) gone.remove();
  for (const folded of seen.querySelectorAll('details')) folded.replaceChildren(folded.querySelector('summary'));
  const words = weighed(seen);
  const lines = linesOf(element);
  const heading = isHeading(element), announces = element.matches('p') && !/[.!?)…]$/.test(element.textContent.trim());
  return { words, lines, weight: words + LINE * lines, picture: hasPicture(element), heading, opens: heading || announces,
           code: element.matches('.code'), quiet: element.matches('.code') && lines <= QUIET && !/__global__|\.\.\.|about \d+ lines/.test(element.textContent),
           starter: element.matches('.code') && /about \d+ lines/.test(element.textContent), hint: element.matches('details'), prints: lines > 0 && element.matches('.jp-OutputArea-child'),
           asks: element.querySelectorAll('.nn-predict').length, answers: element.querySelector('.nn-first') !== null, others: element.querySelector('.nn-others') !== null };
}

const linesOf = (element) =>
  [...element.querySelectorAll('pre')].reduce((sum, pre) => sum + pre.textContent.trim().split('\n').length, 0);
const wordsOf = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
const weighed = (element) =>
  wordsOf(element.textContent) - (1 - CELL) * [...element.querySelectorAll('td, th')].reduce((sum, cell) => sum + wordsOf(cell.textContent), 0);

// The element, and around it its ancestors below the box, without their other children.
function lifted(element, box) {
  let whole = element;
  for (let above = element.parentElement; above && above !== box; above = above.parentElement) {
    const shell = above.cloneNode(false);
    shell.removeAttribute('id');
    shell.append(whole);
    whole = shell;
  }
  return whole;
}

// Parts of a cell that a slide may end behind.
function* parts(box) {
  for (const cell of box.querySelectorAll('.jp-Cell')) {
    if (cell.closest('aside')) continue;
    for (const block of cell.querySelectorAll('.jp-RenderedMarkdown')) {
      if (!block.closest('.jp-OutputArea')) for (const child of [...block.children]) yield* pieces(child);
    }
    for (const answer of cell.querySelectorAll('.nn-answer-step')) shorten(answer);
    for (const part of cell.querySelectorAll('.code, .jp-OutputArea-child')) yield* shown(part);
  }
}

// An output that has both a picture and a long text goes on several slides: the picture would be tiny beside it.
function shown(output) {
  if (!hasPicture(output) || linesOf(output) <= PRINTED) return [output];
  let box = output;
  while (box.children.length === 1) [box] = box.children;
  return [...box.children];
}

// What is to be said about the wrong choices may go to the next slide.
function shorten(answer) {
  const output = answer.closest('.jp-OutputArea-child'), others = answer.querySelector('ul');
  if (!others) return;
  const next = output.cloneNode(false), step = document.createElement('div');
  step.className = 'nn-answer-step nn-others';
  step.append(others);
  next.append(step);
  output.after(next);
}

let divisions = 0;

// A list or a table with more words than a slide may have is divided between its rows, into parts of about the same length.
function pieces(block) {
  const rows = [...block.querySelectorAll(':scope > li, :scope > tbody > tr')];
  const head = weighed(block) - rows.reduce((sum, row) => sum + weighed(row), 0);
  const grouped = (most) => {
    const groups = [];
    let words = 0, high = 0;
    rows.forEach((row, at) => {
      words += weighed(row);
      high += height(row);
      if (groups.length && words <= most && high <= 0.7 * ROOM) return groups.at(-1).push(at);
      groups.push([at]);
      words = head + weighed(row);
      high = height(row);
    });
    return groups;
  };
  let groups = grouped(PIECE);
  for (let most = PIECE - 4; most > PIECE / 2; most -= 4) {
    const even = grouped(most);
    if (even.length === groups.length) groups = even;
  }
  if (groups.length < 2) return [block];
  const whole = `${divisions++}`;
  const divided = groups.map((group) => {
    const part = block.cloneNode(true);
    part.dataset.part = whole;
    part.querySelectorAll(':scope > li, :scope > tbody > tr').forEach((row, at) => { if (!group.includes(at)) row.remove(); });
    if (part.matches('ol')) part.start = group[0] + 1;
    return part;
  });
  block.replaceWith(...divided);
  return divided;
}

// The units of a slide as the author has it, which begins with a `step`.
function units(leaf) {
  const found = [];
  for (const element of inOrder([...parts(leaf)])) {
    if (!hasPicture(element) && !/[^\s\u200b]/.test(element.textContent) && !element.querySelector('input')) continue;
    found.push({ ...unit(element), elements: [lifted(element, leaf)] });
  }
  if (found.length) Object.assign(found[0], { step: true, notes: [...leaf.querySelectorAll('aside')] });
  return joined(found);
}

const inOrder = (elements) => elements.sort((a, b) => a.compareDocumentPosition(b) & 4 ? -1 : 1);

// A heading stays with what follows it, a sentence that announces something with that, code with what it prints, and
// hints with each other.
function joined(found) {
  const out = [];
  for (const each of found) {
    const before = out.at(-1);
    const announced = before?.opens && !(each.picture && before.words > ABOVE) && before.weight + each.weight <= WORDS;
    if (before && (announced || before.code && each.prints && (each.lines <= PRINTED || before.lines + each.lines <= LISTING) || before.hint && each.hint)) {
      before.elements.push(...each.elements);
      for (const sum of ['words', 'weight', 'lines', 'asks']) before[sum] += each[sum];
      for (const any of ['picture', 'answers']) before[any] ||= each[any];
      before.notes = [...before.notes ?? [], ...each.notes ?? []];
      Object.assign(before, { opens: each.opens, code: each.code, quiet: each.quiet && !before.words });
    } else out.push(each);
  }
  return out;
}

// Slides of at most so much; a picture has its own, with what is said above it if that is short, and a caption below.
// A flat picture stands among words, but neither with code nor below a question that it answers.
function packed(found, share) {
  const slides = [];
  let open = null, waiting = 0;  // for an answer: questions
  const begin = () => slides.push(open = { units: [], weight: 0, height: TITLE, picture: false, asks: false });
  const add = (each) => {
    open.units.push(each);
    open.weight += each.weight;
    open.height += each.height;
    for (const any of ['picture', 'flat', 'asks']) open[any] ||= each[any];
    open.answered ||= each.answers || each.others;
  };
  const introduces = (unit) => 0 < unit.words && unit.words <= CAPTION && unit.weight === unit.words
    && !['heading', 'asks', 'answers', 'others', 'picture', 'hint'].some((kind) => unit[kind]);
  for (const each of found) {
    const short = each.words <= CAPTION && each.weight === each.words && !each.heading;
    const most = each.hint ? 1 : share;  // hints stay with their task
    const line = (each.code || each.prints) && !each.words && each.lines <= FEW;  // it would be alone
    const fits = open && open.height + each.height <= ROOM, prepared = open?.units.every((unit) => unit.quiet);
    const below = each.quiet && open?.asks && !open.picture && fits;  // what a cell prepares stands with the question before it
    const full = open && !((line || prepared) && fits)
      && (open.weight + each.weight > most * WORDS || open.height + each.height > most * ROOM);
    const above = open?.units.every((unit) => unit.weight === unit.words && !unit.asks) && open.weight <= ABOVE;
    const read = !each.asks && each.weight === each.words;
    const apart = each.flat ? full || open?.picture || open?.units.some((unit) => unit.lines || unit.asks)
      : each.picture ? open?.weight > 0 && (!above || open.height + CRAMPED * each.full > HEIGHT) || open?.picture
      : open?.flat ? full || !read
      : open?.picture ? !short || open.weight + each.weight > CAPTION : full;
    const answersAnother = each.answers && waiting > 1 && open?.asks;
    waiting += each.asks - each.answers;
    const another = each.asks && open?.answered || each.heading && open?.units.some((unit) => unit.lines);
    const solves = open?.units.some((unit) => unit.starter) && !each.hint && !each.prints;  // what comes next shows how it is done
    const steps = each.step && (each.heading || open?.asks || open?.picture && !open.flat);
    if (!open || !below && (apart || another || solves || answersAnother || steps || open.asks && !each.answers && !each.others && open.units.some((unit) => unit.quiet))) {
      const said = each.picture && open?.picture === false && open.units.length > 1 && introduces(open.units.at(-1)) && open.units.pop();  // goes with its picture
      begin();
      if (said) add(said);
    }
    add(each);
  }
  // What only prepares the answer, and found no room below its question, is left out.
  return slides.map((slide) => slide.units).filter((each, at, all) =>
    !(all[at - 1]?.some((unit) => unit.asks) && each.every((unit) => unit.quiet && unit.lines <= FEW && !unit.notes?.length)));
}

// Of questions in a row that are answered in a row, each has its answer below it.
function paired(found) {
  const first = found.findIndex((unit, at) => unit.asks && found[at + 1]?.asks);
  let end = first, after = first;
  while (found[end]?.asks) end++;
  for (after = end; found[after]?.answers || found[after]?.others; after++);
  const answers = found.slice(end, after), at = answers.flatMap((unit, at) => unit.answers ? [at] : []);
  if (first < 0 || at.length !== end - first) return found;
  const pairs = at.flatMap((begin, k) => [found[first + k], ...answers.slice(begin, at[k + 1])]);
  return [...found.slice(0, first), ...pairs, ...found.slice(after)];
}

// As many slides as needed, with as much on each as on any other.
function dealt(found) {
  let best = packed(found, 1);
  for (let share = 0.95; share > 0.45; share -= 0.05) {
    const even = packed(found, share);
    if (even.length === best.length) best = even;
  }
  return best;
}

function divide(stack) {
  const found = paired([...stack.children].flatMap(units));
  const box = document.createElement('div'), holder = document.createElement('section');
  holder.append(box);
  stack.replaceChildren(holder);
  for (const each of found) {  // as high as they are on a slide
    box.replaceChildren(...each.elements);
    each.height = height(box);
    const images = [...box.querySelectorAll('img')].filter(height);
    const grown = images.reduce((sum, image) => sum + height(image) * (WIDTH / image.getBoundingClientRect().width - 1), 0);
    each.flat = images.length === 1 && height(images[0]) + grown < FLAT;
    if (each.flat) each.height += grown;
    each.full = Math.min(HEIGHT - TITLE, height(box) + grown);
  }
  stack.replaceChildren(...dealt(found).map(slideOf));
}

// Parts of one list or table that are on the same slide after all are one again.
function rejoin(content) {
  for (const element of [...content.children]) {
    const part = element.querySelector('[data-part]');
    const before = part && content.querySelector(`[data-part="${part.dataset.part}"]`);
    if (!part || before === part) continue;
    (before.tBodies?.[0] ?? before).append(...part.querySelectorAll(':scope > li, :scope > tbody > tr'));
    element.remove();
  }
}

function slideOf(units) {
  const slide = document.createElement('section'), content = document.createElement('div');
  content.append(...units.flatMap((each) => each.elements));
  rejoin(content);
  const first = content.firstElementChild;  // the slide itself is its step
  const answers = content.querySelector('.nn-predict') ? [] : content.querySelectorAll('.nn-answer-step');  // which nobody could guess here
  for (const step of [first, ...first.querySelectorAll('.fragment'), ...answers]) step.classList.remove('fragment');
  for (const others of content.querySelectorAll('.nn-others')) {
    const answer = [...content.querySelectorAll('.nn-answer-step:not(.nn-others)')].findLast((one) => one.compareDocumentPosition(others) & 4);
    if (answer) {
      answer.append(...others.childNodes);
      [...content.children].find((child) => child.contains(others)).remove();
    } else others.insertAdjacentHTML('afterbegin', '<p>The other choices:</p>');
  }
  // A step that shows nothing but another step is none.
  for (const step of content.querySelectorAll('.fragment:has(.fragment)')) {
    const rest = step.cloneNode(true);
    for (const unseen of rest.querySelectorAll('.fragment, .nn-first, style')) unseen.remove();
    if (!hasPicture(rest) && !/[^\s\u200b]/.test(rest.textContent)) step.classList.remove('fragment');
  }
  // A slide does not begin with a line or two alone.
  const later = content.querySelector('.fragment'), range = document.createRange();
  if (later && !content.querySelector('.nn-predict')) {
    range.setStart(content, 0);
    range.setEndBefore(later);
    const begun = document.createElement('div');
    begun.append(range.cloneContents());
    if (!begun.querySelector('pre, details') && !hasPicture(begun) && wordsOf(begun.textContent) <= FIRST) later.classList.remove('fragment');
  }
  slide.append(content);
  const notes = units.flatMap((each) => each.notes ?? []);
  if (notes.length) {
    const aside = notes[0].cloneNode(false);
    aside.append(...notes.flatMap((note) => [...note.childNodes]));
    slide.append(aside);
  }
  return slide;
}

// Every slide says which section it belongs to.
function entitle() {
  let title = '', slides = [];
  for (const section of leaves()) {
    const own = section.querySelector('h1, h2'), heads = section.querySelectorAll('h1, h2, h3');
    if (own) {
      annotate(slides);
      slides = [];
    } else if (title && !opensWith(section, heads[0])) {
      const line = document.createElement('p');
      line.className = 'nn-section';
      line.textContent = title;
      section.prepend(line);
    }
    if (heads.length) title = [...heads].at(-1).firstChild?.textContent.trim() ?? '';
    slides.push(section);
  }
  annotate(slides);
}

// Does nothing that is read stand above this heading?
function opensWith(section, heading) {
  const words = heading && section.innerText.trim(), own = heading?.innerText.trim();
  return Boolean(own) && words.startsWith(own);
}

// A section's first slide has its notes. What is asked on a slide or folded away is answered in the notes; all others say where the notes are.
function annotate(slides) {
  const noteOf = (section) => section.querySelector(':scope > aside'), all = leaves();
  const noted = slides.find(noteOf);
  if (noted) slides[0].append(noteOf(noted));
  let last = slides[0];
  for (const section of slides) {
    const lines = answersTo(section).map((answer) => `Answer: ${answer}`);
    if (noteOf(section)) last = section;
    else if (noted) lines.push(`Notes: slide ${all.indexOf(last) + 1}.`);
    if (!lines.length) continue;
    const aside = noteOf(section) ?? section.appendChild(document.createElement('aside'));
    aside.className = 'notes';
    for (const line of lines) aside.append(Object.assign(document.createElement('p'), { textContent: line }));
  }
}

// What a slide does not show at once: answers of its questions, and those that are folded away.
function answersTo(section) {
  const folded = [...section.querySelectorAll('details')].filter((one) => one.firstElementChild.textContent === 'Answer');
  const answers = [...document.querySelectorAll('.nn-answer-step:not(.nn-others) > p')];
  return [...section.querySelectorAll('.nn-predict')].flatMap((question) => {
    const offered = [...question.querySelectorAll('li')].map((choice) => choice.textContent.trim());
    return answers.find((one) => question.compareDocumentPosition(one) & 4 && offered.some((choice) => one.textContent.startsWith(choice)))?.textContent ?? [];
  }).concat(folded.map((one) => one.textContent.trim().slice('Answer'.length).trim()));
}

// Pictures take the room there is; what is still too high is shrunk. `data-zoom` tells a test by how much.
function fit(section) {
  const box = section.querySelector(':scope > div');
  const room = HEIGHT - (section.querySelector(':scope > .nn-section') ? TITLE : 0);
  for (const image of box.querySelectorAll('img')) {
    const { width, height: own } = image.getBoundingClientRect();
    if (!width || image.closest('[hidden]')) continue;
    const factor = Math.min(WIDTH / width, Math.max(0.2, (room - height(box) + own) / own));
    const panels = image.closest('.nn-stepper')?.querySelectorAll('img') ?? [image];
    for (const each of panels) {
      each.style.width = `${factor * width}px`;
      enlargeLabels(each, factor * width);
    }
  }
  // Long lines get letters as small as code may be, where nothing else makes them smaller, and stand closer rather than wrap.
  for (const pre of box.querySelectorAll('pre')) {
    const columns = columnsOf([pre]);
    pre.classList.toggle('long', columns > COLUMNS);
    if (columns > SMALL && columns <= NARROW) pre.style.letterSpacing = `${WIDE * (SMALL / columns - 1)}em`;
  }
  box.classList.toggle('dense', height(box) > room);
  if (height(box) > room) for (const pre of box.querySelectorAll('.long')) pre.classList.remove('long');
  let zoom = larger(box);
  enlarge(box, zoom);
  for (let i = 0; i < 12 && height(box) > room; i++) {
    zoom *= Math.max(0.8, Math.min(0.97, room / height(box)));
    enlarge(box, zoom);
  }
  grow(box, zoom, room);
  section.dataset.zoom = zoom.toFixed(2);
  const free = (room - height(box)) / zoom;
  const head = box.children.length > 1 && box.firstElementChild.querySelector('h1, h2, h3');
  if (free > 0) (head ? box.firstElementChild : box).style[head ? 'marginBottom' : 'marginTop'] = `${0.4 * free}px`;
}

const columnsOf = (listings) => Math.max(0, ...[...listings].flatMap((pre) => pre.textContent.split('\n').map((line) => line.length)));

// Few words get larger letters. Letters of twice the size need four times the room.
function larger(box) {
  if (columnsOf(box.querySelectorAll('pre')) > LONGEST) return 1;
  if ([...box.querySelectorAll('img')].some((image) => height(image) > 0)) return 1;
  return Math.max(1, Math.min(LARGEST, Math.sqrt(0.75 * HEIGHT / height(box))));
}

// Code grows only as long as none of its lines has to wrap, and is smaller beside larger words rather than wrap.
function enlarge(box, zoom) {
  box.style.zoom = zoom;
  const most = COLUMNS / (columnsOf(box.querySelectorAll('pre')) + EDGE);
  for (const pre of box.querySelectorAll('pre')) {
    pre.style.fontSize = '';
    if (1 < zoom && most < zoom) pre.style.fontSize = `${Math.max(18, 20 * most) / zoom}px`;
  }
}

// Code takes the room that is left.
function grow(box, zoom, room) {
  const listings = [...box.querySelectorAll('pre')].filter(height), dense = box.classList.contains('dense');
  const sizes = listings.map((pre) => zoom * parseFloat(getComputedStyle(pre).fontSize)), before = Math.min(...sizes);
  for (let size = Math.min(LETTERS, 20 * COLUMNS / (columnsOf(listings) + 3)); size > before; size -= 0.5) {
    listings.forEach((pre, at) => { pre.style.fontSize = `${Math.max(size, sizes[at]) / zoom}px`; });
    box.classList.toggle('dense', dense);
    box.classList.toggle('dense', dense || height(box) > room);
    if (height(box) <= room) return;
  }
  listings.forEach((pre, at) => { pre.style.fontSize = `${sizes[at] / zoom}px`; });
  box.classList.toggle('dense', dense);
}

// ---- labels of drawings, readable from the last row
const SVG_IMAGE = 'data:image/svg+xml;base64,';

function enlargeLabels(image, width) {
  if (!image.src.startsWith(SVG_IMAGE)) return;
  const bytes = Uint8Array.from(atob(image.src.slice(SVG_IMAGE.length)), (letter) => letter.charCodeAt(0));
  const svg = new DOMParser().parseFromString(new TextDecoder().decode(bytes), 'image/svg+xml').documentElement;
  const least = LABEL * Number(svg.getAttribute('width')) / width;
  const small = [...svg.querySelectorAll('text')].filter((text) => Number(text.getAttribute('font-size')) < least);
  image.dataset.label = LABEL;
  if (!small.length) return;
  document.body.append(svg);
  const texts = [...svg.querySelectorAll('text')];
  const boxes = [...svg.querySelectorAll('rect')].map((rect) => rect.getBBox()).filter((box) => box.width < 0.9 * width);
  const upright = [...svg.querySelectorAll('line')].map((line) => line.getBBox()).filter((box) => box.width < 2);
  const before = new Map(texts.map((text) => [text, text.getBBox()]));
  for (const text of small) text.setAttribute('font-size', least.toFixed(2));
  for (const text of small) squeeze(text, before, [...boxes, ...upright], Number(svg.getAttribute('width')));
  separate(texts, new Set(small), boxes);
  svg.remove();
  const encoded = new TextEncoder().encode(new XMLSerializer().serializeToString(svg));
  image.src = SVG_IMAGE + btoa(Array.from(encoded, (byte) => String.fromCharCode(byte)).join(''));
}

// Enlarged labels that stand below each other move apart where their letters would touch; in a box there is no room for what hangs below a line.
function separate(texts, small, boxes) {
  const ink = (text) => {
    const { x, width } = text.getBBox(), base = Number(text.getAttribute('y')), size = Number(text.getAttribute('font-size'));
    const boxed = boxes.some((box) => box.x <= x && x + width <= box.x + box.width && box.y < base && base < box.y + box.height);
    return { left: x, right: x + width, top: base - 0.74 * size, base: base + (boxed ? 0 : 0.2 * size) };
  };
  for (const upper of texts) for (const lower of texts) {
    const a = ink(upper), b = ink(lower);
    if (a.base >= b.base || a.right <= b.left || b.right <= a.left || !(small.has(upper) || small.has(lower))) continue;
    const touch = a.base + 1 - b.top;
    if (touch <= 0) continue;
    for (const [text, by] of [[upper, -touch / 2], [lower, touch / 2]]) text.setAttribute('y', Number(text.getAttribute('y')) + by);
  }
}

// An enlarged label becomes narrower rather than meet its neighbour, a box beside or around it, or the edge.
function squeeze(text, before, boxes, wide) {
  const own = text.getBBox(), was = before.get(text), middle = was.x + was.width / 2;
  const anchor = text.getAttribute('text-anchor') ?? 'start';
  let left = 0, right = wide;
  const gap = own.height / 5;  // half of what stays between neighbours
  const level = (box) => box.y < was.y + was.height - 2 && box.y + box.height > was.y + 2;
  for (const box of boxes.filter(level)) {
    if (box.x <= middle && middle <= box.x + box.width)
      [left, right] = [Math.max(left, box.x + gap / 2), Math.min(right, box.x + box.width - gap / 2)];
    else if (box.x > middle) right = Math.min(right, box.x - gap);
    else left = Math.max(left, box.x + box.width + gap);
  }
  for (const [other, box] of before) {
    if (other === text || !level(box)) continue;
    if (box.x + box.width / 2 < middle) left = Math.max(left, (box.x + box.width + was.x) / 2 + gap);
    else right = Math.min(right, (box.x + was.x + was.width) / 2 - gap);
  }
  const free = anchor === 'start' ? right - was.x : anchor === 'end' ? was.x + was.width - left
    : 2 * Math.min(middle - left, right - middle);
  if (own.width > free) {
    text.setAttribute('textLength', Math.max(free, was.width).toFixed(1));
    text.setAttribute('lengthAdjust', 'spacingAndGlyphs');
  }
}

// A map on a white ground turns dark as charts do; photographs, whose ground is the slide, keep their shades.
function shade(image) {
  const canvas = document.createElement('canvas'), paper = canvas.getContext('2d');
  canvas.width = canvas.height = 1;
  paper.drawImage(image, 0, 0);
  if (Math.min(...paper.getImageData(0, 0, 1, 1).data) === 255) image.classList.remove('nn-shades');
}

// Nothing on a slide that is not shown can be reached by Tab.
function onlyThisSlide() {
  for (const section of leaves()) section.inert = section !== Reveal.getCurrentSlide();
}

(async () => {
  const printed = location.search.includes('print-pdf');
  const waiting = printed && setInterval(() => 0, 1);  // Chromium prints as soon as no timer runs
  await MathJax.startup.promise;
  await Promise.all([...document.images].map(image => image.decode().catch(() => null)));
  document.querySelectorAll('img.nn-shades').forEach(shade);
  document.body.classList.add('measuring');
  document.querySelectorAll('.slides > section').forEach(divide);
  entitle();
  leaves().forEach(fit);
  document.body.classList.remove('measuring');
  if (printed) for (const step of document.querySelectorAll('.fragment')) {  // what follows a question gets a page of its own, all else none
    const question = step.closest('section').querySelector('.nn-predict');
    if (!question || !(question.compareDocumentPosition(step) & 4)) step.classList.remove('fragment');
  }
  if (printed) Reveal.on('pdf-ready', () => {
    // reveal.js hides all slides but the present one from screen readers, and what is hidden has no tags.
    for (const slide of document.querySelectorAll('.slides section'))
      for (const name of ['aria-hidden', 'hidden']) slide.removeAttribute(name);
    clearInterval(waiting);
  });
  await Reveal.initialize({
    width: 1240, height: 700, margin: 0, center: false, hash: true, slideNumber: 'c/t', controls: false, transition: 'none',
    navigationMode: 'linear',  // otherwise the right arrow leaves out the slides below
    plugins: [RevealNotes], keyboardCondition: forPresenter,
  });
  document.body.tabIndex = 0;  // on a phone, the slides scroll: from the keyboard, too
  Reveal.addKeyBinding({ keyCode: 68, key: 'D', description: 'Light or dark' },
    () => document.documentElement.classList.toggle('dark'));
  if (!printed) {
    for (const stepper of document.querySelectorAll('.nn-stepper')) {  // it is printed where it says most, and begins at its beginning
      for (const slider of stepper.querySelectorAll('input')) slider.value = 0;
      stepper.dispatchEvent(new Event('input'));
    }
    onlyThisSlide();
    Reveal.on('slidechanged', onlyThisSlide);
  }
  document.documentElement.dataset.ready = '1';
})();
