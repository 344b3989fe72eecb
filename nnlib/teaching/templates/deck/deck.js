// A slide, in pixels
const HEIGHT = 684, WIDTH = 1208;
const TITLE = 48;
const SMALLEST = 0.9;  // of its size: what is too high is shrunk to that, and no further
const ROOM = HEIGHT / SMALLEST;
const FLAT = 0.5 * HEIGHT;  // a picture that is lower, as wide as a slide, leaves room for words
const CRAMPED = 0.75;  // of its size alone on a slide: a picture that would be smaller below words is alone
const LABEL = 20.4;  // letters of drawings: 20 on a screen of 720
const LARGEST = 1.6;  // how much words are enlarged at most

// Letters of code: where there is room, where a line would be longer than that, and where there are many lines
const LETTERS = 27, WRAPPED = 24, TINY = 18;
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

// ---- what moves: frames of a stepper and folded answers are steps, so that a clicker gets there; hints open by hand
const MOVING = '.nn-stepper, details', FRAMES = 16;  // steps of one stepper at most
const slidersOf = (moving) => [...moving.querySelectorAll('input')];
const marksOf = (moving) => [...moving.querySelectorAll('.nn-mark')];
const total = (moving, what) => slidersOf(moving).reduce((sum, slider) => sum + Number(slider[what]), 0);
const most = (moving) => total(moving, 'max') || 1;
const reached = (moving) => total(moving, 'value') + Number(moving.open ?? 0);

// Sliders choose one of the pictures that lie in the page.
function draw(stepper) {
  let at = 0;
  for (const slider of slidersOf(stepper)) {
    at = at * (Number(slider.max) + 1) + Number(slider.value);
    slider.nextElementSibling.textContent = slider.dataset.values.split('|')[slider.value];
  }
  [...stepper.children].slice(1).forEach((panel, i) => { panel.hidden = i !== at; });
}

// An empty mark stands for each step: one of an answer, of a stepper those of each slider in turn.
function mark(moving) {
  const first = moving.firstElementChild, steps = Math.min(FRAMES, total(moving, 'max')) || Number(first.textContent === 'Answer');
  first.insertAdjacentHTML('beforeend', '<i class="fragment nn-mark"></i>'.repeat(steps));
}

// The marks follow the hand, and what moves follows the marks.
function remember(moving) {
  marksOf(moving).forEach((mark, i, all) => mark.classList.toggle('visible', i * most(moving) < reached(moving) * all.length));
}

function follow() {
  for (const moving of Reveal.getCurrentSlide().querySelectorAll(MOVING)) {
    const marks = marksOf(moving), seen = marks.filter((mark) => mark.classList.contains('visible')).length;
    if (Math.ceil(reached(moving) * marks.length / most(moving)) === seen) continue;
    let steps = Math.floor(seen * most(moving) / marks.length);
    if (moving.matches('details')) moving.open = steps > 0;
    for (const slider of slidersOf(moving)) steps -= slider.value = Math.min(steps, slider.max);
    if (moving.matches('.nn-stepper')) draw(moving);
  }
}

for (const stepper of document.querySelectorAll('.nn-stepper')) {
  stepper.addEventListener('input', () => { draw(stepper); remember(stepper); });
  // Only the arrows, Home and End are the slider's; a clicker's PageDown, Space or Esc belong to the presenter.
  stepper.addEventListener('keydown', (event) => {
    if (/^(Arrow|Home|End)/.test(event.key)) return event.stopPropagation();
    if (event.key === 'Tab') return;
    event.preventDefault();
    event.target.blur();
  });
  stepper.addEventListener('pointerup', () => document.activeElement?.blur());
}

// A slide scrolls where an opened hint needs more than it has.
document.addEventListener('toggle', ({ target }) => {
  const section = target.closest('.slides section');
  if (!section) return;
  remember(target);
  section.classList.toggle('nn-open', section.querySelector('details[open]') !== null);
  const box = section.querySelector(':scope > div');
  let { zoom, letters } = section.dataset;
  while (enlarge(box, zoom, letters) / Reveal.getScale() > HEIGHT - TITLE && zoom > 1 && section.matches('.nn-open')) zoom = Math.max(1, zoom * 0.95);
  if (target.open) target.scrollIntoView({ block: 'nearest' });
}, true);

// A line of code that is too long goes on below, further to the right.
for (const pre of document.querySelectorAll('.highlight pre')) {
  const indents = pre.textContent.split('\n').map((line) => /^ */.exec(line)[0].length);
  pre.innerHTML = pre.innerHTML.trimEnd().split('\n').map((line, at) =>
    `<span class="nn-line" style="--indent: ${indents[at] + 4}ch">${line}\n</span>`).join('');
}

