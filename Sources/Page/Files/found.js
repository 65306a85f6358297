// The games that are found on this machine: a list to tick.

import { ask, get, part } from './api.js'
import { fill, h, list } from './dom.js'
import { refresh } from './model.js'
import { size, t } from './text.js'
import { action, command, passing, problem, toast } from './ui.js'

export function foundScreen() {
  const status = h('p', { class: 'faint', role: 'status' }, t('found.looking'))
  const none = h('div', { class: 'panel', hidden: true }, h('p', {}, h('strong', {}, t('found.none'))),
    h('p.faint', {}, t('found.none.text')), command('huddle games update FILE|URL'))
  const rows = h('ul.rows.found', {})
  const ticked = new Set()
  let games = []
  const share = action('', shareTicked, { class: 'main' })
  const hint = h('span.faint.grow', {}, t('found.do.none'))
  const every = h('button', { onclick: () => {
    for (const game of games.filter(isFree)) ticked.add(game.id)
    for (const box of rows.querySelectorAll('input')) box.checked = true
    count()
  } }, t('found.all'))
  const bar = h('div', { class: 'bar', hidden: true }, hint, every, share)
  const panel = h('section', { class: 'panel', hidden: true }, rows)
  const root = h('div', {}, h('div.head', {},
    h('a', { class: 'button quiet', href: '#/games', 'aria-label': t('back') }, '←'), h('h1', {}, t('found.title'))), status, none, panel, bar)

  const isFree = (game) => !game.shared && game.share !== undefined

  function count() {
    share.textContent = t('found.do', { count: ticked.size })
    share.hidden = !(hint.hidden = ticked.size > 0)
  }

  async function load() {
    try {
      games = await get('/v1/games')
    } catch (error) {
      status.hidden = true
      problem(error)
      return
    }
    fill(status, games.length > 0 && t('found.text'))
    none.hidden = games.length > 0
    panel.hidden = bar.hidden = games.length === 0
    // Games with saves first, and the newest save first.
    games.sort((one, other) => Number(other.files > 0) - Number(one.files > 0) || (other.lastSave ?? 0) - (one.lastSave ?? 0))
    list(rows, games, (game) => game.id, row)
    count()
  }

  function row(game) {
    const path = (game.share ?? game.places.find((place) => place.standing === 'used') ?? game.places[0])?.path
    const box = isFree(game) && h('input', { type: 'checkbox', checked: ticked.has(game.id), onchange: () => {
      if (box.checked) ticked.add(game.id)
      else ticked.delete(game.id)
      count()
    } })
    return h('li', {}, h('label.check.grow', {}, box || h('span', { class: 'mark', 'aria-hidden': 'true' }, game.shared ? '✓' : ''),
      h('span.grow', {}, h('strong', {}, game.title), game.shared && h('span.tag', {}, t('found.shared')),
        h('span.faint.block', {},
          game.files > 0 ? t('found.files', { count: game.files, size: size(game.bytes) }) : t('found.nosaves'),
          game.lastSave > 0 && [' · ', passing(game.lastSave)],
          game.obstacle && game.files > 0 && ` · ${t(`found.${game.obstacle}`)}`),
        path && h('code.faint.block', {}, path),
        game.share?.names && h('span.faint.block', {}, t('found.names', { names: game.share.names.join(', ') })))))
  }

  async function shareTicked() {
    if (ticked.size === 0) return
    const done = []
    try {
      for (const id of [...ticked]) {
        await ask('POST', `/v1/games/${part(id)}`)
        ticked.delete(id)
        done.push(id)
      }
    } finally {
      if (done.length) toast(done.length === 1 ? t('found.done.one', { game: done[0] }) : t('found.done', { count: done.length }))
      await Promise.all([refresh('games'), load()])
    }
    location.hash = '#/games'
  }

  load()
  return { root, show() {}, title: t('found.title') }
}
