// What happened: who asked, who was let in, what was sent.

import { get } from './api.js'
import { fill, h, list } from './dom.js'
import { machineName, onEvent } from './model.js'
import { has, t } from './text.js'
import { passing, problem } from './ui.js'

export function activityScreen() {
  const items = h('ol', { class: 'rows log' })
  const none = h('p', { class: 'empty' })
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
      if (error.status !== 401) problem(error)
    }
  }
  const end = onEvent(() => { timer ??= setTimeout(load, 1000) })
  load()
  return { root: h('div', {}, h('h1', {}, t('tab.activity')), h('section', { class: 'panel' }, none, items, more)), show() {}, title: t('tab.activity'), end }
}

const row = (line) => h('li', {}, h('span', { class: 'faint when' }, passing(line.time)),
  h('span', { class: 'grow' },
    line.peer && [h('strong', {}, line.peer.name ?? machineName(line.peer.id)), ' '],
    has(`log.${line.event}`) ? t(`log.${line.event}`) : line.event, ' ',
    h('span', { class: 'faint' }, Object.entries(line.details ?? {}).map(([name, value]) => `${name}: ${value}`).join(' · '))))
