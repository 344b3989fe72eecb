// Firefox opens a lesson, runs its first cells and prints what they show: node firefox.mjs PUPPETEER SITE LESSON CELLS SHOT
// PUPPETEER: the folder of puppeteer-core from npm; it speaks WebDriver BiDi, so a Firefox from anywhere will do.
import { pathToFileURL } from "url";

const [folder, site, lesson, count, shot] = process.argv.slice(2);
const { default: puppeteer } = await import(pathToFileURL(`${folder}/lib/esm/puppeteer/puppeteer-core.js`));
const browser = await puppeteer.launch({ browser: "firefox", executablePath: "/usr/bin/firefox-esr", headless: true, args: ["--no-sandbox"], protocolTimeout: 600000 });
const page = await browser.newPage();
const errors = [];
page.on("pageerror", error => errors.push(String(error)));
await page.goto(`${site}notebooks/index.html?path=${lesson}.ipynb`);
const wait = async (text, what) => {
  for (let k = 0; k < 600; k++) {
    const found = await page.evaluate(text);
    if (found) return found;
    await new Promise(done => setTimeout(done, 1000));
  }
  throw new Error(`${what}: nothing in 600 s`);
};
const panel = "window.jupyterapp?.shell?.currentWidget";
await wait(`${panel}?.sessionContext?.kernelDisplayStatus === 'idle'`, "kernel");
await page.evaluate(`(async () => { const notebook = ${panel}.content;
  notebook.widgets.forEach(cell => cell.model.type === 'code' && cell.model.outputs.clear());
  notebook.activeCellIndex = 0;
  for (let k = 0; k < ${count}; k++) await window.jupyterapp.commands.execute('notebook:run-cell-and-select-next'); })()`);
const printed = await page.evaluate(`${panel}.content.widgets.filter(cell => cell.model.type === 'code').slice(0, ${count})
  .flatMap(cell => cell.model.outputs.toJSON()).map(output => [].concat(output.text || output.evalue || '').join('')).join('')`);
console.log(printed);
console.log("errors:", errors.length, errors.slice(0, 2).join(" ").slice(0, 300));
await page.screenshot({ path: shot });
await browser.close();
