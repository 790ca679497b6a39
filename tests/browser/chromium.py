"""Drives a headless Chromium through its DevTools pipe. Standard library only.

The protocol: JSON messages that end in a zero byte, written to the browser's file descriptor 3 and read
from its descriptor 4 (https://chromedevtools.github.io/devtools-protocol/).
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

# Seconds after which an answer will not come any more.
PATIENCE = 120


def find():
    """The path of the browser, or None."""
    names = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    return next((path for path in map(shutil.which, filter(None, names)) if path), None)


class Chromium:
    """One browser with one page, as a context manager."""

    def __init__(self, path):
        self.profile = tempfile.TemporaryDirectory(prefix="eyas-browser-")
        read, self.to_browser = os.pipe()
        self.from_browser, write = os.pipe()
        flags = ["--headless", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars",
                 "--no-first-run", "--disable-dev-shm-usage", "--user-data-dir=" + self.profile.name]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            # Root, as in a container, has no sandbox; the pages are our own.
            flags.append("--no-sandbox")
        # The descriptors have to be 3 and 4 in the browser.
        line = f'exec "$@" 3<&{read} 4>&{write}'
        self.process = subprocess.Popen(["sh", "-c", line, "sh", path, *flags],
                                        pass_fds=[read, write], stderr=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL)
        os.close(read)
        os.close(write)
        self.number, self.buffer, self.session = 0, b"", None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        self.call("Page.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.process.terminate()
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        self.profile.cleanup()

    def message(self):
        """The next message of the browser."""
        until = time.monotonic() + PATIENCE
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.from_browser], [], [], max(0, until - time.monotonic()))
            more = os.read(self.from_browser, 1 << 16) if ready else b""
            if not more:
                raise RuntimeError("the browser does not answer")
            self.buffer += more
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        """Calls a method of the protocol and returns its result."""
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.to_browser, data):]
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]

    def open(self, url, width, scheme):
        """Opens a page at this width (CSS pixels) in the `light` or `dark` scheme."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        error = self.call("Page.navigate", url=url).get("errorText")
        if error:
            raise RuntimeError(f"{url}: {error}")
        until = time.monotonic() + PATIENCE
        while self.evaluate("document.readyState + ' ' + location.href") != "complete " + url:
            if time.monotonic() > until:
                raise RuntimeError(f"{url} does not load")
            time.sleep(0.05)

    def evaluate(self, script):
        """The value of a script, which the page's own policy does not keep from running."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def screenshot(self, file, height=None):
        """A picture of the page: all of it, or its first pixels down to a height."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": height or size["height"], "scale": 1}
        picture = self.call("Page.captureScreenshot", format="png", clip=clip,
                            captureBeyondViewport=True)
        with open(file, "wb") as out:
            out.write(base64.b64decode(picture["data"]))
