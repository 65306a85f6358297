"""Drives a headless Chromium over its debugging pipe: two descriptors, JSON messages with a zero behind each."""

import base64
import json
import os
import select
import subprocess
import tempfile
import time


class PageError(Exception):
    pass


class Browser:
    """One Chromium. It has a profile of its own, which goes with it."""

    def __init__(self, program="chromium", files=None):
        # The page's files are taken from this folder in place of the daemon, to try a change without a build.
        self.files = files
        self.profile = tempfile.TemporaryDirectory(prefix="huddle-chromium-")
        to_browser, own_writing = os.pipe()
        own_reading, from_browser = os.pipe()

        def hand_over():
            # The browser reads from 3 and writes to 4.
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}",
             "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
             # The page's key for other devices is signed by itself, and a person takes the warning once.
             "--ignore-certificate-errors", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
             # Two names that a hostile name server resolves to this machine.
             "--host-resolver-rules=MAP evil.example 127.0.0.1, MAP rebound.example 127.0.0.1", "about:blank"],
            preexec_fn=hand_over, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.profile.name})
        os.close(to_browser)
        os.close(from_browser)
        self.reading, self.writing = own_reading, own_writing
        self.rest = b""
        self.last = 0
        self.events = []

    def send(self, method, parameters=None, session=None, within=30):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.writing, data):]
        deadline = time.monotonic() + within
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise PageError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def receive(self, deadline):
        while b"\0" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.reading], [], [], left)[0]:
                raise PageError("the browser does not answer")
            data = os.read(self.reading, 1 << 20)
            if not data:
                raise PageError("the browser has ended")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(message)
        if message.get("method") == "Fetch.requestPaused":
            self.serve(message)
        return message

    def post(self, method, parameters, session):
        """Sends a message and does not wait for its answer."""
        self.last += 1
        data = json.dumps({"id": self.last, "method": method, "params": parameters, "sessionId": session}).encode() + b"\0"
        while data:
            data = data[os.write(self.writing, data):]

    def serve(self, event):
        request = event["params"]
        name = request["request"]["url"].split("?")[0].split("#")[0].split("/", 3)[3] or "index.html"
        path = os.path.join(self.files, name)
        if request["request"]["method"] != "GET" or "/" in name or not os.path.exists(path):
            return self.post("Fetch.continueRequest", {"requestId": request["requestId"]}, event["sessionId"])
        kind = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}.get(name.split(".")[-1], "text/html")
        with open(path, "rb") as file:
            self.post("Fetch.fulfillRequest", {
                "requestId": request["requestId"], "responseCode": 200, "body": base64.b64encode(file.read()).decode(),
                "responseHeaders": [{"name": "Content-Type", "value": f"{kind}; charset=utf-8"}]}, event["sessionId"])

    def open(self, address="about:blank", width=1280, height=800, dark=False, touch=False, context=None):
        return Tab(self, address, width, height, dark, touch, context)

    def close(self):
        try:
            self.send("Browser.close", within=5)
        except (PageError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.reading)
        os.close(self.writing)
        for _ in range(20):
            try:
                self.profile.cleanup()
                break
            except OSError:
                time.sleep(0.1)


