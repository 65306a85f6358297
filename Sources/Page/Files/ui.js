// What several screens have in common.

import { fill, h, svg } from './dom.js'
import { ago, clock, t } from './text.js'
import { Refusal } from './api.js'

const marks = {
  'in-sync': '✓', 'only-here': '◐', sending: '↑', receiving: '↓', 'waiting-for-game': '⏸', conflict: '⇄',
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

setInterval(() => {
  if (document.hidden) return
  for (const element of document.querySelectorAll('passing-time')) element.show()
}, 30000)

/** A sentence with elements in the place of its names in braces. */
export function sentence(key, parts) {
  const names = Object.keys(parts)
  const open = Object.fromEntries(names.map((name) => [name, `\u0000${name}\u0000`]))
  return t(key, open).split('\u0000').map((text, index) => (index % 2 ? parts[text] : text))
}

/** A short note at the end of the page, which goes away. */
export function toast(text, action) {
  const note = h('div', { class: 'toast' }, h('span', {}, text))
  const end = () => note.remove()
  if (action) {
    note.append(h('button', { class: 'quiet', onclick: () => { end(); action.run() } }, action.label))
  }
  note.append(h('button', { class: 'quiet', 'aria-label': t('close'), onclick: end }, '×'))
  document.getElementById('toasts').append(note)
  setTimeout(end, action ? 12000 : 6000)
}

/** Says what failed, why, and what helps. */
export function problem(error) {
  const note = h('div', { class: 'toast bad', role: 'alert' },
    h('div', {}, h('p', {}, error.message), error.next && h('p', { class: 'faint' }, error.next)),
    h('button', { class: 'quiet', 'aria-label': t('close'), onclick: () => note.remove() }, '×'))
  document.getElementById('toasts').append(note)
  setTimeout(() => note.remove(), 20000)
  if (!(error instanceof Refusal)) console.error(error)
}

/** A button that does something once at a time, and says what went wrong. */
export function action(label, run, attributes = {}) {
  const button = h('button', { type: 'button', ...attributes, onclick: async () => {
    button.disabled = true
    try {
      await run()
    } catch (error) {
      if (error.status !== 401) problem(error)
    } finally {
      button.disabled = false
    }
  } }, label)
  return button
}

/** Opens a dialog. `make` gets what closes it, and gives its content. */
export function dialog(title, make) {
  const before = document.activeElement
  const box = h('dialog', { 'aria-label': title })
  const close = () => box.close()
  box.addEventListener('close', () => {
    box.remove()
    before?.isConnected && before.focus()
  })
  fill(box, h('h2', {}, title), make(close))
  document.body.append(box)
  box.showModal()
  ;(box.querySelector('[autofocus]') ?? box.querySelector('input, button'))?.focus()
  return close
}

/** Asks before something is done. */
export const confirm = (title, text, label, run, kind = 'main') => dialog(title, (close) => [
  h('p', {}, text),
  h('div', { class: 'buttons' },
    h('button', { type: 'button', onclick: close }, t('cancel')),
    action(label, async () => { await run(); close() }, { class: kind })),
])

/** A command to type, with a button that copies it. */
export const command = (text) => h('div', { class: 'command' }, h('code', {}, text),
  h('button', { type: 'button', class: 'quiet', onclick: async () => {
    await navigator.clipboard.writeText(text)
    toast(t('copied'))
  } }, t('copy')))

/** A bar that shows how much is done. */
export function progress(done, total) {
  const percent = total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : 0
  return h('div', { class: 'progress', role: 'progressbar', 'aria-valuenow': percent, 'aria-valuemin': 0, 'aria-valuemax': 100 },
    svg('svg', { viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      svg('rect', { width: percent, height: 4 })))
}

/** A small plot of numbers over time. */
export function plot(values, label) {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = (index) => (values.length === 1 ? 50 : (index / (values.length - 1)) * 100)
  const y = (value) => 27 - (high === low ? 12 : ((value - low) / (high - low)) * 24)
  return h('figure', { class: 'plot' },
    h('figcaption', {}, `${label}: ${values.at(-1)}`),
    svg('svg', { viewBox: '0 0 100 30', preserveAspectRatio: 'none', role: 'img', 'aria-label': t('game.plot', { label }) },
      svg('polyline', { points: values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ') })))
}
