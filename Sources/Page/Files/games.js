// The games: what needs the user, then a card for each.

import { ask, part } from './api.js'
import { CardGrid, fill, h, list } from './dom.js'
import { known, machineName, nameOf, refresh } from './model.js'
import { t } from './text.js'
import { action, choices, dialog, form, moved, passing, sentence, stateMark, toast } from './ui.js'
import { openInvitation, renameDialog, sentenceOfInvitation } from './machines.js'

/** With more games than this, only those near the window are elements. */
const most = 200
const welcomed = 'huddle-welcomed'

export function gamesScreen() {
  const needs = h('section', { class: 'needs', 'aria-labelledby': 'needs' })
  const cards = h('div', { class: 'cards', id: 'cards' })
  const filter = h('input', { type: 'search', 'aria-label': t('games.filter'), placeholder: t('games.filter'), oninput: show })
  const count = h('span.faint', {})
  const empty = h('p.empty', {})
  const needsTitle = h('h2', { id: 'needs' }, t('games.needs'))
  const needsList = h('div.stack', {})
  let isLong = false
  const more = h('button', { hidden: true, onclick: () => {
    isLong = true
    show()
    needsList.children[3]?.querySelector('a, button')?.focus()
  } })
  fill(needs, needsTitle, needsList, more)
  const welcome = h('section', { class: 'panel welcome', 'aria-labelledby': 'welcome', hidden: true })
  const grid = new CardGrid(cards, { keyOf: (item) => item.line.set, make: card, width: 17, height: 12.5, gap: 0.9 })
  const root = h('div', {}, welcome, needs,
    h('section', { 'aria-labelledby': 'all' },
      h('div.head', {}, h('h1', { id: 'all' }, t('games.all')), count, filter,
        h('span.buttons', {}, h('a', { class: 'button', href: '#/found' }, t('found.find')),
          h('button', { class: 'main', onclick: shareDialog }, t('games.share')))),
      empty, cards))

  function show() {
    const asked = needsOf()
    showWelcome(welcome, show)
    needs.hidden = asked.length === 0
    const isCut = !isLong && asked.length > 4
    list(needsList, isCut ? asked.slice(0, 3) : asked, (need) => need.key, needRow)
    more.hidden = !isCut
    more.textContent = t('games.needs.more', { count: asked.length - 3 })
    const wanted = filter.value.trim().toLowerCase()
    const games = known.games.filter((line) => line.name.toLowerCase().includes(wanted))
    count.textContent = games.length === 1 ? t('games.one') : t('games.count', { count: games.length })
    filter.hidden = known.games.length < 8
    count.hidden = known.games.length === 0
    fill(empty, known.loaded && known.games.length === 0
      ? [h('strong', {}, t('games.none')), ' ', t('games.first')]
      : !known.loaded && !known.signedOut && t('loading'))
    const names = Object.fromEntries(known.machines.map((line) => [line.peer.id, [line.peer.name, line.present]]))
    const items = games.map((line) => ({ line, sharers: (line.sharers ?? []).map((id) => names[id] ?? [id.slice(0, 9), false]) }))
    const isMany = items.length > most
    if (isMany !== cards.classList.contains('many')) {
      if (isMany) list(cards, [], (item) => item.line.set, card)
      else grid.clear()
      cards.classList.toggle('many', isMany)
    }
    if (isMany) grid.show(items)
    else list(cards, items, (item) => item.line.set, card)
  }
  return { root, show, title: t('tab.games'), end: () => grid.end() }
}

/** What a new user does first: three steps, each with a mark once it is done. */
function showWelcome(section, show) {
  if (!known.loaded || !known.status) return
  const paired = known.machines.some((line) => line.known && line.kind !== 'block')
  const steps = [
    ['name', localStorage.getItem(welcomed) === 'named', known.status.peer.name,
      h('button', { onclick: () => renameDialog(() => {
        localStorage.setItem(welcomed, 'named')
        show()
      }) }, t('welcome.name.do'))],
    ['pair', paired, '', h('a', { class: 'button', href: '#/machines' }, t('machines.pair'))],
    ['games', known.games.length > 0, '', h('a', { class: 'button', href: '#/found' }, t('found.find'))],
  ]
  const isOver = localStorage.getItem(welcomed) === 'over' || (paired && known.games.length > 0)
  const wanted = JSON.stringify([isOver, steps.map(([, isDone, text]) => [isDone, text])])
  if (section.wanted === wanted) return
  section.wanted = wanted
  section.hidden = isOver
  fill(section, h('div.head', {}, h('h2', { id: 'welcome' }, t('welcome.title')),
    h('button', { class: 'quiet', onclick: () => {
      localStorage.setItem(welcomed, 'over')
      show()
    } }, t('welcome.skip'))),
  h('ol', {}, steps.map(([kind, isDone, text, button], index) => h('li', { class: isDone ? 'done' : '' },
    h('span', { class: 'mark', 'aria-hidden': 'true' }, isDone ? '✓' : index + 1),
    h('span.grow', {}, h('strong', {}, t(`welcome.${kind}`)), isDone && h('span.hidden', {}, ` ${t('welcome.done')}`),
      h('span.faint.block', {}, t(`welcome.${kind}.text`, { name: text }))),
    button))))
}

