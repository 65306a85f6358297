// The machines: this one, those that are paired, those that are near.

import { ask, follow, part } from './api.js'
import { fill, h, list, svg } from './dom.js'
import { known, machineName, nameOf, onEvent, refresh } from './model.js'
import { has, t } from './text.js'
import { action, choices, confirm, dialog, form, pad, passing, problem, sentence, toast } from './ui.js'

export function machinesScreen() {
  const own = h('section.panel.own', {})
  const mine = h('ul.rows', {})
  const near = h('ul.rows', {})
  const asked = h('div.stack', {})
  const picture = h('div.reach', {})
  const none = h('p.empty', {}, t('machines.none'))
  const nearPart = h('section.panel', {}, h('h2', {}, t('machines.near')), near)
  const minePart = h('section.panel', {}, h('h2', {}, t('machines.mine')), mine)
  const devices = h('ul', { class: 'rows', 'data-devices': '' })
  const devicePart = h('section.panel', {}, h('h2', {}, t('devices.title')), devices)
  const root = h('div', {}, h('h1', {}, t('tab.machines')), asked, h('div.columns', {},
    h('div', {}, own, none, minePart, devicePart, nearPart), picture))

  function show() {
    const status = known.status
    fill(own, h('h2', {}, t('machines.here')), status && [
      h('div.head', {}, h('p.grow', {}, h('strong', {}, status.peer.name), ' ', h('span.faint', {}, status.peer.id.slice(0, 9), ` · ${status.version}`)),
        h('button', { onclick: () => renameDialog() }, t('machines.rename'))),
      status.message && h('p.why', {}, status.message),
      status.because && h('p.why', {}, status.because),
    ])
    list(asked, known.invitations, (line) => line.invitation, (line) => h('div.need.asks', {},
      h('p', {}, sentenceOfInvitation(line)),
      h('button', { class: 'main', onclick: () => openInvitation(line) }, t(line.needsCode ? 'machines.enter' : 'machines.accept'))))
    const paired = known.machines.filter((line) => line.known || line.kind === 'block')
    const others = known.machines.filter((line) => !line.known && line.kind !== 'block' && line.present)
    none.hidden = paired.length + others.length > 0 || !known.loaded
    minePart.hidden = paired.length === 0
    nearPart.hidden = others.length === 0
    devicePart.hidden = known.devices.length === 0
    list(devices, known.devices, (line) => line.text ?? line.name, deviceRow)
    list(mine, paired, (line) => line.peer.id, pairedRow)
    list(near, others, (line) => line.peer.id, nearRow)
    fill(picture, paired.length > 0 && reach(status?.peer.name ?? '', paired))
  }
  return { root, show, title: t('tab.machines') }
}

// What a machine of the household may send, and what a guest may.
const all = ['messages', 'streams', 'resources', 'saves']
const asGuest = ['messages', 'resources']

const label = (line) => line.peer.name ?? line.peer.id.slice(0, 9)

function pairedRow(line) {
  const name = label(line)
  const policy = `/v1/peers/${part(line.peer.id)}/policy`
  const set = async (word, allow) => {
    await ask('PUT', policy, { policy: word, ...(allow ? { allow } : {}) })
    refresh('machines', 'games')
  }
  const isBlocked = line.kind === 'block'
  const word = isBlocked ? [t('machines.blocked')] : line.present ? [t('machines.online')]
    : line.time ? sentence('machines.seen', { time: passing(line.time) }) : [t('machines.offline')]
  return h('li', {},
    h('span', { class: `dot ${line.present && !isBlocked ? 'online' : 'offline'}`, 'aria-hidden': 'true' }),
    h('span.grow', {}, h('strong', {}, name), ' ', h('span.faint', {}, line.peer.id.slice(0, 9), ' · ', word,
      isBlocked ? '' : ` · ${t(line.kind === 'ask' ? 'machines.guest' : 'machines.mine.word')}`),
    line.looksLike && h('span.why', {}, t('machines.like', { machine: line.looksLike })),
    line.voucher && h('span.why', {}, t('machines.vouched', { machine: machineName(line.voucher) })),
    line.removedBy && h('span.why', {}, t('machines.removed', { machine: line.removedBy.map(machineName).join(', ') }))),
    line.removedBy && action(t('machines.keep'), async () => {
      await ask('PUT', `/v1/peers/${part(line.peer.id)}/keep`)
      refresh('machines')
    }),
    !isBlocked && (line.kind === 'ask' ? action(t('machines.mine.do'), () => set('accept', all)) : action(t('machines.guest.do'), () => set('ask', asGuest))),
    isBlocked
      ? action(t('machines.unblock'), () => set('default'))
      : h('button', { onclick: () => confirm(t('machines.block.ask', { machine: name }), t('machines.block.text'), t('machines.block'), () => set('block'), 'danger') }, t('machines.block')),
    h('button', { onclick: () => confirm(t('machines.forget.ask', { machine: name }), t('machines.forget.text'), t('machines.forget'), async () => {
      await ask('DELETE', `/v1/peers/${part(line.peer.id)}`)
      refresh()
    }, 'danger') }, t('machines.forget')))
}

