// Messages and files: what has come, and what goes out.

import { ask, part, Refusal, request } from './api.js'
import { fill, h, list } from './dom.js'
import { known, machineName, onEvent } from './model.js'
import { size, t } from './text.js'
import { action, passing, problem, progress, toast } from './ui.js'

export function inboxScreen() {
  const items = h('ul', { class: 'rows' })
  const none = h('p', { class: 'empty' })
  const choice = h('select', {})
  const nobody = h('p', { class: 'faint' }, t('inbox.nobody'))
  const text = h('input', { type: 'text', 'aria-label': t('inbox.write'), placeholder: t('inbox.write'), maxlength: 4000 })
  const files = h('input', { type: 'file', multiple: true, class: 'hidden', 'aria-label': t('inbox.files'), onchange: () => sendAll([...files.files]) })
  const moving = h('div', { class: 'stack' })
  const form = h('form', { onsubmit: (event) => event.preventDefault() },
    h('div', { class: 'line' }, h('label', {}, h('span', {}, t('inbox.to')), choice), h('label', { class: 'grow' }, h('span', {}, t('inbox.write')), text),
      action(t('inbox.send'), async () => {
        if (text.value === '') return
        const machine = machineName(choice.value)
        await ask('POST', '/v1/messages', { peer: choice.value, text: text.value })
        text.value = ''
        toast(t('inbox.sent', { machine }))
      }, { class: 'main', type: 'submit' })),
    h('div', { class: 'drop' }, h('p', {}, t('inbox.drop')),
      h('button', { type: 'button', onclick: () => files.click() }, t('inbox.files')), files))
  const root = h('div', {}, h('h1', {}, t('tab.inbox')), h('section', { class: 'panel' }, nobody, form, moving),
    h('section', { class: 'panel' }, none, items))

  root.addEventListener('dragover', (event) => {
    event.preventDefault()
    root.classList.add('dropping')
  })
  root.addEventListener('dragleave', () => root.classList.remove('dropping'))
  root.addEventListener('drop', (event) => {
    event.preventDefault()
    root.classList.remove('dropping')
    sendAll([...event.dataTransfer.files])
  })

  let seen = 0
  async function sendAll(all) {
    const peer = choice.value
    if (!peer) return
    for (const file of all) await send(file, peer)
    files.value = ''
  }

  /** The daemon gets the file first, and sends it on from there. */
  async function send(file, peer) {
    const bar = h('div', {})
    const row = h('div', { class: 'moving' }, h('span', {}, t('inbox.sending', { name: file.name })), bar)
    moving.append(row)
    fill(bar, progress(0, file.size))
    const end = onEvent((line) => {
      if (line.event === 'progress' && line.kind === 'sending' && line.name === file.name) fill(bar, progress(line.bytes, line.total))
    })
    try {
      const response = await request('PUT', `/files/${part(peer)}/${part(file.name)}`, file)
      const lines = (await response.text()).split('\n').filter(Boolean).map((line) => {
        try { return JSON.parse(line) } catch { return { event: 'failed', message: line } }
      })
      const failed = lines.find((line) => line.event === 'failed' || line.event === 'not-sent')
      if (failed) throw new Refusal(failed, response.status)
      toast(t('inbox.file.sent', { name: file.name, machine: machineName(peer) }))
    } catch (error) {
      problem(error)
    } finally {
      end()
      row.remove()
    }
  }

  function show() {
    const there = known.machines.filter((line) => line.known && line.present && line.kind !== 'block')
    const chosen = choice.value
    const before = [...choice.options].map((option) => option.value).join()
    if (before !== there.map((line) => line.peer.id).join()) {
      fill(choice, there.map((line) => h('option', { value: line.peer.id }, line.peer.name ?? line.peer.id.slice(0, 9))))
      if (there.some((line) => line.peer.id === chosen)) choice.value = chosen
    }
    const newest = known.inbox.find((line) => line.new)?.number
    if (newest > seen) {
      seen = newest
      ask('PUT', '/v1/inbox', { seen }).catch(() => { seen = 0 })
    }
    nobody.hidden = there.length > 0
    form.hidden = there.length === 0
    fill(none, known.inbox.length === 0 && known.loaded && t('inbox.none'))
    list(items, known.inbox, (line) => line.number, (line) => h('li', { class: line.new ? 'new' : '' },
      h('span', { class: 'grow' },
        line.event === 'message' ? h('span', { class: 'message' }, line.text ?? t('size.left', { done: size(line.bytes), total: size(line.bytes) }))
          : [h('strong', {}, line.name ?? line.path), ' ', h('code', {}, line.path)],
        h('span', { class: 'faint block' }, t('inbox.from', { machine: line.peer.name ?? machineName(line.peer.id) }), ' · ', passing(line.time),
          line.event === 'message' ? '' : ` · ${size(line.bytes)}`))))
  }
  return { root, show, title: t('tab.inbox') }
}