class Tab:
    """One tab, with what a person does there and what they see."""

    def __init__(self, browser, address, width, height, dark, touch, context=None):
        self.browser = browser
        # Each has its own cookies, as browsers of two people have, unless it is one more tab of a browser.
        self.is_first = context is None
        self.context = context or browser.send("Target.createBrowserContext")["browserContextId"]
        target = browser.send("Target.createTarget", {"url": "about:blank", "browserContextId": self.context})["targetId"]
        self.target = target
        self.session = browser.send("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        if browser.files:
            self.send("Fetch.enable", {"patterns": [{"urlPattern": f"http://127.0.0.1:*{end}"} for end in (".js", ".css")]})
        self.look(width, height, dark)
        self.go(address)

    def send(self, method, parameters=None, within=30):
        return self.browser.send(method, parameters, self.session, within)

    def look(self, width, height, dark=False, scale=1):
        self.send("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 600})
        self.send("Emulation.setEmulatedMedia",
                  {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def go(self, address):
        self.send("Page.navigate", {"url": address})
        self.until("document.readyState === 'complete'")

    def run(self, script, within=30):
        answer = self.send("Runtime.evaluate", {
            "expression": script, "awaitPromise": True, "returnByValue": True, "userGesture": True}, within)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise PageError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def until(self, condition, within=15):
        """Waits until an expression is true, and gives its value."""
        script = f"""new Promise((done, fail) => {{
            const end = performance.now() + {within * 1000}
            const look = () => {{
                let value
                try {{ value = {condition} }} catch (error) {{ value = false }}
                if (value) done(value)
                else if (performance.now() > end) fail(new Error('it did not come: ' + document.body.innerText.slice(0, 2000)))
                else setTimeout(look, 30)
            }}
            look()
        }})"""
        try:
            return self.run(script, within + 5)
        except PageError as error:
            raise PageError(f"{condition}: {error}") from None

    # The signs around a name that keep it in its place are invisible.
    text = "document.body.innerText.replace(/[\\u2068\\u2069]/g, '')"

    def sees(self, text, within=15):
        return self.until(f"{self.text}.includes({json.dumps(text)})", within)

    def misses(self, text, within=15):
        return self.until(f"!{self.text}.includes({json.dumps(text)})", within)

    def wait(self, milliseconds):
        """Lets the page go on for a while."""
        self.run(f"new Promise((done) => setTimeout(done, {milliseconds}))")

    def hide(self, is_hidden=True):
        """Has the page think that it is hidden."""
        self.run(f"Object.defineProperty(document, 'hidden', {{ value: {json.dumps(is_hidden)}, configurable: true }}), "
                 "document.dispatchEvent(new Event('visibilitychange'))")

    def loads_in_frames(self):
        """The addresses that the frames in this page show, as the browser tells; nil where it refused one."""
        tree = self.send("Page.getFrameTree")["frameTree"]
        return [one["frame"]["url"] if "unreachableUrl" not in one["frame"] else None for one in tree.get("childFrames", [])]

    def click(self, text, within="button, a, summary, label", root="(document.querySelector('dialog[open]') ?? document)"):
        """Clicks what has this text, with a real click in its middle."""
        place = self.until(f"""(() => {{
            const all = [...{root}.querySelectorAll({json.dumps(within)})].filter((one) => one.getClientRects().length)
            const found = all.find((one) => one.innerText.trim() === {json.dumps(text)} || one.getAttribute('aria-label') === {json.dumps(text)})
              ?? all.find((one) => one.innerText.includes({json.dumps(text)}))
            if (!found || found.disabled) return
            found.scrollIntoView({{ block: 'center' }})
            const box = found.getBoundingClientRect()
            return {{ x: box.left + box.width / 2, y: box.top + box.height / 2 }}
        }})()""")
        self.mouse(place)

    def mouse(self, place):
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", {"type": kind, "x": place["x"], "y": place["y"], "button": "left", "clickCount": 1})

    def type(self, text):
        self.send("Input.insertText", {"text": text})

    def fill(self, label, text):
        """Types into the field with this label."""
        self.until(f"""(() => {{
            const root = document.querySelector('dialog[open]') ?? document
            const field = [...root.querySelectorAll('input, select')].find((one) =>
                one.getAttribute('aria-label') === {json.dumps(label)} || one.closest('label')?.innerText.trim().startsWith({json.dumps(label)}))
            if (!field) return false
            field.focus()
            field.select?.()
            return true
        }})()""")
        self.type(text)

    def key(self, name, count=1):
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, " ": 32}
        text = {"Enter": "\r", " ": " "}.get(name, "")
        for _ in range(count):
            for kind in ("keyDown", "keyUp"):
                self.send("Input.dispatchKeyEvent", {
                    "type": kind, "key": name, "code": "Space" if name == " " else name,
                    "windowsVirtualKeyCode": codes.get(name, 0), "text": text if kind == "keyDown" else ""})

    def picture(self, path, whole=True):
        size = self.run("({ width: innerWidth, height: Math.max(innerHeight, document.documentElement.scrollHeight) })")
        parameters = {"format": "png"}
        if whole:
            parameters["captureBeyondViewport"] = True
            parameters["clip"] = {"x": 0, "y": 0, **size, "scale": 1}
        data = self.send("Page.captureScreenshot", parameters)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        """What the browser has complained about: errors of scripts, refused content."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            if event["method"] == "Runtime.exceptionThrown":
                details = event["params"]["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            if event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                found.append(f"{event['params']['entry']['text']} {event['params']['entry'].get('url', '')}")
        return found

    def close(self):
        self.browser.send("Target.closeTarget", {"targetId": self.target})
        if self.is_first:
            self.browser.send("Target.disposeBrowserContext", {"browserContextId": self.context})