// ---- predictions
const choicesOf = (question) => [...question.querySelectorAll('li')].map((choice) => choice.textContent.trim()).sort((a, b) => b.length - a.length);
const questionOf = new Map();  // of each answer

// An answer is not folded: it is a step. It begins with the right choice, in bold, and a reason with the choice that it refutes, in
// quotation marks. Its question keeps both for the notes.
for (const folded of document.querySelectorAll('details.nn-answer')) {
  const step = document.createElement('div');
  step.className = 'nn-answer-step';
  step.append(...[...folded.childNodes].slice(1));
  folded.replaceWith(step);
  const right = step.querySelector('p'), words = right.textContent;
  const rightOf = (question) => choicesOf(question).find((choice) => words.startsWith(choice));
  const question = [...document.querySelectorAll('.nn-predict')].find((one) => !one.dataset.said && one.compareDocumentPosition(step) & 4 && rightOf(one));
  if (!question) continue;
  const [end] = /^( \([^)]* to be exact\))?\. /.exec(words.slice(rightOf(question).length)), bold = document.createElement('b');
  bold.textContent = words.slice(0, words.indexOf(end) + end.length - 2);
  right.replaceChildren(bold, `: ${words.slice(words.indexOf(end) + end.length)}`);
  for (const reason of step.querySelectorAll('li')) {
    const refuted = choicesOf(question).find((choice) => reason.textContent.startsWith(`not ${choice}:`));
    reason.textContent = `not “${refuted}”${reason.textContent.slice(4 + refuted.length)}`;
  }
  questionOf.set(step, question);
  question.dataset.said = [`Answer: ${right.textContent}`, ...[...step.querySelectorAll('li')].map((reason) => reason.textContent)].join('\n');
}

// The words of a question, for where its answer is on another slide.
function asked(question) {
  const again = document.createElement('p');
  again.className = 'nn-asked';
  again.append(...[...question.childNodes].slice(1, -1).map((node) => node.cloneNode(true)));
  return again;
}

const leaves = () => [...document.querySelectorAll('.slides section')].filter((s) => !s.querySelector('section'));
const height = (element) => element.getBoundingClientRect().height;
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
  const heading = element.matches('h1, h2, h3'), announces = element.matches('p') && !/[.!?)…]$/.test(element.textContent.trim());
  return { words, lines, weight: words + LINE * lines, picture: hasPicture(element), heading, opens: heading || announces,
           code: element.matches('.code'), quiet: element.matches('.code') && lines <= QUIET && !/__global__|\.\.\.|about \d+ lines/.test(element.textContent),
           starter: element.matches('.code') && /about \d+ lines/.test(element.textContent), hint: element.matches('details'), prints: lines > 0 && element.matches('.jp-OutputArea-child'),
           asks: element.querySelectorAll('.nn-predict').length, answers: element.querySelector('.nn-first') !== null, others: element.querySelector('.nn-others') !== null,
           question: questionOf.get(element.querySelector('.nn-answer-step')) };
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
  for (const element of [...parts(leaf)].sort((a, b) => a.compareDocumentPosition(b) & 4 ? -1 : 1)) {
    if (!hasPicture(element) && !element.textContent.trim() && !element.querySelector('input')) continue;
    found.push({ ...unit(element), elements: [lifted(element, leaf)] });
  }
  found.forEach((each, at) => { if (each.prints || each.others) each.question ??= found[at - 1]?.question; });
  const out = joined(found), last = out.findLast((each) => !each.others);
  if (last) out[0].step = true, last.notes = [...leaf.querySelectorAll('aside')];
  return out;
}

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
      Object.assign(before, { question: each.question, opens: each.opens, code: each.code, quiet: each.quiet && !before.words });
    } else out.push(each);
  }
  return out;
}

