// What several screens have in common.

import { fill, h, svg } from './dom.js'
import { ago, clock, day, size, span, t } from './text.js'
import { Refusal } from './api.js'

const marks = {
  'in-sync': '✓', 'only-here': '◐', sending: '↑', receiving: '↓', 'waiting-for-game': '‖', conflict: '⇄',
  emptied: '∅', 'not-syncing': '✕', unavailable: '✕', offered: '+',
}

/** The state of a game, by colour, form and word. */
export const stateMark = (state) => h('span', { class: `state ${state}` },
  h('span', { class: 'mark', 'aria-hidden': 'true' }, marks[state] ?? '•'), t(`state.${state}`))

/** A time that goes on by itself: “2 minutes ago”. */
export class PassingTime extends HTMLElement {
  connectedCallback() {
    this.title = clock(Number(this.getAttribute('at')))
    this.show()
  }
  show() { this.textContent = ago(Number(this.getAttribute('at'))) }
}
customElements.define('passing-time', PassingTime)
export const passing = (seconds) => h('passing-time', { at: seconds })

let ticking
/** Has the times go on while somebody can see them. */
function tick() {
  clearInterval(ticking)
  if (document.hidden) return
  const showAll = () => { for (const element of document.querySelectorAll('passing-time')) element.show() }
  showAll()
  ticking = setInterval(showAll, 30000)
}
document.addEventListener('visibilitychange', tick)
tick()

/** A sentence with elements for its names in braces. */
export function sentence(key, parts) {
  const names = Object.keys(parts)
  const open = Object.fromEntries(names.map((name) => [name, `\u0000${name}\u0000`]))
  return t(key, open).split('\u0000').map((text, index) => (index % 2 ? h('bdi', {}, parts[text]) : text))
}

const toasts = document.getElementById('toasts')
const dialogOnTop = () => [...document.querySelectorAll('dialog[open]')].at(-1)

/** Puts the notes where they can be read and pressed: an open dialog makes all outside of it inert. */
const placeNotes = () => (dialogOnTop() ?? document.body).append(toasts)

const refocus = (element) => (element?.isConnected ? element : dialogOnTop() ?? document.getElementById('main')).focus({ preventScroll: true })

/** Shows a note at the end of the page for a while, and longer while a slow reader is on it. */
function note(attributes, time, content, action) {
  let before
  const end = () => {
    const hadFocus = box.contains(document.activeElement)
    box.remove()
    if (hadFocus) refocus(before)
  }
  const button = (label, run, more) => h('button', { class: 'quiet', onclick: () => { end(); run?.() }, ...more }, label)
  const box = h('div', { ...attributes, onfocusin: (event) => { if (!toasts.contains(event.relatedTarget)) before = event.relatedTarget } },
    content, action && button(action.label, action.run), button('×', undefined, { 'aria-label': t('close') }))
  placeNotes()
  toasts.append(box)
  const later = (time) => setTimeout(() => (box.matches(':hover, :focus-within') ? later(3000) : end()), time)
  later(time)
}

/** Says what is done, with a way back. */
export const toast = (text, action) => note({ class: 'toast' }, action ? 30000 : 8000, h('span', {}, text), action)

/** Says what failed, why, and what helps. A banner says that this browser is signed out. */
export function problem(error) {
  if (error.status === 401) return
  note({ class: 'toast bad', role: 'alert' }, 20000, h('div', {}, h('p', {}, error.message), error.next && h('p.faint', {}, error.next)))
  if (!(error instanceof Refusal)) console.error(error)
}

/** A button that does one thing at a time, and shows its error. */
export function action(label, run, attributes = {}) {
  // A disabled button would lose the focus.
  const button = h('button', { ...attributes, onclick: async () => {
    if (button.ariaBusy === 'true') return
    button.ariaBusy = 'true'
    try {
      await run()
    } catch (error) {
      problem(error)
    } finally {
      button.ariaBusy = null
    }
  } }, label)
  return button
}

/** A form whose buttons do what it is for: the browser sends it nowhere. */
export const form = (...children) => h('form', { onsubmit: (event) => event.preventDefault() }, ...children)

/** Opens a dialog. `make` gets what closes it, and gives its content. */
export function dialog(title, make) {
  const before = document.activeElement
  const close = () => box.close()
  const box = h('dialog', { 'aria-label': title, tabindex: -1, onclose: () => {
    placeNotes()
    box.remove()
    refocus(before)
  } })
  fill(box, h('h2', {}, title), make(close))
  document.body.append(box)
  box.showModal()
  placeNotes()
  ;(box.querySelector('[autofocus]') ?? box.querySelector('input, button'))?.focus()
  return close
}

/** The end of a dialog: a way out, and what it is for. */
export const choices = (close, ...buttons) => h('div.buttons', {}, h('button', { onclick: close }, t('cancel')), buttons)

/** Asks before something is done. */
export const confirm = (title, text, label, run, kind = 'main') => dialog(title, (close) => [
  h('p', {}, text),
  choices(close, action(label, async () => { await run(); close() }, { class: kind })),
])

/** A command to type, with a button that copies it. */
export const command = (text) => h('div.command', {}, h('code', {}, text),
  action(t('copy'), async () => {
    await navigator.clipboard.writeText(text)
    toast(t('copied'))
  }, { class: 'quiet' }))

/** A bar that shows how much is done of what the label says. */
function progress(done, total, label) {
  const percent = total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : 0
  return h('div', { class: 'progress', role: 'progressbar', 'aria-label': label, 'aria-valuenow': percent, 'aria-valuemin': 0, 'aria-valuemax': 100 },
    svg('svg', { viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      svg('rect', { width: percent, height: 4 })))
}

/** Bytes that have moved, of how many, and the time left. */
export const moved = (line) => [progress(line.bytes ?? 0, line.total, `${t(`state.${line.state}`)}: ${line.name}`), h('span.faint', {},
  t('size.left', { done: size(line.bytes ?? 0), total: size(line.total) }), line.left > 0 && ` · ${t('time.left', { time: span(line.left) })}`)]

/** A small plot of [time, value] pairs, with the last value in words. */
export function plot(points, label, words) {
  const values = points.map(([, value]) => value)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const [first, last] = [points[0][0], points.at(-1)[0]]
  const x = (time, index) => 2 + (last > first ? (time - first) / (last - first) : index / Math.max(1, points.length - 1)) * 96
  const y = (value) => 27 - (high === low ? 12 : ((value - low) / (high - low)) * 24)
  const places = points.map(([time, value], index) => `${x(time, index).toFixed(1)},${y(value).toFixed(1)}`)
  const number = (value) => value.toLocaleString(document.documentElement.lang)
  return h('figure.plot', {},
    h('figcaption', {}, h('span.grow', {}, label), h('strong', {}, words ?? number(values.at(-1)))),
    svg('svg', { viewBox: '0 0 100 30', preserveAspectRatio: 'none', role: 'img', 'aria-label': t('game.plot', { label, first: number(values[0]), last: number(values.at(-1)) }) },
      svg('polygon', { points: `2,30 ${places.join(' ')} 98,30` }), svg('polyline', { points: places.join(' ') })),
    h('span.faint.ends', {}, h('span', {}, day(first, last)), h('span', {}, day(last, first))))
}

/** Digits to choose with a gamepad, which has no keys. */
export const pad = (field) => h('div.pad', {}, [...'1234567890'].map((digit) =>
  h('button', { onclick: () => { if (field.value.replace(/\D/g, '').length < 6) field.value += digit } }, digit)),
h('button', { 'aria-label': t('machines.delete'), onclick: () => { field.value = field.value.slice(0, -1) } }, '⌫'))
