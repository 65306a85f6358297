// The facts on the page. An event makes it ask for them again.

import { follow, get, only } from './api.js'

export const known = {
  status: undefined, games: [], offers: [], machines: [], devices: [], invitations: [], inbox: [],
  online: true, loaded: false, signedOut: false,
}

const listeners = new Set()
export const onChange = (listener) => (listeners.add(listener), () => listeners.delete(listener))
const tell = () => { for (const listener of [...listeners]) listener() }

const loaders = {
  status: async () => ({ status: (await get('/v1/status'))[0] }),
  async games() {
    const lines = (await get('/v1/saves')).map(plain)
    const [games, offers] = ['save-set', 'save-offer'].map((kind) => only(lines, kind))
    for (const line of games) {
      const isMoving = (line.state === 'sending' || line.state === 'receiving') && line.total > 0
      if (isMoving) line.left = timeLeft(line.set, line.bytes ?? 0, line.total)
      else paces.delete(line.set)
    }
    return { games, offers }
  },
  machines: async () => ({
    machines: (await get('/v1/peers')).map(plain),
    devices: (await Promise.all(['retroarch', 'syncthing'].map((kind) => get(`/v1/${kind}/devices`)))).flat().map(plain),
  }),
  invitations: async () => ({ invitations: await get('/v1/invitations') }),
  inbox: async () => ({ inbox: (await get('/v1/inbox')).map(plain).reverse() }),
}

const [asked, taken] = [{}, {}]

/** Asks for the facts of a name. An answer that a later one has overtaken is stale. */
async function learn(name) {
  const turn = (asked[name] = (asked[name] ?? 0) + 1)
  const facts = await loaders[name]()
  if (turn < taken[name]) return
  taken[name] = turn
  Object.assign(known, facts)
}

// The sentence is for terminals, and its times change.
const plain = ({ sentence, ...line }) => line

const paces = new Map()

/** The seconds that are left, by the bytes that have moved since this was first asked. */
export function timeLeft(key, bytes, total) {
  const now = performance.now() / 1000
  const before = paces.get(key)
  if (!before || bytes < before.bytes) paces.set(key, { bytes, since: now })
  else if (now - before.since > 1 && bytes > before.bytes) return Math.ceil((total - bytes) / (bytes - before.bytes) * (now - before.since))
}

const wanted = new Set()
let coming
let lastLoad = 0
let moving
let retry = 1000

/** Asks for some facts soon, once for many events, and answers when they are here. */
export function refresh(...names) {
  for (const name of names.length ? names : all) wanted.add(name)
  // Thousands of games take a while: a question for each event would fill the time.
  coming ??= new Promise((done) => setTimeout(done, Math.max(120, lastLoad * 4))).then(load)
  return coming
}

async function load() {
  const names = [...wanted]
  wanted.clear()
  coming = undefined
  const began = performance.now()
  try {
    await Promise.all(names.map(learn))
    lastLoad = performance.now() - began
    retry = 1000
    known.loaded = true
    known.online = true
    known.signedOut = false
  } catch (error) {
    if (error.status === 401) known.signedOut = true
    else {
      // A refusal is an answer, too.
      known.online = error.status !== undefined
      setTimeout(() => document.hidden || refresh(...names), (retry = Math.min(retry * 2, 60000)))
    }
  }
  tell()
  // Progress makes no event.
  clearTimeout(moving)
  if (known.games.some((game) => game.state === 'sending' || game.state === 'receiving'))
    moving = setTimeout(() => document.hidden || refresh('games'), 1000)
}

const all = Object.keys(loaders)

// The facts that an event may change; all else is about games.
const touched = {
  invited: ['invitations'], 'invitation-over': ['invitations'], 'let-in': ['invitations', 'machines'],
  joined: ['machines', 'games'], left: ['machines', 'games'], away: ['machines', 'games'],
  returned: ['machines', 'games'], policy: ['machines'], message: ['inbox'], received: ['inbox'],
  'not-received': ['inbox'], 'save-peer': ['games', 'machines'], stream: ['inbox'], 'stream-ended': ['inbox'],
  // Earlier events are unknown.
  ready: all, missed: all,
  machines: ['machines'], vouched: ['machines', 'games'], 'removed-elsewhere': ['machines'], device: ['machines'],
  'device-saved': ['games', 'machines'], 'device-trouble': ['games', 'machines'],
  'save-offer': ['games'], 'hook-failed': [], 'no-desktop': [], advertised: ['status'], withdrawn: ['status'],
  progress: [],
}

const heard = new EventTarget()
/** Calls a listener with each event; answers a function that ends that. */
export function onEvent(listener) {
  const hear = (event) => listener(event.detail)
  heard.addEventListener('line', hear)
  return () => heard.removeEventListener('line', hear)
}

// A browser opens six connections to an address, and a stream of events holds one. So one visible
// tab follows the events and tells the others.
const channel = new BroadcastChannel('huddle')
let following

channel.onmessage = ({ data }) => {
  if (following) take(data)
}

function take(line) {
  if (line.event === 'no-answer') {
    known.online = false
    return tell()
  }
  const names = touched[line.event] ?? ['games']
  if (names.length) refresh(...names)
  heard.dispatchEvent(new CustomEvent('line', { detail: line }))
}

const share = (line) => {
  channel.postMessage(line)
  take(line)
}

/** Follows the daemon's events while the user sees the page. */
export function live() {
  document.addEventListener('visibilitychange', () => (document.hidden ? pause() : resume()))
  // Another tab has signed this browser in.
  addEventListener('storage', resume)
  resume()
}

function pause() {
  following?.abort()
  following = undefined
}

function resume() {
  if (following || document.hidden) return
  const own = (following = new AbortController())
  // This tab missed the events of the leading one.
  refresh(...all)
  navigator.locks.request('huddle-events', { signal: own.signal }, () => lead(own)).catch(() => {})
}

async function lead(own) {
  let patience = 500
  while (following === own) {
    try {
      await follow('GET', '/v1/events', {
        signal: own.signal,
        take(line) {
          patience = 500
          share(line)
        },
      })
    } catch (error) {
      if (own.signal.aborted) return
      if (error.status === 401) {
        following = undefined
        known.signedOut = true
        return tell()
      }
    }
    share({ event: 'no-answer' })
    // A tab that gets hidden meanwhile leaves the lead to another one.
    await new Promise((done) => {
      setTimeout(done, patience)
      own.signal.addEventListener('abort', done)
    })
    patience = Math.min(patience * 2, 15000)
  }
}

/** The machine with an id, if known. */
export const machine = (id) => known.machines.find((line) => line.peer.id === id)

/** The name with which a peer came, or the one that is known. */
export const nameOf = (peer) => peer.name ?? machineName(peer.id)

/** Its name, or the beginning of its id. */
export function machineName(id) {
  const own = known.status?.peer
  if (own && own.id === id) return own.name
  return machine(id)?.peer.name ?? id.slice(0, 9)
}

export const game = (name) => known.games.find((line) => line.name === name)
