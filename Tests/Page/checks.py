"""What can be checked of any screen: accessibility, and how fast it is."""

import json

ACCESSIBILITY = r"""(() => {
  const faults = []
  const seen = (element) => element.getClientRects().length > 0
  const name = (element) => (element.getAttribute('aria-label') ?? '').trim() || (element.labels?.[0]?.innerText ?? '').trim()
    || (element.innerText || element.textContent).trim() || (element.getAttribute('alt') ?? '').trim() || (element.getAttribute('placeholder') ?? '').trim()
  for (const element of document.querySelectorAll('a, button, input, select, [role=progressbar]')) {
    if (!seen(element)) continue
    if (element.matches('[role=progressbar]')) {
      if (!element.getAttribute('aria-label')) faults.push('a progress bar without a name')
      continue
    }
    if (!name(element)) faults.push(`no name: ${element.outerHTML.slice(0, 80)}`)
    const box = element.getBoundingClientRect()
    const target = element.matches('[type=checkbox]') ? element.closest('label').getBoundingClientRect() : box
    const isFile = element.matches('[type=file], .skip')
    if (!isFile && (target.height < 43.5 || target.width < 43.5)) faults.push(`small target ${Math.round(target.width)}×${Math.round(target.height)}: ${element.outerHTML.slice(0, 80)}`)
  }
  for (const image of document.querySelectorAll('img')) if (!image.hasAttribute('alt')) faults.push('image without alt')
  const ids = [...document.querySelectorAll('[id]')].map((element) => element.id)
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`id twice: ${id}`)
  for (const element of document.querySelectorAll('[aria-labelledby]')) {
    if (seen(element) && !document.getElementById(element.getAttribute('aria-labelledby'))) faults.push(`label is missing: ${element.outerHTML.slice(0, 60)}`)
  }
  if (!document.documentElement.lang) faults.push('no language')
  if (document.querySelectorAll('h1').length !== 1) faults.push(`${document.querySelectorAll('h1').length} h1`)
  if (document.querySelectorAll('main').length !== 1) faults.push('no main')
  // Contrast, of text on the nearest background that is not seen through.
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const color = (text) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = text
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const over = (front, back) => front.slice(0, 3).map((value, index) => (value * front[3] + back[index] * (255 - front[3])) / 255)
  const light = (rgb) => {
    const [r, g, b] = rgb.map((value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const background = (element) => {
    const layers = []
    for (let one = element; one; one = one.parentElement) {
      const found = color(getComputedStyle(one).backgroundColor)
      layers.push(found)
      if (found[3] === 255) break
    }
    return layers.reverse().reduce((back, front) => over(front, back), [255, 255, 255])
  }
  const contrast = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((one, other) => other - one)
    return (high + 0.05) / (low + 0.05)
  }
  for (const field of document.querySelectorAll('input:not([type=checkbox], [type=file]), textarea')) {
    if (!seen(field)) continue
    const ratio = contrast(color(getComputedStyle(field).borderTopColor), background(field.parentElement))
    if (ratio < 3) faults.push(`border of a field ${ratio.toFixed(2)}: ${field.outerHTML.slice(0, 60)}`)
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    if (!walker.currentNode.data.trim() || !seen(element) || element.closest('button:disabled, .skip, noscript, option')) continue
    const style = getComputedStyle(element)
    const back = background(element)
    const front = over(color(style.color), back)
    const ratio = contrast(front, back)
    const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700)
    if (ratio < (isLarge ? 3 : 4.5)) faults.push(`contrast ${ratio.toFixed(2)}: “${walker.currentNode.data.trim().slice(0, 30)}”`)
  }
  return faults
})()"""


def accessibility(tab):
    return tab.run(ACCESSIBILITY)


def answers(tab, path, lines):
    """Has the page get these lines for a path, whatever the daemon has. A path that ends in “*” is a beginning."""
    tab.run(f"""(() => {{
      const [own, text] = [window.fetch, {json.dumps("".join(json.dumps(line) + chr(10) for line in lines))}]
      const fits = (path) => {f"path.startsWith({json.dumps(path[:-1])})" if path.endswith("*") else f"path === {json.dumps(path)}"}
      window.fetch = (path, ...rest) => fits(path) && (rest[0]?.method ?? 'GET') === 'GET'
        ? Promise.resolve(new Response(text, {{ headers: {{ 'Content-Type': 'application/x-ndjson' }} }})) : own(path, ...rest)
    }})()""")