// Slides of at most so much; a picture has its own, with what is said above it if that is short, and a caption below.
// A flat picture stands among words, but neither with code nor below a question that it answers.
function packed(found, share) {
  const slides = [];
  let open = null;
  const begin = () => slides.push(open = { units: [], weight: 0, height: TITLE, picture: false, asks: false });
  const add = (each) => {
    if (each.question && !open.units.some((unit) => unit.question === each.question) && !open.asks) open.weight += wordsOf(asked(each.question).textContent);
    open.units.push(each);
    open.weight += each.weight;
    open.height += each.height;
    for (const any of ['picture', 'flat', 'asks']) open[any] ||= each[any];
    open.answered ||= each.answers;
  };
  const introduces = (unit) => 0 < unit.words && unit.words <= CAPTION && unit.weight === unit.words
    && !['heading', 'asks', 'answers', 'others', 'picture', 'hint'].some((kind) => unit[kind]);
  for (const [at, each] of found.entries()) {
    const last = open?.units.at(-1), next = found[at + 1];
    const together = (...units) => units.reduce((sum, unit) => sum + unit.weight, 0) <= WORDS && units.reduce((sum, unit) => sum + unit.height, 0) <= ROOM;
    if (each.others) {  // the notes have them where they do not fit
      if (last.answers && together(open, each, ...next?.prints ? [next] : [])) add(each);
      continue;
    }
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
    const answersAnother = each.answers && open?.asks && !open.units.some((unit) => asks(unit, each.question));
    const another = each.asks && open?.answered || each.heading && open?.units.some((unit) => unit.lines);
    const solves = open?.units.some((unit) => unit.starter) && !each.hint && !each.prints;  // what comes next shows how it is done
    const steps = each.step && (each.heading || open?.asks || open?.picture && !open.flat);
    if (!open || !below && (apart || another || solves || answersAnother || steps || open.asks && !each.question && !open.answered && open.units.some((unit) => unit.quiet))) {
      // A sentence goes with its picture, code with what is asked about it.
      const along = open?.units.length > 1 && (each.picture ? open.picture === false && introduces(last)
        : each.asks && full && !another && last.lines && !last.question && together(last, each)) && open.units.pop();
      begin();
      if (along) add(along);
    }
    add(each);
  }
  // What only prepares the answer, and found no room below its question, is left out.
  return slides.map((slide) => slide.units).filter((each, at, all) =>
    !(all[at - 1]?.some((unit) => unit.asks) && each.every((unit) => unit.quiet && unit.lines <= FEW && !unit.notes?.length)));
}

const asks = (unit, question) => unit.elements.some((element) => element.contains(question));

