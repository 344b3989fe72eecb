// Store the memory of a Pyodide that has imported what every page needs: node store.mjs SITE
// kernel.json names the snapshot: its .json lists the files in its .files.bin and the libraries that its .memory.bin points to.
import { readFileSync, writeFileSync } from "fs";
import { pathToFileURL } from "url";
import { gzipSync } from "zlib";
import { environment, late, start } from "./page/snapshot.mjs";

const [site] = process.argv.slice(2);
const { base, lock, there, snapshot } = JSON.parse(readFileSync(`${site}/kernel.json`));
const folder = `${site}/${base}`, parts = `${site}/${snapshot}`;
const { loadPyodide } = await import(pathToFileURL(`${folder}pyodide.mjs`));
let files = JSON.parse(readFileSync(`${parts}.json`)), content = readFileSync(`${parts}.files.bin`);

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

const libraries = files.filter(([name]) => name.endsWith(".so")).map(([name]) => name);
const options = { indexURL: folder, packages: [], env: environment, _makeSnapshot: true };
const python = await start(loadPyodide, options, { files, libraries }, new Uint8Array(content));
python.pyimport("shell").prepare(python.toPy(late(JSON.parse(readFileSync(`${site}/${lock}`)), lock, there)));
const { FS, LDSO } = python._module, handles = {};
for (const [handle, { name }] of Object.entries(LDSO.loadedLibsByHandle)) (handles[name] ??= []).push(Number(handle));
const [opened] = FS.streams.slice(3).filter(Boolean);
if (opened) throw new Error(`${opened.path} is open: a page that closes it would close another file`);
for (const name in python.loadedPackages) delete python.loadedPackages[name];  // found by their files; a memory may name none
leaveOut(new Set(python.runPython(READ).split("\n")));
writeFileSync(`${parts}.memory.bin`, gzipSync(python.makeMemorySnapshot()));
writeFileSync(`${parts}.files.bin`, gzipSync(content));
writeFileSync(`${parts}.json`, JSON.stringify({ files, libraries, handles }));
process.exit();
