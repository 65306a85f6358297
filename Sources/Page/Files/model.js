// The facts on the page. An event makes it ask for them again.

import { follow, get } from './api.js'

export const known = {
  status: undefined, games: [], offers: [], machines: [], devices: [], invitations: [], inbox: [],
  online: true, loaded: false, signedOut: false,
}

const listeners = new Set()
export const onChange = (listener) => (listeners.add(listener), () => listeners.delete(listener))
const tell = () => { for (const listener of [...listeners]) listener() }

const loaders = {
  async status() { known.status = (await get('/v1/status'))[0] },
  async games() {
    const lines = await get('/v1/saves')
    known.games = lines.filter((line) => line.event === 'save-set').map(plain)
    for (const line of known.games) notePace(line)
    known.offers = lines.filter((line) => line.event === 'save-offer').map(plain)
  },
  async machines() {
    known.machines = (await get('/v1/peers')).map(plain)
    known.devices = (await Promise.all(['retroarch', 'syncthing'].map((kind) => get(`/v1/${kind}/devices`)))).flat().map(plain)
  },
  async invitations() { known.invitations = await get('/v1/invitations') },
  async inbox() { known.inbox = (await get('/v1/inbox')).map(plain).reverse() },
}

// The sentence is for terminals, and its times change.
const plain = ({ sentence, ...line }) => line

const paces = new Map()

/** Notes the bytes of a game, for the time left. */
function notePace(line) {
  const isMoving = (line.state === 'sending' || line.state === 'receiving') && line.total > 0
  if (!isMoving) return void paces.delete(line.set)
  const now = performance.now() / 1000
  const before = paces.get(line.set)
  if (!before || line.bytes < before.bytes) paces.set(line.set, { bytes: line.bytes ?? 0, since: now })
  else if (now - before.since > 1) line.left = Math.ceil((line.total - line.bytes) / Math.max(1, (line.bytes - before.bytes) / (now - before.since)))
}

const wanted = new Set()
let coming
let lastLoad = 0
let moving

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
    await Promise.all(names.map((name) => loaders[name]()))
    lastLoad = performance.now() - began
    known.loaded = true
    known.online = true
    known.signedOut = false
  } catch (error) {
    if (error.status === 401) known.signedOut = true
    else {
      // A refusal is an answer, too.
      known.online = error.status !== undefined
      setTimeout(() => document.hidden || refresh(...names), 2000)
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
    await new Promise((done) => setTimeout(done, patience))
    patience = Math.min(patience * 2, 15000)
  }
}

/** The machine with an id, if known. */
export const machine = (id) => known.machines.find((line) => line.peer.id === id)

/** Its name, or the beginning of its id. */
export function machineName(id) {
  const own = known.status?.peer
  if (own && own.id === id) return own.name
  return machine(id)?.peer.name ?? id.slice(0, 9)
}

export const game = (name) => known.games.find((line) => line.name === name)
