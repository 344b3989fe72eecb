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
}

// What is higher than a slide is shrunk until it fits; `data-zoom` tells a test by how much.
function fit() {
  document.body.classList.add('measuring');
  for (const section of document.querySelectorAll('.slides section')) {
    if (section.querySelector('section')) continue;
    const box = document.createElement('div');
    box.append(...section.childNodes);
    section.append(box);
    let zoom = 1;
    for (let i = 0; i < 12 && box.getBoundingClientRect().height > 690; i++) {
      zoom *= Math.max(0.8, Math.min(0.97, 690 / box.getBoundingClientRect().height));
      box.style.zoom = zoom;
    }
    section.dataset.zoom = zoom.toFixed(2);
  }
  document.body.classList.remove('measuring');
}

(async () => {
  await MathJax.startup.promise;
  await Promise.all([...document.images].map(image => image.decode().catch(() => null)));
  fit();
  await Reveal.initialize({
    width: 1100, height: 700, margin: 0.04, center: false, hash: true, slideNumber: 'c/t', transition: 'none',
    navigationMode: 'linear',  // otherwise the right arrow leaves out the slides below
    pdfSeparateFragments: false, plugins: [RevealNotes],
    keyboardCondition: () => !document.activeElement?.closest('.nn-stepper'),
  });
  document.documentElement.dataset.ready = '1';
})();
