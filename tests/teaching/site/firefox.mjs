// Firefox changes the first kernel of a lesson's page, runs the cell below it, then all cells: node firefox.mjs PUPPETEER FIREFOX PAGE
// PUPPETEER: the folder of puppeteer-core from npm. Prints what a report and all cells cost in seconds of processor, and what failed.
import { readdirSync, readFileSync } from "fs";
import { pathToFileURL } from "url";

const [folder, executablePath, address] = process.argv.slice(2);
const { default: puppeteer } = await import(pathToFileURL(`${folder}/lib/esm/puppeteer/puppeteer-core.js`));
const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true, protocolTimeout: 3600000 });
const page = await browser.newPage();
const errors = [], foreign = [], site = new URL(address).origin;
page.on("pageerror", (error) => errors.push(String(error)));
page.on("request", (request) => /^http/.test(request.url()) && !request.url().startsWith(site) && foreign.push(request.url()));

// Of the browser and the processes that it started.
function seconds() {
  const ours = new Set([browser.process().pid]);
  let ticks = 0;
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number).sort((a, b) => a - b)) {
    let fields;
    try { fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1).split(" "); } catch { continue; }
    if (!ours.has(id) && !ours.has(Number(fields[1]))) continue;
    ours.add(id);
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / 100;
}

async function cost(act) {
  const before = seconds();
  await act();
  return Number((seconds() - before).toFixed(1));
}

const click = (selector) => page.evaluate((selector) => new Promise((done) => {
  document.addEventListener("lesson-idle", done, { once: true });
  document.querySelector(selector).click();
}), selector);

async function report() {
  await page.evaluate(() => {
    const kernel = document.querySelector(".cell > .source > .cuda");
    kernel.textContent += " // changed";
    kernel.dispatchEvent(new Event("input"));
  });
  await click(".cell:has(> .source > .cuda) ~ .cell:not(.question):has(> .source > .python) > .run button");
}

const found = {
  first: await cost(async () => { await page.goto(address); await report(); }),
  next: await cost(report),
  all: await cost(() => click("#all")),
};
const mistakes = await page.$$eval(".mistake", (reports) => reports.map((report) => report.textContent));
const said = await page.$eval("#state", (state) => state.textContent);
await browser.close();
console.log(JSON.stringify({ ...found, mistakes, errors, foreign, said }));
