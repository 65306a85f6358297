// What keeps machines apart, with the commands that help.

import { get, only } from './api.js'
import { fill, h } from './dom.js'
import { t } from './text.js'
import { action, command, problem } from './ui.js'

const marks = { fault: ['✕', 'doctor.fault'], warning: ['!', 'doctor.warning'], ok: ['✓', 'doctor.fine'] }

export function doctorScreen() {
  const status = h('p', { class: 'faint', role: 'status' })
  const findings = h('div.stack', {})
  const root = h('div', {}, h('div.head', {}, h('h1', {}, t('doctor.title')), h('span.faint.grow', {}, t('doctor.text')),
    action(t('doctor.again'), look, { class: 'main' })), status, findings)

  async function look() {
    fill(status, t('doctor.looking'))
    let lines
    try {
      lines = only(await get('/v1/doctor'), 'finding')
    } catch (error) {
      fill(status)
      throw error
    }
    const [bad, well] = [lines.filter((line) => line.state !== 'ok'), lines.filter((line) => line.state === 'ok')]
    const faults = bad.filter((line) => line.state === 'fault').length
    fill(status, bad.length ? t('doctor.counts', { faults, warnings: bad.length - faults }) : t('doctor.well'))
    fill(findings, bad.map(finding), well.length > 0 && h('details', { class: 'panel', open: bad.length === 0 },
      h('summary', {}, t('doctor.good', { count: well.length })), h('ul.rows', {}, well.map((line) =>
        h('li', {}, mark(line), h('span.grow', {}, line.message))))))
  }

  look().catch(problem)
  return { root, show() {}, title: t('doctor.title') }
}

const mark = (line) => h('span', { class: `state ${line.state}` },
  h('span', { class: 'mark', 'aria-hidden': 'true' }, marks[line.state]?.[0]), h('span', { class: line.state === 'ok' ? 'hidden' : '' }, t(marks[line.state]?.[1])))

const finding = (line) => h('article', { class: `need finding ${line.state}` },
  h('div.grow', {}, mark(line), h('h2', {}, line.message), line.explanation && h('p.faint', {}, line.explanation),
    (line.commands ?? []).map(command)))
