// The daemon's API: lines of JSON over HTTP, with the key of this browser.
// The key is kept for this port alone. A cookie would go to every port of this host, also to a server of another user.

const place = 'huddle'
const key = () => localStorage.getItem(place) ?? ''

/** A refusal of the daemon: what failed, and what to do next. */
export class Refusal extends Error {
  constructor(line, status) {
    super(line.message ?? line.sentence ?? `${status}`)
    this.reason = line.reason ?? 'failed'
    this.next = line.next
    this.status = status
  }
}

export async function request(method, path, body, signal) {
  const isWhole = typeof body === 'string' || body instanceof Blob
  const response = await fetch(path, {
    method, signal, cache: 'no-store', credentials: 'omit',
    headers: { 'X-Huddle': key(), ...(method === 'GET' ? {} : { 'Content-Type': isWhole ? 'application/octet-stream' : 'application/json' }) },
    body: method === 'GET' || body === undefined ? undefined : isWhole ? body : JSON.stringify(body),
  })
  if (response.status === 401) window.dispatchEvent(new Event('signedout'))
  return response
}

/** Signs this browser in with the token of its address. */
export async function signIn(token) {
  const response = await request('POST', '/session', token)
  if (!response.ok) return false
  localStorage.setItem(place, (await response.json()).key)
  return true
}

/** Asks for something, and calls `take` with each line as it comes. */
export async function follow(method, path, { body, signal, take }) {
  const response = await request(method, path, body, signal)
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop()
    for (const text of lines) {
      if (text === '') continue
      const line = parsed(text, response.status)
      if (line.event === 'failed') throw new Refusal(line, response.status)
      take(line)
    }
    if (done) break
  }
  if (!response.ok) throw new Refusal(parsed(rest, response.status), response.status)
}

function parsed(text, status) {
  try {
    return JSON.parse(text)
  } catch {
    return { event: 'failed', message: text.trim() || `HTTP ${status}` }
  }
}

/** Asks for something, and gives all lines of the answer. */
export async function ask(method, path, body, signal) {
  const lines = []
  await follow(method, path, { body, signal, take: (line) => lines.push(line) })
  return lines
}

export const get = (path, signal) => ask('GET', path, undefined, signal)

/** The lines of one event among those of an answer. */
export const only = (lines, event) => lines.filter((line) => line.event === event)

/** A part of a path: names may have spaces and slashes. */
export const part = (text) => encodeURIComponent(text.toWellFormed?.() ?? text)

/** Waits for a whole answer of bytes, such as a picture. */
export async function bytes(path) {
  const response = await request('GET', path)
  if (!response.ok) throw new Refusal({}, response.status)
  return response.blob()
}