def fake_games(tab, count):
    """Has the page see so many games, whatever the daemon has."""
    states = ["in-sync", "only-here", "sending", "receiving", "conflict"]
    lines = "".join(json.dumps({
        "event": "save-set", "name": f"game {number}", "set": f"{number:032x}", "state": states[number % 5 if number > 8 else 0],
        "heads": ["0" * 64], "snapshot": "0" * 64, "number": 3, "path": f"/home/deck/game-{number}", "settle": 0.3,
        "sharers": [], "time": 1795756439, "keeps": {"versions": 50, "days": 30}}) + "\n" for number in range(count))
    script = f"""(() => {{
      const lines = {json.dumps(lines)}
      const own = window.fetch
      window.fetch = (path, ...rest) => path === '/v1/saves'
        ? Promise.resolve(new Response(lines, {{ headers: {{ 'Content-Type': 'application/x-ndjson' }} }})) : own(path, ...rest)
      window.longest = 0
      window.blocked = 0
      new PerformanceObserver((list) => {{
        for (const entry of list.getEntries()) window.blocked += Math.max(0, entry.duration - 50)
      }}).observe({{ type: 'longtask', buffered: true }})
    }})()"""
    if getattr(tab, "fake", None):
        tab.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": tab.fake})
    tab.fake = tab.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})["identifier"]


def fake_versions(tab, count):
    """Has the page see so many versions of each game, in the pieces for which it asks."""
    script = f"""(() => {{
      const own = window.fetch
      window.asked = []
      window.longest = 0
      new PerformanceObserver((list) => {{
        for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration)
      }}).observe({{ type: 'longtask', buffered: true }})
      const id = (number) => number.toString(16).padStart(64, '0')
      window.fetch = (path, ...rest) => {{
        const found = /\\/versions\\?limit=(\\d+)(?:&before=([0-9a-f]+))?$/.exec(path)
        if (!found) return own(path, ...rest)
        window.asked.push(Number(found[1]))
        const last = found[2] ? parseInt(found[2], 16) - 1 : {count}
        const lines = []
        for (let number = Math.max(1, last - found[1] + 1); number <= last; number += 1)
          lines.push(JSON.stringify({{ event: 'version', kind: 'saved', version: String(number), snapshot: id(number), number,
            made: 1795756439 + number, time: 1795756439 + number, whole: true, counts: {{ changed: 1 }}, says: [`level ${{number}}`] }}))
        return Promise.resolve(new Response(lines.join('\\n') + '\\n', {{ headers: {{ 'Content-Type': 'application/x-ndjson' }} }}))
      }}
    }})()"""
    tab.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})


def measured(tab):
    """Loads the page again, and scrolls through its games."""
    tab.send("Network.setCacheDisabled", {"cacheDisabled": True})
    tab.go(tab.run("location.origin") + "/#/games")
    tab.send("Page.reload", {"ignoreCache": True})
    tab.until("document.readyState === 'complete' && document.querySelectorAll('.card').length > 4")
    card = tab.run("performance.now()")
    tab.run("new Promise((done) => setTimeout(done, 1500))")
    return tab.run("""(async () => {
      const paint = performance.getEntriesByType('paint').find((entry) => entry.name === 'first-contentful-paint')?.startTime
        ?? performance.getEntriesByType('paint')[0]?.startTime ?? 0
      const bytes = performance.getEntriesByType('resource').filter((entry) => !entry.name.includes('/v1/'))
        .reduce((sum, entry) => sum + entry.decodedBodySize, performance.getEntriesByType('navigation')[0].decodedBodySize)
      const blocked = window.blocked
      const scrolled = async (pixels) => {
        const frames = []
        scrollTo(0, 0)
        await new Promise(requestAnimationFrame)
        let last = await new Promise(requestAnimationFrame)
        for (let step = 1; step <= 60; step += 1) {
          scrollTo(0, pixels * step)
          const now = await new Promise(requestAnimationFrame)
          frames.push(now - last)
          last = now
        }
        return frames.sort((one, other) => one - other)
      }
      const frames = await scrolled(80)
      const elements = document.querySelectorAll('*').length
      const jumps = await scrolled(document.documentElement.scrollHeight / 60)
      return { paint, bytes, blocked, frame: frames[30], frame95: frames[57], jump: jumps[30], elements, card: 0 }
    })()""") | {"card": card}
