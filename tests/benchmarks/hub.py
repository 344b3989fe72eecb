"""A class on a JupyterHub on this machine: seconds from login to the first cell, a lesson for all, memory.

    python -m tests.benchmarks.hub BIN PROXY LESSON STUDENTS [loop|hog]

BIN: bin/ of an environment with jupyterhub, jupyterlab and a student's package. PROXY: configurable-http-proxy.
LESSON: a notebook; STUDENTS: how many run it at once. loop: one more student never comes out of a loop. hog: one more
asks for ever more memory. Each server has 1 GB by a control group, as systemd and Kubernetes give it; that needs root,
on Linux.
"""

from __future__ import annotations

import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from http.cookiejar import CookieJar
from pathlib import Path

from tornado import httpclient, ioloop, websocket

PORT = 18000
MEMORY = 1024  # MB for each server
GROUP = Path("/sys/fs/cgroup/memory/nnlib-hub")

CONFIG = """
import os
from jupyterhub.spawner import SimpleLocalProcessSpawner

class Limited(SimpleLocalProcessSpawner):
    async def start(self):
        address = await super().start()
        group = {group!r} + "/" + self.user.name
        os.makedirs(group, exist_ok=True)
        open(group + "/memory.limit_in_bytes", "w").write(str({memory} << 20))
        open(group + "/cgroup.procs", "w").write(str(self.pid))
        return address

c = get_config()
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_port = {port} + 1
c.ConfigurableHTTPProxy.command = [{proxy!r}]
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{next}"
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = Limited
c.SimpleLocalProcessSpawner.home_dir_template = {folder!r} + "/{{username}}"
c.Spawner.cmd = [{bin!r} + "/jupyterhub-singleuser", "--allow-root",
                 "--KernelManager.transport=ipc"]  # by TCP two kernels of one machine may draw the same port
c.Spawner.environment = {{"NNLIB_PROGRESS": "", "OPENBLAS_NUM_THREADS": "1"}}
c.Spawner.start_timeout = c.Spawner.http_timeout = 300
"""


class Student:
    """Logs in, waits for the server, and runs cells in a kernel."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._cookies = CookieJar()
        self._open = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self._cookies)
        ).open
        self.seconds: dict[str, float] = {}
        self.problems: list[str] = []
        self.asked_again = ""

    def _call(self, path: str, data: dict | None = None, form: bool = False) -> str:
        body = (
            (urllib.parse.urlencode(data) if form else json.dumps(data)).encode()
            if data is not None
            else None
        )
        address = f"http://127.0.0.1:{PORT}{path}"
        request = urllib.request.Request(address, body, {"X-XSRFToken": self._xsrf(path)})
        with self._open(request, timeout=300) as reply:
            return reply.read().decode()

    def _there(self) -> bool:
        """Does JupyterLab's page come, and not the hub's that asks to wait?"""
        try:
            with self._open(f"http://127.0.0.1:{PORT}/user/{self.name}/lab", timeout=300) as reply:
                return urllib.parse.urlparse(reply.url).path.startswith("/user/")
        except urllib.error.HTTPError as error:
            # It did not start, as when another process took its port: the page has a button
            if error.code == 424:
                self.asked_again = "the server had to be started again"
                self._call("/hub/spawn")
            return False
        except OSError:
            return False

    def _xsrf(self, path: str) -> str:
        of_server = [
            cookie
            for cookie in self._cookies
            if cookie.name == "_xsrf" and path.startswith(cookie.path)
        ]
        return max(of_server, key=lambda cookie: len(cookie.path)).value or "" if of_server else ""

    def begin(self) -> None:
        """Go from the login to the first kernel."""
        start = time.perf_counter()
        page = self._call("/hub/login")
        token = re.search(r'name="_xsrf" value="([^"]+)"', page)
        told = {"username": self.name, "password": "x", "_xsrf": token[1] if token else ""}
        self._call("/hub/login", told, form=True)
        # "too many are starting, come again": the hub's page says so, and the student does
        for _ in range(30):
            try:
                self._call("/hub/spawn")
                break
            except OSError as error:
                self.asked_again = f"{error}"
                time.sleep(2)
        while not self._there():
            time.sleep(0.5)
        self.seconds["server"] = time.perf_counter() - start
        self.kernel = json.loads(self._call(f"/user/{self.name}/api/kernels", {"name": "python3"}))[
            "id"
        ]

    def run(self, sources: list[str], timeout: float = 600) -> None:
        """Run cells, one after the other; errors of the student's are no problem, silence is."""
        ioloop.IOLoop(make_current=False).run_sync(lambda: self._run(sources, timeout))

    async def _run(self, sources: list[str], timeout: float) -> None:
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._cookies)
        address = f"ws://127.0.0.1:{PORT}/user/{self.name}/api/kernels/{self.kernel}/channels"
        line = await websocket.websocket_connect(
            httpclient.HTTPRequest(
                address, headers={"Cookie": cookies}, request_timeout=300, connect_timeout=300
            )
        )
        for source in sources:
            number = uuid.uuid4().hex
            await line.write_message(
                json.dumps(
                    {
                        "channel": "shell",
                        "content": {
                            "code": source,
                            "silent": False,
                            "allow_stdin": False,
                            "stop_on_error": False,
                            "store_history": True,
                            "user_expressions": {},
                        },
                        "header": {
                            "msg_id": number,
                            "msg_type": "execute_request",
                            "username": "",
                            "session": "s",
                            "version": "5.3",
                            "date": "",
                        },
                        "parent_header": {},
                        "metadata": {},
                        "buffers": [],
                    }
                )
            )
            until = time.monotonic() + timeout
            while True:
                said = await line.read_message()
                if said is None or time.monotonic() > until:
                    self.problems.append("the kernel is silent")
                    return
                if isinstance(said, bytes):
                    continue
                message = json.loads(said)
                if (
                    message["parent_header"].get("msg_id") == number
                    and message["msg_type"] == "execute_reply"
                ):
                    break
                if message["content"].get("execution_state") in ("restarting", "dead"):
                    self.problems.append("the kernel died")
                    return
        line.close()


