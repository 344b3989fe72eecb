// Firefox runs a lesson from top to bottom and prints its errors: node firefox.mjs PUPPETEER SITE LESSON SHOT
// PUPPETEER: the folder of puppeteer-core from npm; it speaks WebDriver BiDi, so a Firefox from anywhere will do.
import { pathToFileURL } from "url";

const [folder, site, lesson, shot] = process.argv.slice(2);
const { default: puppeteer } = await import(pathToFileURL(`${folder}/lib/esm/puppeteer/puppeteer-core.js`));
const browser = await puppeteer.launch({ browser: "firefox", executablePath: "/usr/bin/firefox-esr", headless: true, args: ["--no-sandbox"], protocolTimeout: 1200000 });
const page = await browser.newPage();
await page.setViewport({ width: 1300, height: 950 });
const errors = [], foreign = new Set();
page.on("pageerror", error => errors.push(String(error)));
page.on("request", request => request.url().startsWith("http") && !request.url().startsWith(site) && foreign.add(request.url()));
const start = Date.now();
const say = what => console.log(`${((Date.now() - start) / 1000).toFixed(0)} s: ${what}`);
await page.goto(`${site}notebooks/index.html?path=${lesson}.ipynb`);
const panel = "window.jupyterapp?.shell?.currentWidget";
const wait = async (text, what) => {
  for (let k = 0; k < 1800; k++) {
    if (await page.evaluate(text)) return say(what);
    await new Promise(done => setTimeout(done, 1000));
  }
  throw new Error(`${what}: not in 1,800 s`);
};
await wait(`${panel}?.sessionContext?.kernelDisplayStatus === 'idle'`, "the kernel is ready");
const cells = `${panel}.content.widgets.filter(cell => cell.model.type === 'code')`;
await page.evaluate(`${cells}.forEach(cell => { cell.model.outputs.clear(); cell.model.sharedModel.execution_count = null; })`);
await page.evaluate("void window.jupyterapp.commands.execute('notebook:run-all-cells')");
await wait(`${panel}.sessionContext.kernelDisplayStatus === 'idle' && ${cells}.every(cell => cell.model.executionCount)`,
           "all cells have run");
const outputs = await page.evaluate(`${cells}.flatMap(cell => cell.model.outputs.toJSON())`);
const failed = outputs.filter(output => output.output_type === "error").map(output => `${output.ename}: ${output.evalue}`);
say(`${outputs.length} outputs, ${failed.length} cells failed ${failed.slice(0, 3)}`);
say(`${errors.length} errors of the page ${errors.slice(0, 2).join(" ").slice(0, 300)}; foreign requests: ${[...foreign]}`);
await page.screenshot({ path: shot });
await browser.close();
process.exitCode = failed.length + errors.length + foreign.size ? 1 : 0;