const nearRow = (line) => h('li', {}, h('span', { class: 'dot online', 'aria-hidden': 'true' }),
  h('span.grow', {}, h('strong', {}, label(line)), ' ', h('span.faint', {}, line.peer.id.slice(0, 9)),
    line.looksLike && h('span.why', {}, t('machines.like', { machine: line.looksLike }))),
  h('button', { class: 'main', onclick: () => pair(line) }, t('machines.pair')))

/** The state of a game on such a device. */
function stateWord(state) {
  const key = `state.${state.replaceAll(' ', '-')}`
  return has(key) ? t(key) : state
}

/** A device without Huddle. With Syncthing it has an id, a connection and a state of each game. */
function deviceRow(line) {
  const [kind, since] = line.kind === 'syncthing' ? ['Syncthing', 'machines.seen'] : ['RetroArch', 'devices.synced']
  const name = line.name || line.text.slice(0, 7)
  const path = `/v1/${line.kind}/devices/${part(line.text ?? line.name)}`
  const change = async (method, more = '') => {
    await ask(method, path + more)
    refresh('machines', 'games')
  }
  const asks = line.state === 'unpaired'
  const word = asks ? t('devices.asks') : line.state === 'blocked' || line.state === 'online' ? t(`machines.${line.state}`)
    : line.time ? sentence(since, { time: passing(line.time) }) : t('devices.never')
  return h('li', {}, h('span.grow', {}, h('strong', {}, name), ` ${kind} `, h('span.faint', {}, word), asks && h('span.why', {}, line.text),
    Object.entries(line.details ?? {}).map(([game, state]) => state !== 'in sync' && h('span.why', {}, `${game}: ${stateWord(state)}`))),
  asks ? action(t('machines.pair'), () => change('PUT'), { class: 'main' })
    : line.state === 'blocked' ? action(t('machines.unblock'), () => change('DELETE', '/block'))
      : h('button', { onclick: () => confirm(t('machines.block.ask', { machine: name }), t('devices.block.text'), t('machines.block'), () => change('PUT', '/block'), 'danger') }, t('machines.block')),
  !asks && h('button', { onclick: () => confirm(t('machines.forget.ask', { machine: name }), t('devices.forget.text'), t('machines.forget'), () => change('DELETE'), 'danger') }, t('machines.forget')))
}

/** A picture of the machines that this one reaches. */
function reach(own, paired) {
  const at = (index) => {
    const angle = (index / paired.length) * 2 * Math.PI - (Math.PI * 5) / 6
    return [100 + 68 * Math.cos(angle), 100 + 68 * Math.sin(angle)]
  }
  const node = (x, y, name, kind) => [svg('circle', { cx: x, cy: y, r: kind === 'own' ? 11 : 8, class: kind }),
    svg('text', { x, y: y + (kind === 'own' ? 24 : 20), 'text-anchor': 'middle' }, name.length > 14 ? `${name.slice(0, 13)}…` : name)]
  const names = (isReached) => paired.filter((line) => (line.present && line.kind !== 'block') === isReached).map(label).join(', ') || t('machines.empty')
  return [svg('svg', { viewBox: '-20 0 240 215', 'aria-hidden': true },
    paired.map((line, index) => svg('line', { x1: 100, y1: 100, x2: at(index)[0], y2: at(index)[1], class: line.present && line.kind !== 'block' ? 'online' : 'offline' })),
    paired.map((line, index) => node(...at(index), label(line), line.present && line.kind !== 'block' ? 'online' : 'offline')),
    node(100, 100, own, 'own')),
  h('p.faint', {}, t('machines.picture', { machine: own, online: names(true), offline: names(false) }))]
}

