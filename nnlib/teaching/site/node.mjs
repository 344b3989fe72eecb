// Run a Python script in Pyodide under Node: node node.mjs PYODIDE PACKAGES SCRIPT [arguments]
// The disk of this machine is the script's folder /host. The last line printed is memory and CPU seconds, as JSON.
import { readFileSync } from "fs";
import { pathToFileURL } from "url";

const [pyodide, packages, script, ...rest] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({
  indexURL: `${pyodide}/`,
  packages: packages.split(",").filter(Boolean),
  env: { HOME: "/home/pyodide", MPLBACKEND: "module://matplotlib_inline.backend_inline", ...Object.fromEntries(Object.entries(process.env).filter(([name]) => /^NNLIB|^MPL/.test(name))) },
});
python.FS.mkdirTree("/host");
python.FS.mount(python.FS.filesystems.NODEFS, { root: "/" }, "/host");
python.pyimport("sys").argv = python.toPy([script, ...rest]);
try {
  await python.runPythonAsync(readFileSync(script, "utf8"), { filename: script });
} catch (error) {
  console.error(String(error.message).slice(-4000));
  process.exitCode = 1;
}
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ heap: python._module.HEAP8.length, resident: process.resourceUsage().maxRSS * 1024, cpu: (user + system) / 1e6 }));
process.exit();
