// Pyodide whose packages lie unpacked in its files and, where a memory is given, are imported already.
// store.mjs makes such a memory, kernel.js begins with it. Pyodide stores no libraries: all that the memory may point to are
// loaded before Python starts, in the same order each time, and so lie at the same addresses.
export const environment = { HOME: "/home/pyodide", MPLBACKEND: "agg", JUPYTER_WIDGETS_ECHO: "0", NNLIB_PAGE: "./" };

// Where the wheels of packages are. path: of the lock file that names them.
export const wheelsOf = (names, { packages }, path) => names.map((name) => packages[name].file_name)
  .map((file) => file.startsWith("http") ? file : path.replace(/[^/]*$/, file));

// The wheels of each module that comes when something imports it. there: packages that are there already.
export function late(lock, path, there) {
  const { packages } = lock;
  const needed = (name, found) => {
    if (there.includes(name) || found.includes(name)) return found;
    return packages[name].depends.reduce((all, other) => needed(other, all), [...found, name]);
  };
  const wheels = (name) => wheelsOf(needed(name, []), lock, path);
  return Object.fromEntries(Object.keys(packages).filter((name) => !there.includes(name))
    .flatMap((name) => packages[name].imports.map((module) => [module, wheels(name)])));
}

let create, unpack = () => {};  // Pyodide's own start, and what comes before Python's
Object.defineProperty(globalThis, "_createPyodideModule", {
  set(made) { create = made; },
  get: () => create && ((settings) => create({ ...settings, preRun: [...settings.preRun, unpack] })),
});

// files: [name, bytes] of each file in `content`. handles: by the path of a library its numbers in Python's memory.
export function start(loadPyodide, options, { files, libraries, handles = {} }, content) {
  unpack = (module) => {
    const { FS, LDSO } = module;
    const site = `/lib/python${module._py_version_major()}.${module._py_version_minor()}/site-packages`;
    const folders = {}, make = (folder) => { FS.mkdirTree(folder); return FS.lookupPath(folder).node; };
    let end = 0;
    for (const [name, size] of files) {  // without FS.open and its siblings, which look up each path six times
      const [, folder, file] = `${site}/${name}`.match(/(.*)\/(.*)/);
      const node = FS.filesystems.MEMFS.createNode(folders[folder] ??= make(folder), file, 0o100666, 0);
      Object.assign(node, { contents: content.subarray(end, end += size), usedBytes: size });
    }
    const fs = { findObject: (path) => FS.findObject(path, true), readFile: FS.readFile };
    for (const name of libraries) {
      const path = `${site}/${name}`;
      module.loadDynamicLibrary(path, { global: false, nodelete: true, allowUndefined: true, fs }, {});
      const library = LDSO.loadedLibsByName[path];
      for (const [symbol, value] of Object.entries(library.exports)) if (symbol.startsWith("PyInit_")) module.addFunction(value, value.sig);
      for (const handle of handles[path] ?? []) LDSO.loadedLibsByHandle[handle] = library;
    }
  };
  return loadPyodide(options);
}