def resident() -> dict[str, int]:
    """MB of each server's control group, without the page cache."""
    found = {}
    for group in GROUP.glob("*/memory.stat"):
        found[group.parent.name] = int(re.search(r"total_rss (\d+)", group.read_text())[1]) >> 20
    return found


def together(students: list[Student], work) -> None:
    """Every student in a thread, until the last is done. What fails is one student's problem."""

    def tried(student: Student) -> None:
        try:
            work(student)
        except Exception as error:
            student.problems.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=tried, args=(student,), daemon=True) for student in students]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main(bin: str, proxy: str, lesson: str, count: str, one_more: str = "") -> None:
    cells = [
        cell
        for cell in json.loads(Path(lesson).read_text("utf-8"))["cells"]
        if cell["cell_type"] == "code"
    ]
    sources = [
        "".join(cell["source"]) for cell in cells if "google.colab" not in "".join(cell["source"])
    ]
    GROUP.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "jupyterhub_config.py")
        config.write_text(
            CONFIG.format(
                group=str(GROUP),
                memory=MEMORY,
                port=PORT,
                next=PORT + 2,
                proxy=proxy,
                folder=folder,
                bin=bin,
            )
        )
        hub = subprocess.Popen(
            [f"{bin}/jupyterhub", "-f", str(config)],
            cwd=folder,
            start_new_session=True,
            stdout=open(Path(folder, "log"), "w"),
            stderr=subprocess.STDOUT,
            env={**os.environ, "PATH": f"{bin}:{os.environ['PATH']}"},
        )
        try:
            _wait()
            students = [Student(f"s{number}") for number in range(int(count))]
            _trial(students, sources, one_more)
        except BaseException:
            print(Path(folder, "log").read_text()[-3000:])
            raise
        finally:
            for file in GROUP.glob("*/cgroup.procs"):
                for process in file.read_text().split():
                    os.kill(int(process), signal.SIGKILL)
            os.killpg(hub.pid, signal.SIGTERM)
            hub.wait(60)
            time.sleep(1)
            for group in [*GROUP.glob("*/"), GROUP]:
                group.rmdir()


def _wait() -> None:
    for _ in range(120):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/hub/health", timeout=2)
            return
        except OSError:
            time.sleep(0.5)
    raise SystemExit("the hub does not come up")


def _trial(students: list[Student], sources: list[str], one_more: str) -> None:
    def first(student: Student) -> None:
        start = time.perf_counter()
        student.begin()
        student.run(sources[:1])
        student.seconds["first cell"] = time.perf_counter() - start

    def lesson(student: Student) -> None:
        start = time.perf_counter()
        student.run(sources[1:])
        student.seconds["lesson"] = time.perf_counter() - start

    bad = Student("bad")
    together([*students, *([bad] if one_more else [])], first)
    if lost := [student.name for student in students if "first cell" not in student.seconds]:
        print(f"no first cell: {lost}")
    if one_more:
        text = (
            "while True: pass"
            if one_more == "loop"
            else "taken = []\nwhile True: taken.append(bytearray(1 << 26))"
        )
        threading.Thread(target=lambda: bad.run([text], 3600), daemon=True).start()
        time.sleep(5)
    together(students, lesson)
    memory = resident()
    print(
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {len(students)} students {one_more}"
    )
    for what in ("server", "first cell", "lesson"):
        times = sorted(student.seconds[what] for student in students if what in student.seconds)
        print(f"  {what:10} median {statistics.median(times):6.1f} s, slowest {times[-1]:6.1f} s")
    own = [memory[student.name] for student in students]
    print(
        f"  memory     median {statistics.median(own):.0f} MB, most {max(own)} MB"
        + (
            f"; the bad one {memory.get('bad')} MB, {bad.problems or 'still running'}"
            if one_more
            else ""
        )
    )
    print(
        "  again     ",
        [student.asked_again for student in students if student.asked_again] or "nobody",
    )
    print(
        "  problems  ", [problem for student in students for problem in student.problems] or "none"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
