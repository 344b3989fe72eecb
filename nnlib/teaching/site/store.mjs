// Store the memory of a Pyodide that has imported what every page needs: node store.mjs SITE
// snapshot.json says which files snapshot.files.bin has and which libraries the memory in snapshot.memory.bin points to.
import { readFileSync, writeFileSync } from "fs";
import { pathToFileURL } from "url";
import { gzipSync } from "zlib";
import { environment, start } from "./page/snapshot.mjs";

const [site] = process.argv.slice(2);
const { base, late, snapshot } = JSON.parse(readFileSync(`${site}/kernel.json`));
const folder = `${site}/${base}`, parts = `${site}/${snapshot}`;
const { loadPyodide } = await import(pathToFileURL(`${folder}pyodide.mjs`));
let files = JSON.parse(readFileSync(`${parts}.json`)), content = readFileSync(`${parts}.files.bin`);

async function awake(libraries) {
  const python = await start(loadPyodide, { indexURL: folder, packages: [], env: environment, _makeSnapshot: true }, { files, libraries }, content);
  python.pyimport("shell").prepare(python.toPy(late));
  const { loadedLibsByName, loadedLibsByHandle } = python._module.LDSO;
  return { python, libraries: Object.keys(loadedLibsByName).slice(1), byHandle: Object.entries(loadedLibsByHandle) };
}

// Byte code that is in the memory is not read again.
const READ = `import sys
"\\n".join(module.__spec__.cached.partition("site-packages/")[2] for module in sys.modules.values()
          if getattr(getattr(module, "__spec__", None), "cached", None))`;

function leaveOut(read) {
  let end = 0;
  const rest = files.map(([name, size]) => [name, content.subarray(end, end += size)]).filter(([name]) => !read.has(name));
  files = rest.map(([name, part]) => [name, part.length]);
  content = Buffer.concat(rest.map(([, part]) => part));
}

const { libraries } = await awake([]);  // once to see which libraries these imports load
const { python, byHandle } = await awake(libraries);
const handles = {};
for (const [handle, { name }] of byHandle) if (libraries.includes(name)) (handles[name] ??= []).push(Number(handle));
const [opened] = python._module.FS.streams.slice(3).filter(Boolean);
if (opened) throw new Error(`${opened.path} is open: a page that closes it would close another file`);
for (const name in python.loadedPackages) delete python.loadedPackages[name];  // found by their files; a memory may name none
leaveOut(new Set(python.runPython(READ).split("\n")));
writeFileSync(`${parts}.memory.bin`, gzipSync(python.makeMemorySnapshot()));
writeFileSync(`${parts}.files.bin`, gzipSync(content));
writeFileSync(`${parts}.json`, JSON.stringify({ files, libraries, handles }));
process.exit();