// Of questions in a row that are answered in a row, each has its answer below it.
function paired(found) {
  const above = new Map();
  found.forEach((unit, at) => {
    const from = unit.answers ? found.findIndex((one) => asks(one, unit.question)) : -1;
    if (from >= 0 && found.slice(from, at).every((one) => one.asks || one.answers || one.others)) above.set(unit, found[from]);
  });
  const moved = [...above.values()];
  return found.flatMap((unit) => above.has(unit) ? [above.get(unit), unit] : moved.includes(unit) ? [] : [unit]);
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
  const first = content.firstElementChild, partOf = (element) => [...content.children].find((part) => part.contains(element));
  const still = (part) => [part, ...part.querySelectorAll('.fragment')].forEach((step) => step.classList.remove('fragment'));
  still(first);  // the slide itself is its step
  for (const others of content.querySelectorAll('.nn-others')) {
    const part = partOf(others);
    part.previousElementSibling.querySelector('.nn-answer-step').append(...others.childNodes);
    part.remove();
  }
  // What a question's run shows comes in one step; where the question is on another slide, its words come again.
  const question = content.querySelector('.nn-predict'), { question: away, elements } = units.find((each) => each.question) ?? {};
  if (question || away) [...content.children].forEach(still);
  if (question) {
    let run = null;
    for (let part = partOf(question).nextElementSibling; part; part = part.nextElementSibling) {
      if (part.querySelector('.nn-predict') || !run && !part.querySelector('.jp-OutputArea-child')) continue;
      part.classList.add('fragment', ...run ? ['nn-with'] : []);
      run = part;
    }
  } else if (away) {
    const again = asked(away);
    if (units.reduce((sum, unit) => sum + unit.words, weighed(again)) <= WORDS) elements[0].before(again);
  }
  // A step that shows nothing but another step is none.
  for (const step of content.querySelectorAll('.fragment:has(.fragment, details)')) {
    const rest = step.cloneNode(true);
    for (const unseen of rest.querySelectorAll('.fragment, details, .nn-first, style')) unseen.remove();
    if (!hasPicture(rest) && !rest.textContent.trim()) step.classList.remove('fragment');
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
  return Object.assign(slide, { notes: units.flatMap((each) => each.notes ?? []) });
}

// Every slide says which section it belongs to.
function entitle() {
  let title = '', slides = [];
  for (const section of leaves()) {
    const own = section.querySelector('h1, h2'), heads = section.querySelectorAll('h1, h2, h3');
    if (own) {
      annotate(slides);
      slides = [];
    } else if (title && !(heads[0] && section.innerText.trim().startsWith(heads[0].innerText.trim()))) {
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

// A slide's notes: what its questions are answered by, then those of its section that stand on it or next after it.
function annotate(slides) {
  const paragraph = (textContent) => Object.assign(document.createElement('p'), { textContent });
  slides.forEach((section, at) => {
    const said = [...section.querySelectorAll('[data-said]')].flatMap((question) => question.dataset.said.split('\n'));
    const folded = [...section.querySelectorAll('details')].map((fold) => fold.textContent.trim()).filter((text) => text.startsWith('Answer'));
    const { notes = [] } = slides.find((other, after) => after >= at && other.notes.length) ?? slides.findLast((other) => other.notes.length) ?? {};
    const aside = document.createElement('aside');
    aside.className = 'notes';
    aside.append(...said.concat(folded.map((text) => text.replace('Answer', 'Answer: '))).map(paragraph), ...notes.flatMap((note) => [...note.cloneNode(true).childNodes]));
    if (aside.textContent.trim()) section.append(aside);
  });
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
  // Few words get larger letters: of twice the size they need four times the room. Code shrinks before words do.
  const listings = [...box.querySelectorAll('pre')], columns = Math.max(...listings.flatMap((pre) => pre.textContent.split('\n').map((line) => line.length)));
  const alone = ![...box.querySelectorAll('img')].some((image) => height(image) > 0);
  let letters = Math.min(LETTERS, Math.max(WRAPPED, WIDTH / WIDE / (columns + 3)));
  let zoom = alone ? Math.max(1, Math.min(LARGEST, Math.sqrt(0.75 * HEIGHT / height(box)))) : 1;
  while (enlarge(box, zoom, letters) > room && zoom > 0.3) {
    if (!box.classList.contains('dense')) box.classList.add('dense');
    else if (zoom > 1) zoom = Math.max(1, zoom * 0.95);
    else if (letters > TINY && listings.length) letters -= 0.5;
    else zoom *= 0.97;
  }
  section.dataset.zoom = zoom.toFixed(2);
  section.dataset.letters = letters;
  const free = (room - height(box)) / zoom;
  const head = box.children.length > 1 && box.firstElementChild.querySelector('h1, h2, h3');
  if (free > 0) (head ? box.firstElementChild : box).style[head ? 'marginBottom' : 'marginTop'] = `${0.4 * free}px`;
}

// It returns the new height.
function enlarge(box, zoom, letters) {
  box.style.zoom = zoom;
  for (const pre of box.querySelectorAll('pre')) pre.style.fontSize = `${letters / zoom}px`;
  return height(box);
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

// Hints come last on a slide, and what a question's run shows comes at once.
function number(section) {
  const steps = [...section.querySelectorAll('.fragment')].sort((a, b) => a.matches('summary *') - b.matches('summary *'));
  let index = -1;
  for (const step of steps) step.dataset.fragmentIndex = step.matches('.nn-with') ? index : ++index;
}

// Nothing on a slide that is not shown can be reached by Tab.
function arrive() {
  for (const section of leaves()) section.inert = section !== Reveal.getCurrentSlide();
  follow();
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
  if (!printed) document.querySelectorAll(MOVING).forEach(mark);
  else for (const step of document.querySelectorAll('section:not(:has(.nn-predict)) .fragment')) step.classList.remove('fragment');  // all else needs no page of its own
  leaves().forEach(number);
  if (printed) Reveal.on('pdf-ready', () => {
    // reveal.js hides all slides but the present one from screen readers, and what is hidden has no tags.
    for (const slide of document.querySelectorAll('.slides section'))
      for (const name of ['aria-hidden', 'hidden']) slide.removeAttribute(name);
    clearInterval(waiting);
  });
  await Reveal.initialize({
    width: 1240, height: 700, margin: 0, center: false, hash: true, slideNumber: 'c/t', controls: false, transition: 'none',
    navigationMode: 'linear',  // otherwise the right arrow leaves out the slides below
    plugins: [RevealNotes],
  });
  document.body.tabIndex = 0;  // on a phone, the slides scroll: from the keyboard, too
  Reveal.addKeyBinding({ keyCode: 68, key: 'D', description: 'Light or dark' },
    () => document.documentElement.classList.toggle('dark'));
  if (!printed) {
    arrive();  // what moves is printed where it says most, and begins at its beginning
    Reveal.on('slidechanged', arrive);
    for (const step of ['fragmentshown', 'fragmenthidden']) Reveal.on(step, follow);
  }
  document.documentElement.dataset.ready = '1';
})();
