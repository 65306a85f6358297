// What happened: who asked, who was let in, what was sent.

import { get } from './api.js'
import { fill, h, list } from './dom.js'
import { known, nameOf, onEvent } from './model.js'
import { has, t } from './text.js'
import { passing, problem } from './ui.js'

export function activityScreen() {
  const items = h('ol.rows.log', {})
  const none = h('p.empty', {})
  const more = h('button', { hidden: true, onclick: () => { limit *= 4; load() } }, t('more'))
  let limit = 100
  let timer
  async function load() {
    timer = undefined
    try {
      const lines = (await get(`/v1/log?limit=${limit}`)).reverse()
      more.hidden = lines.length < limit
      fill(none, lines.length === 0 && t('activity.none'))
      let count = lines.length
      list(items, lines.map(({ sentence, ...line }) => ({ ...line, number: count-- })), (line) => `${line.number}${line.time}${line.event}`, row)
    } catch (error) {
      problem(error)
    }
  }
  const end = onEvent(() => { timer ??= setTimeout(load, 1000) })
  load()
  return { root: h('div', {}, h('h1', {}, t('tab.activity')), h('section.panel', {}, none, items, more)), show() {}, title: t('tab.activity'), end }
}

const row = (line) => h('li', {}, h('span.faint.when', {}, passing(line.time)),
  h('span.grow', {},
    line.peer && [h('strong', {}, nameOf(line.peer)), ' '],
    has(`log.${line.event}`) ? t(`log.${line.event}`) : line.event, ' ',
    h('span.faint', {}, Object.entries(line.details ?? {}).map(([name, value]) => 
      name === 'set' ? known.games.find((game) => game.set === value)?.name ?? value : `${name}: ${value}`).join(' · '))))
