// Messages and files: what has come, and what goes out.

import { ask, part, Refusal, request } from './api.js'
import { fill, h, keepingFocus, list } from './dom.js'
import { known, machineName, nameOf, onEvent, timeLeft } from './model.js'
import { size, t } from './text.js'
import { action, form, moved, passing, problem, toast } from './ui.js'

export function inboxScreen() {
  const items = h('ul.rows', {})
  const none = h('p.empty', {})
  const targets = h('div', { class: 'targets', role: 'group', 'aria-label': t('inbox.to') })
  const alone = h('p.faint', {}, t('inbox.alone'))
  const text = h('input', { type: 'text', 'aria-label': t('inbox.write'), maxlength: 4000 })
  const files = h('input', { type: 'file', multiple: true, class: 'hidden', tabindex: -1, 'aria-label': t('inbox.files'), onchange: () => sendAll([...files.files], chosen) })
  const moving = h('div.stack', {})
  const fields = form(
    h('p.faint', {}, t('inbox.drop')), targets,
    h('div.line', {}, h('label.grow', {}, h('span', {}, t('inbox.write')), text),
      action(t('inbox.send'), async () => {
        if (text.value === '' || !chosen) return
        const machine = machineName(chosen)
        await ask('POST', '/v1/messages', { peer: chosen, text: text.value })
        text.value = ''
        toast(t('inbox.sent', { machine }))
      }, { class: 'main', type: 'submit' }),
      h('button', { onclick: () => files.click() }, t('inbox.files')), files))
  const root = h('div', {}, h('h1', {}, t('tab.inbox')), h('section.panel', {}, alone, fields, moving),
    h('section.panel', {}, none, items))
  let chosen

  // A file that is dropped beside a machine goes to the chosen one; the browser would open it in place of the page.
  for (const kind of ['dragover', 'drop']) root.addEventListener(kind, (event) => event.preventDefault())
  root.addEventListener('drop', (event) => sendAll([...event.dataTransfer.files], event.target.closest?.('.target')?.value || chosen))

  function target(line) {
    const button = h('button', { class: 'target', value: line.peer.id, 'aria-pressed': String(line.peer.id === chosen), onclick: () => choose(line.peer.id) },
      h('span', { class: 'dot online', 'aria-hidden': 'true' }), line.peer.name ?? line.peer.id.slice(0, 9))
    for (const [kind, isOver] of [['dragenter', true], ['dragleave', false], ['drop', false]]) {
      button.addEventListener(kind, () => button.classList.toggle('over', isOver))
    }
    return button
  }

  function choose(id) {
    chosen = id
    for (const button of targets.children) button.ariaPressed = String(button.value === id)
  }

  let seen = 0
  async function sendAll(all, peer) {
    if (!peer) return
    for (const file of all) await send(file, peer)
    files.value = ''
  }

  /** The daemon gets the file first, and sends it on from there. */
  async function send(file, peer) {
    const bar = h('div.moved', {})
    const running = new AbortController()
    const row = h('div.line', {}, h('span', { class: 'grow', role: 'status' }, t('inbox.sending', { name: file.name })),
      h('button', { 'aria-label': `${t('cancel')}: ${file.name}`, onclick: () => running.abort() }, t('cancel')), bar)
    moving.append(row)
    const key = {}
    const show = (bytes, total) => fill(bar, moved({ state: 'sending', name: file.name, bytes, total, left: timeLeft(key, bytes, total) }))
    show(0, file.size)
    const end = onEvent((line) => {
      if (line.event === 'progress' && line.kind === 'sending' && line.name === file.name) show(line.bytes, line.total)
    })
    try {
      const response = await request('PUT', `/files/${part(peer)}/${part(file.name)}`, file, running.signal)
      const lines = (await response.text()).split('\n').filter(Boolean).map((line) => {
        try { return JSON.parse(line) } catch { return { event: 'failed', message: line } }
      })
      const failed = lines.find((line) => line.event === 'failed' || line.event === 'not-sent')
      if (failed) throw new Refusal(failed, response.status)
      toast(t('inbox.file.sent', { name: file.name, machine: machineName(peer) }))
    } catch (error) {
      if (running.signal.aborted) toast(t('inbox.cancelled', { name: file.name }))
      else problem(error)
    } finally {
      end()
      keepingFocus(root, () => row.remove())
    }
  }

  function show() {
    const there = known.machines.filter((line) => line.known && line.present && line.kind !== 'block')
    if (!there.some((line) => line.peer.id === chosen)) chosen = there[0]?.peer.id
    list(targets, there.map((line) => ({ peer: line.peer })), (line) => line.peer.id, target)
    choose(chosen)
    const newest = known.inbox.find((line) => line.new)?.number
    if (newest > seen) {
      seen = newest
      ask('PUT', '/v1/inbox', { seen }).catch((error) => { if (!error.status) seen = 0 })
    }
    alone.hidden = there.length > 0
    fields.hidden = there.length === 0
    fill(none, known.inbox.length === 0 && known.loaded && t('inbox.none'))
    list(items, known.inbox, (line) => line.number, (line) => h('li', { class: line.new ? 'new' : '' },
      h('span.grow', {},
        line.event === 'message' ? h('span.message', {}, line.text ?? t('size.left', { done: size(line.bytes), total: size(line.bytes) }))
          : [h('strong', {}, line.name ?? line.path), ' ', h('code', {}, line.path)],
        h('span.faint.block', {}, t('inbox.from', { machine: nameOf(line.peer) }), ' · ', passing(line.time),
          line.event === 'message' ? '' : ` · ${size(line.bytes)}`))))
  }
  return { root, show, title: t('tab.inbox') }
}
