// navigator.gpu for page_target.py. Buffers and pipelines have the numbers that Python gives them. What `tell` starts is
// not waited for, and what goes wrong in it is thrown by the next `ask`.
(() => {
  const LIMITS = ["maxComputeInvocationsPerWorkgroup", "maxComputeWorkgroupSizeX", "maxComputeWorkgroupSizeY",
    "maxComputeWorkgroupSizeZ", "maxComputeWorkgroupStorageSize", "maxStorageBufferBindingSize", "maxBufferSize",
    "maxStorageBuffersPerShaderStage"];
  const KEPT = 4000;  // sets of bindings

  function gpu() {
    const [MAP_READ, COPY_SRC, COPY_DST, UNIFORM, STORAGE, QUERY_RESOLVE] = [1, 4, 8, 64, 128, 512];
    const buffers = new Map(), pipelines = new Map(), groups = new Map(), uniforms = new Map();
    const words = (size) => Math.ceil(size / 4) * 4;
    let device, encoder, pass, queries, begin, trouble = "";

    const encode = () => (encoder ??= device.createCommandEncoder());
    function endPass() {
      pass?.end();
      pass = undefined;
    }
    function submit() {
      endPass();
      if (encoder) device.queue.submit([encoder.finish()]);
      encoder = undefined;
    }
    async function bytesOf(buffer) {
      await buffer.mapAsync(MAP_READ);
      const bytes = new Uint8Array(buffer.getMappedRange()).slice();
      buffer.destroy();
      if (trouble) throw new Error(trouble);
      return bytes;
    }
    function bound(number, data, bindings) {
      const name = data.join();
      if (!uniforms.has(name)) {
        const buffer = device.createBuffer({ size: Math.max(16, data.length), usage: UNIFORM | COPY_DST });
        device.queue.writeBuffer(buffer, 0, data);
        uniforms.set(name, buffer);
      }
      const entries = [uniforms.get(name), ...bindings.map((each) => buffers.get(each))]
        .map((buffer, binding) => ({ binding, resource: { buffer } }));
      return device.createBindGroup({ layout: pipelines.get(number).getBindGroupLayout(0), entries });
    }

    return {
      submit,
      async open() {
        const adapter = await navigator.gpu?.requestAdapter({ powerPreference: "high-performance" });
        if (!adapter) return "";
        const { features, limits, info } = adapter;
        const given = LIMITS.map((name) => limits[name]);
        const requiredFeatures = ["timestamp-query", "subgroups"].filter((name) => features.has(name));
        device = await adapter.requestDevice({
          requiredFeatures, requiredLimits: Object.fromEntries(LIMITS.map((name, k) => [name, given[k]])),
        });
        device.lost.then(({ message }) => { trouble = message || "the device is gone"; });
        device.addEventListener("uncapturederror", ({ error }) => { trouble ||= error.message; });
        const software = info.isFallbackAdapter || info.architecture === "swiftshader";
        const name = info.description || info.device || `${info.vendor} ${info.architecture}`.trim() || "a GPU";
        const lanes = features.has("subgroups") && info.subgroupMinSize === info.subgroupMaxSize ? info.subgroupMinSize : 0;
        return JSON.stringify({ name, software, lanes, limits: given });
      },
      buffer(number, size) {
        buffers.set(number, device.createBuffer({ size, usage: STORAGE | COPY_SRC | COPY_DST }));
      },
      write(number, data) {
        submit();
        device.queue.writeBuffer(buffers.get(number), 0, data);
      },
      async pipeline(number, code, types) {
        const entries = types.map((type, binding) => ({ binding, visibility: 4, buffer: { type } }));
        const layout = device.createPipelineLayout({ bindGroupLayouts: [device.createBindGroupLayout({ entries })] });
        const module = device.createShaderModule({ code });
        try {
          pipelines.set(number, await device.createComputePipelineAsync({ layout, compute: { module } }));
        } catch (error) {
          const { messages } = await module.getCompilationInfo();
          return `rejected: ${messages.find(({ type }) => type === "error")?.message ?? error.message}`;
        }
        return "";
      },
      dispatch(number, data, bindings, blocks) {
        const key = [number, ...bindings, "", ...data].join();
        if (!groups.has(key)) {
          if (groups.size >= KEPT) {
            submit();
            groups.clear();
            uniforms.clear();
          }
          groups.set(key, bound(number, data, bindings));
        }
        pass ??= encode().beginComputePass();
        pass.setPipeline(pipelines.get(number));
        pass.setBindGroup(0, groups.get(key));
        pass.dispatchWorkgroups(...blocks);
      },
      async read(numbers, sizes) {
        endPass();
        const starts = sizes.map((_, k) => sizes.slice(0, k).reduce((sum, size) => sum + words(size), 0));
        const size = sizes.reduce((sum, each) => sum + words(each), 0);
        const copy = device.createBuffer({ size: Math.max(4, size), usage: MAP_READ | COPY_DST });
        numbers.forEach((each, k) => encode().copyBufferToBuffer(buffers.get(each), 0, copy, starts[k], words(sizes[k])));
        submit();
        return bytesOf(copy);
      },
      beginTiming() {
        submit();
        begin = performance.now();
        if (!device.features.has("timestamp-query")) return;
        queries = device.createQuerySet({ type: "timestamp", count: 2 });
        pass = encode().beginComputePass({
          timestampWrites: { querySet: queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 } });
      },
      async endTiming() {
        endPass();
        if (!queries) {
          submit();
          await device.queue.onSubmittedWorkDone();
          return String((performance.now() - begin) / 1e3);
        }
        const found = device.createBuffer({ size: 16, usage: QUERY_RESOLVE | COPY_SRC });
        const copy = device.createBuffer({ size: 16, usage: MAP_READ | COPY_DST });
        encode().resolveQuerySet(queries, 0, 2, found, 0);
        encoder.copyBufferToBuffer(found, 0, copy, 0, 16);
        submit();
        queries = undefined;
        const [first, last] = new BigUint64Array((await bytesOf(copy)).buffer);
        return String(Number(last - first) * 1e-9);
      },
    };
  }

  // In a worker of its own: what is asked for is answered in memory that both workers see.
  function serve(device) {
    let trouble = null;
    onmessage = async ({ data: { name, args, answer } }) => {
      let result = "", well = 1;
      try {
        if (answer && trouble) throw trouble;
        result = await device[name](...args);
      } catch (error) {
        if (!answer) trouble ??= error;
        [result, well] = [String(error.message ?? error), 2];
      }
      if (!answer) return;
      const state = new Int32Array(answer, 0, 3), text = typeof result === "string";
      const bytes = text ? new TextEncoder().encode(result) : result;
      const part = bytes.subarray(0, answer.byteLength - 12);
      new Uint8Array(answer, 12).set(part);
      state[1] = part.length;
      state[2] = Number(text);
      Atomics.store(state, 0, well);
      Atomics.notify(state, 0);
    };
    device.open().then(postMessage, () => postMessage(""));
  }

  return {
    async here() {
      const device = gpu();
      return {
        info: await device.open(),
        tell: (name, ...args) => device[name](...args),
        ask: (name, room, ...args) => device[name](...args),
      };
    },
    async apart() {
      const constants = `const LIMITS = ${JSON.stringify(LIMITS)}, KEPT = ${KEPT};`;
      const source = new Blob([`${constants}\n(${serve})((${gpu})())`], { type: "text/javascript" });
      const worker = new Worker(URL.createObjectURL(source));
      const info = await new Promise((ready) => { worker.onmessage = ({ data }) => ready(data); });
      return {
        info,
        tell(name, ...args) { worker.postMessage({ name, args }); },
        ask(name, room, ...args) {
          const answer = new SharedArrayBuffer(12 + room), state = new Int32Array(answer, 0, 3);
          worker.postMessage({ name, args, answer });
          Atomics.wait(state, 0, 0);
          const bytes = new Uint8Array(answer, 12, state[1]).slice();
          const result = state[2] ? new TextDecoder().decode(bytes) : bytes;
          if (state[0] === 2) throw new Error(result);
          return result;
        },
      };
    },
  };
})()
