// The kernel on the start page: runs as soon as Python is there, then whenever somebody presses Run or Mend it.
{
  const [kernel, run, mend, state, report] = ["kernel", "run", "mend", "state", "report"].map($);
  const mended = JSON.parse($("mended").textContent);
  const wrong = kernel.value;
  let worker = null, started = 0;
  let running = null, waiting = false;  // the text that Python has, and whether another one follows it

  // The buttons stay enabled while Python works: Tab passes over disabled ones, and Enter would then open a lesson.
  function attempt() {
    if (!canCompute) return;
    if (running !== null) {
      waiting = kernel.value !== running;
      return;
    }
    state.textContent = worker ? "Running …" : "Loading Python, 20 to 35 MB the first time …";
    started = performance.now();
    if (!worker) {
      worker = new Worker("kernel.js", { type: "module" });
      worker.onmessage = answer;
      worker.onerror = event => answer({ data: { failed: event.message } });
    }
    running = kernel.value;
    worker.postMessage({ act: "attempt", source: running });
  }

  function answer({ data: { kind, gpu, right, text, failed } }) {
    if (kind === "gpu") {
      say("device", gpu);
      return;
    }
    const again = waiting && failed === undefined;
    running = null;
    waiting = false;
    if (failed !== undefined) {
      state.textContent = `Python did not load. Is there a network? Run tries again. (${failed})`;
      return;
    }
    if (again) {
      attempt();
      return;
    }
    report.hidden = false;
    report.textContent = text;
    report.className = right ? "right" : "mistake";
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    state.textContent = `${right ? "Right" : "Wrong"}, after ${seconds} s.`;
    mend.textContent = kernel.value === mended ? "Break it again" : "Mend it";
  }

  run.onclick = attempt;
  mend.onclick = () => { kernel.value = mend.textContent === "Mend it" ? mended : wrong; attempt(); };
  kernel.onkeydown = event => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) attempt();
  };
  run.disabled = mend.disabled = !canCompute;
  // Not for somebody who is on the way to a lesson, or who pays for every megabyte.
  addEventListener("load", () => { if (!location.hash && !navigator.connection?.saveData && !worker) attempt(); });
}