/** What a person is asked, the most urgent first. */
export function needsOf() {
  const invitations = known.invitations.map((line) => ({ key: `i${line.invitation}`, kind: 'invitation', line }))
  const games = known.games.filter((line) => line.state === 'conflict' || line.state === 'emptied')
    .map((line) => ({ key: `g${line.set}${line.state}`, kind: line.state, name: line.name }))
  const own = known.status?.peer.id
  const offers = known.offers.filter((line) => line.peer.id !== own)
    .map((line) => ({ key: `o${line.set}${line.peer.id}`, kind: 'offer', line }))
  return [...invitations, ...games, ...offers]
}

function needRow(need) {
  const row = (text, button, state) => h('div', { class: `need ${state}` }, h('p', {}, text), button)
  if (need.kind === 'invitation') {
    return row(sentenceOfInvitation(need.line),
      h('button', { class: 'main', onclick: () => openInvitation(need.line) },
        t(need.line.needsCode ? 'machines.enter' : 'machines.accept')), 'asks')
  }
  if (need.kind === 'offer') {
    return row(t('offer.from', { machine: nameOf(need.line.peer), game: need.line.name }),
      h('button', { class: 'main', onclick: () => joinDialog(need.line) }, t('offer.join')), 'offered')
  }
  return row(t(`${need.kind}.short`, { game: need.name }),
    h('a', { class: 'button main', href: `#/game/${part(need.name)}` }, t('conflict.choose')), need.kind)
}

function card({ line, sharers }) {
  const playing = line.played ? t('games.playing.here') : line.holder && t('games.playing', { machine: machineName(line.holder) })
  const saved = line.time
    ? sentence('games.saved', { time: passing(line.time), machine: (line.peer ? nameOf(line.peer) : '') })
    : [t('games.unsaved')]
  const moves = (line.state === 'sending' || line.state === 'receiving') && line.total > 0
  return h('a', { class: `card ${line.state}`, href: `#/game/${part(line.name)}` },
    h('span.name', {}, line.name),
    h('span.line', {}, stateMark(line.state), playing && h('span.playing', {}, playing)),
    moves ? moved(line) : h('span.faint', {}, saved),
    line.message && h('span.why', {}, line.message),
    h('span.chips', {}, sharers.map(([name, present]) =>
      h('span', { class: `chip ${present ? 'online' : 'offline'}` },
        h('span', { 'aria-hidden': 'true' }, present ? '●' : '○'), ' ', name,
        h('span.hidden', {}, ` ${t(present ? 'machines.online' : 'machines.offline')}`)))))
}

function field(label, attributes) {
  const input = h('input', { type: 'text', required: true, autocomplete: 'off', spellcheck: 'false', ...attributes })
  return [h('label', {}, h('span', {}, label), input), input]
}

async function shareDialog() {
  // A machine that was paired a moment ago is one to share with.
  await refresh('machines')
  dialog(t('games.share'), (close) => {
    const [name, nameInput] = field(t('games.name'), { autofocus: true })
    const [folder, folderInput] = field(t('games.folder'), { placeholder: '~/.local/share/…' })
    const paired = known.machines.filter((line) => line.known && line.kind === 'accept')
    const boxes = paired.map((line) => h('input', { type: 'checkbox', checked: true, value: line.peer.id }))
    return form(
      h('p', {}, t('games.share.text')), name, folder,
      paired.length > 0 && h('fieldset', {}, h('legend', {}, t('game.machines')),
        paired.map((line, index) => h('label.check', {}, boxes[index], line.peer.name ?? line.peer.id.slice(0, 9)))),
      choices(close,
        action(t('games.share.do'), async () => {
          const game = nameInput.value.trim()
          await ask('POST', '/v1/saves', { name: game, path: folderInput.value.trim() })
          for (const box of boxes.filter((box) => box.checked)) {
            await ask('PUT', `/v1/saves/${part(game)}/peers/${part(box.value)}`)
          }
          close()
          toast(t('games.shared', { game }))
          refresh('games')
        }, { class: 'main', type: 'submit' })))
  })
}

function joinDialog(offer) {
  const machine = nameOf(offer.peer)
  dialog(t('offer.from', { machine, game: offer.name }), (close) => {
    const [name, nameInput] = field(t('games.name'), { value: offer.name })
    const [folder, folderInput] = field(t('games.folder'), { autofocus: true, placeholder: '~/.local/share/…' })
    return form(
      h('p', {}, t('offer.text', { machine })), folder, name,
      choices(close,
        action(t('offer.join'), async () => {
          const game = nameInput.value.trim()
          await ask('POST', `/v1/offers/${part(offer.set)}`,
            { path: folderInput.value.trim(), name: game, peer: offer.peer.id })
          close()
          toast(t('offer.joined', { game }))
          refresh('games')
        }, { class: 'main', type: 'submit' })))
  })
}