/** Asks for another name of this machine. */
export function renameDialog(then) {
  dialog(t('machines.rename'), (close) => {
    const name = h('input', { type: 'text', required: true, maxlength: 63, value: known.status?.peer.name ?? '', autofocus: true, autocomplete: 'off' })
    return form(h('label', {}, h('span', {}, t('machines.name')), name),
      choices(close,
        action(t('game.save'), async () => {
          const typed = name.value.trim()
          if (typed !== known.status?.peer.name) {
            await ask('PUT', '/v1/identity', { name: typed })
            toast(t('machines.named', { name: typed }))
          }
          close()
          then?.()
          refresh('status')
        }, { class: 'main', type: 'submit' })))
  })
}

// MARK: Pairing

/** Asks another machine to pair, and shows the code that a person types there. */
function pair(line) {
  const name = label(line)
  const running = new AbortController()
  dialog(t('machines.pair'), (close) => {
    const code = h('p', { class: 'code', 'aria-live': 'assertive' }, '…')
    const text = h('p', {}, t('machines.waiting', { machine: name }))
    const hint = h('p.faint', {})
    const box = h('div', {}, text, code, hint, choices(close))
    follow('POST', '/v1/calls', {
      body: { peer: line.peer.id, wait: 15, patience: 300 }, signal: running.signal,
      take(news) {
        if (news.event !== 'code') return
        code.textContent = `${news.code.slice(0, 3)} ${news.code.replace(/\s/g, '').slice(3)}`
        text.textContent = t('machines.code', { machine: name })
        hint.textContent = t('machines.code.text')
      },
    }).then(() => {
      toast(t('machines.paired', { machine: name }))
      refresh()
    }).catch((error) => running.signal.aborted || problem(error)).finally(() => {
      running.finished = true
      close()
    })
    queueMicrotask(() => box.closest('dialog')?.addEventListener('close', () => running.finished || running.abort()))
    return box
  })
}

export const sentenceOfInvitation = (line) =>
  t(line.needsCode ? 'machines.asks' : 'machines.asks.known', { machine: nameOf(line.peer) })

/** Answers a machine that wants to pair. */
export function openInvitation(line) {
  const path = `/v1/invitations/${part(line.invitation)}`
  const name = nameOf(line.peer)
  dialog(sentenceOfInvitation(line), (close) => {
    const end = onEvent((news) => { if (news.invitation === line.invitation && news.event !== 'invited') close() })
    const digits = h('input', { type: 'text', inputmode: 'numeric', autocomplete: 'off', maxlength: 9, class: 'code', 'aria-label': t('machines.six'), autofocus: true })
    const always = h('input', { type: 'checkbox', checked: true })
    const warning = h('p', { class: 'why', role: 'alert' })
    const answer = async (word, more = {}) => {
      await ask('POST', path, { answer: word, ...more })
      close()
      refresh()
      if (word === 'accept' && more.always === false) await ask('PUT', `/v1/peers/${part(line.peer.id)}/policy`, { policy: 'ask', allow: asGuest })
      if (word === 'accept') toast(t('machines.paired', { machine: name }))
    }
    const box = form(
      line.looksLike && h('p.why', {}, t('machines.like', { machine: line.looksLike })),
      line.needsCode && [h('p', {}, t('machines.enter.text', { machine: name })), digits, pad(digits)],
      h('label.check', {}, always, t('machines.as.mine')), warning,
      h('div.buttons', {},
        action(t('machines.block'), () => answer('block'), { class: 'danger' }),
        action(t('machines.decline'), () => answer('decline')),
        action(t('machines.accept'), async () => {
          const code = digits.value.replace(/\D/g, '')
          if (line.needsCode && code.length !== 6) return void (warning.textContent = t('machines.badcode'))
          await answer('accept', { always: always.checked, ...(line.needsCode ? { code } : {}) })
        }, { class: 'main', type: 'submit' })))
    queueMicrotask(() => box.closest('dialog')?.addEventListener('close', end))
    return box
  })
}
