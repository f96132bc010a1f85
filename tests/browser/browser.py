"""A headless Chromium, driven by the DevTools protocol over a pair of pipes: nothing but Python's own library."""

import base64
import json
import os
import shutil
import subprocess
import tempfile

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--disable-default-apps", "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-pipe",
)


class Browser:
    """One browser with one page. What the page logs as an error, or throws, is kept in `complaints`."""

    def __init__(self):
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None:
            raise FileNotFoundError("there is no Chromium: `bash scripts/install-deps` installs it")
        self.folder = tempfile.mkdtemp()
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()

        def pipes():  # Chromium reads from descriptor 3 and writes to 4
            low = [os.dup(to_browser), os.dup(from_browser)]
            os.dup2(low[0], 3)
            os.dup2(low[1], 4)

        self.process = subprocess.Popen([program, *FLAGS, f"--user-data-dir={self.folder}", "about:blank"],
                                        preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._buffer = b""
        self._next = 0
        self.complaints = []
        self.requests = []
        self._arrived = set()
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self._out)
        os.close(self._in)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _receive(self):
        while b"\0" not in self._buffer:
            piece = os.read(self._in, 1 << 20)
            if not piece:
                raise ConnectionError("the browser has ended")
            self._buffer += piece
        text, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(text)
        self._notice(message)
        return message

    def _notice(self, message):
        method, given = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(given["exceptionDetails"].get("exception", {}).get("description") or str(given))
        elif method == "Runtime.consoleAPICalled" and given["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(item.get("value", item.get("description"))) for item in given["args"]))
        elif method == "Log.entryAdded" and given["entry"]["level"] in ("error", "warning"):
            self.complaints.append(given["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])
        elif method:
            self._arrived.add(method)

    def call(self, method, **params):
        """A command's result. Raises RuntimeError with the browser's reason if it fails."""
        self._next += 1
        message = {"id": self._next, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def size(self, width, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)

    def scheme(self, name):
        """Whether the user prefers "light" or "dark"."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def open(self, path):
        self._arrived.discard("Page.loadEventFired")
        self.call("Page.navigate", url=f"file://{os.path.abspath(path)}")
        while "Page.loadEventFired" not in self._arrived:
            self._receive()

    def run(self, script):
        """The value of an expression in the page; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", str(answer)))
        return answer["result"].get("value")

    def hover(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x - 1, y=y)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.frame()

    def frame(self):
        """Two frames later, what was changed has been painted."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def screenshot(self, path, whole=False):
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))
