// One game: its conflict, its machines, its versions, its settings.

import { ask, bytes, get, only, part } from './api.js'
import { fill, h, list } from './dom.js'
import { game, known, machine, machineName, nameOf, refresh } from './model.js'
import { clock, size, t } from './text.js'
import { action, choices, command, confirm, dialog, form, moved, passing, plot, problem, stateMark, toast } from './ui.js'

const newestCount = 20
const pieceCount = 200
const mostPlotted = 500

export function gameScreen(name) {
  const path = `/v1/saves/${part(name)}`
  const head = h('div.head', {})
  const choice = h('section.choice', {})
  const machines = h('section.panel', {})
  const plots = h('div.plots', {})
  const versions = h('ol', { class: 'versions', reversed: true })
  const more = h('button', { hidden: true, onclick: () => loadOlder() }, t('more'))
  const settings = h('section.panel', {})
  const root = h('div.game', {}, head, choice, plots,
    h('div.columns', {},
      h('section.panel', {}, h('h2', {}, t('game.versions')), versions, more),
      h('div', {}, machines, settings)))
  // The newest versions as they were asked for last, and pieces of older ones: a game may have 100,000.
  let newest = []
  let older = []
  let [turn, taken] = [0, 0]
  let state
  let shownHeads
  let shownSettings

  async function load() {
    const own = (turn += 1)
    try {
      const lines = await piece(newestCount)
      if (own < taken) return
      taken = own
      const gone = newest.filter((line) => !lines.some((one) => one.snapshot === line.snapshot))
      // What a piece no longer has goes on as older, unless all are new.
      older = gone.length < newest.length ? [...gone, ...older] : []
      if (older.length === 0) more.hidden = lines.length < newestCount
      newest = lines
      showVersions()
    } catch (error) {
      if (error.reason !== 'saves.unknown-set') problem(error)
    }
  }

  const piece = async (limit, before) => (await get(`${path}/versions?limit=${limit}${before ? `&before=${before}` : ''}`))
    .filter((line) => line.event === 'version').reverse().map(({ sentence, ...line }) => line)

  async function loadOlder() {
    more.disabled = true
    try {
      const last = [...newest, ...older].at(-1)
      const lines = await piece(pieceCount, last.snapshot)
      // Meanwhile the newest ones may all have changed: then these are not the next ones.
      if ([...newest, ...older].at(-1)?.snapshot !== last.snapshot) return
      more.hidden = lines.length < pieceCount
      older = [...older, ...lines]
      showVersions()
    } catch (error) {
      problem(error)
    } finally {
      more.disabled = false
    }
  }

  function showVersions() {
    const shown = game(name)?.snapshot
    const all = [...newest, ...older.map((line) => ({ ...line, shown: line.snapshot === shown }))]
    list(versions, all, (line) => line.snapshot, (line) => versionRow(name, line))
    showPlots(plots, all.slice(0, mostPlotted))
  }

  function show() {
    const line = game(name)
    if (!line) {
      fill(head, h('h1', {}, name), known.loaded && h('p.faint', {}, t('game.unknown')))
      for (const element of [choice, machines, settings]) element.hidden = true
      state = choice.wanted = undefined
      return
    }
    const now = JSON.stringify([line, known.machines])
    if (now === state) return
    state = now
    for (const element of [machines, settings]) element.hidden = false
    fill(head, h('a', { class: 'button quiet', href: '#/games', 'aria-label': t('back') }, '←'),
      h('h1', {}, line.name), stateMark(line.state),
      line.message && h('p.why', {}, line.message),
      /^huddle [^;,]*$/.test(line.next ?? '') && !['conflict', 'emptied'].includes(line.state) && command(line.next),
      line.total > 0 && (line.state === 'sending' || line.state === 'receiving') && h('div.moved', {}, moved(line)),
      line.snapshot && line.state !== 'conflict' && line.state !== 'emptied' && h('span.buttons', {},
        action(t('game.undo'), () => undo(line)),
        action(t(line.pause ? 'game.resume' : 'game.pause'), () => ask(line.pause ? 'DELETE' : 'PUT', line.pause === 'all' ? '/v1/pause' : `${path}/pause`).then(() => refresh('games'))),
        h('button', { onclick: () => markDialog(line) }, t('game.mark'))))
    showChoice(choice, line)
    showMachines(machines, line, path)
    if (shownSettings !== line.set) {
      shownSettings = line.set
      showSettings(settings, line, path)
    }
    const heads = `${line.heads} ${line.snapshot} ${line.number}`
    if (heads !== shownHeads) load()
    shownHeads = heads
  }
  return { root, show, title: name }
}

/** Brings back the version before the newest one, as `huddle undo` does. */
async function undo(line) {
  const path = `/v1/saves/${part(line.name)}`
  await ask('POST', `${path}/versions`)
  const lines = only(await get(`${path}/versions?limit=50`), 'version').reverse()
  const shown = lines.find((one) => one.shown) ?? lines[0]
  for (const one of lines.slice(lines.indexOf(shown) + 1).filter((one) => one.whole)) {
    const differs = await get(`${path}/differences?from=${part(one.snapshot)}&to=${part(shown.snapshot)}`)
    if (differs.length) return restore(line.name, one)
  }
  toast(t('game.undo.none'))
}

function markDialog(line) {
  dialog(t('game.mark'), (close) => {
    const note = h('input', { type: 'text', required: true, maxlength: 200, autofocus: true, autocomplete: 'off' })
    return form(h('p', {}, t('game.mark.text')),
      h('label', {}, h('span', {}, t('game.mark.note')), note),
      choices(close,
        action(t('game.mark.do'), async () => {
          const text = note.value.trim()
          if (!text) return note.focus()
          await ask('POST', `/v1/saves/${part(line.name)}/restore`, { version: game(line.name)?.snapshot ?? line.snapshot, note: text })
          close()
          toast(t('game.marked', { note: text }))
          refresh('games')
        }, { class: 'main', type: 'submit' })))
  })
}

// MARK: A conflict, and a folder that lost its files

async function showChoice(section, line) {
  const wanted = `${line.state}${line.heads}`
  if (section.wanted === wanted) return
  section.wanted = wanted
  section.hidden = line.state !== 'conflict' && line.state !== 'emptied'
  if (line.state === 'emptied') return showEmptied(section, line)
  if (line.state !== 'conflict') return void fill(section)
  try {
    const lines = await get(`/v1/conflicts?set=${part(line.name)}`)
    if (section.wanted === wanted) fill(section, conflict(line.name, lines))
  } catch (error) {
    section.wanted = undefined
    problem(error)
  }
}

function conflict(name, lines) {
  const sides = only(lines, 'version')
  const merges = lines.some((line) => line.event === 'choose' && line.kind === 'merge')
  const differences = only(lines, 'difference')
  const more = ['values', 'files'].map((kind) => [kind, only(lines, 'more-differ').reduce((sum, line) => sum + (line.kind === kind && line.number), 0)]).filter(([, count]) => count > 0)
  const sideName = (side) => side.peer ? nameOf(side.peer) : `@${side.version}`
  return [
    h('h2', {}, t('conflict.title')), h('p.faint', {}, t('conflict.text')),
    h('div.sides', {}, sides.map((side) => h('article.side', {},
      h('h3', {}, sideName(side)),
      h('p.faint', {}, passing(side.made), ` · @${side.version}`),
      h('ul', {}, (side.says ?? []).map((text) => h('li', {}, text))),
      differences.filter((line) => isPicture(line.path) && line.details[side.snapshot]).slice(0, 4)
        .map((line) => picture(name, side, line.path, sideName(side))),
      h('dl.values', {}, differences.map((line) => [
        h('dt', {}, line.text ? `${line.path}: ${line.text}` : line.path),
        h('dd', {}, line.details[side.snapshot] ?? t('conflict.absent')),
      ])),
      action(t('conflict.keep', { machine: sideName(side) }), () => resolve(name, side.snapshot, sideName(side)), { class: 'main' })))),
    differences.length === 0 && h('p.faint', {}, t('conflict.nothing')),
    more.map(([kind, count]) => h('p.faint', {}, t(`conflict.more.${kind}`, { count }))),
    h('div.buttons', {},
      merges && action(t('conflict.merge'), () => resolve(name, 'merge')),
      h('a', { class: 'button', href: '#/games' }, t('conflict.later'))),
  ]
}

const isPicture = (path) => /\.(png|jpe?g|webp|gif|bmp)$/i.test(path)

/** A picture of a save. It is drawn on a canvas, so that the page needs no permission for pictures from elsewhere. */
function picture(name, side, path, machine) {
  const canvas = h('canvas', { role: 'img', 'aria-label': t('conflict.picture', { path, machine }), width: 0, height: 0 })
  bytes(`/v1/saves/${part(name)}/versions/${part(side.snapshot)}/file?path=${part(path)}`)
    .then((content) => createImageBitmap(content, { resizeWidth: 640, resizeQuality: 'high' }))
    .then((bitmap) => {
      Object.assign(canvas, { width: bitmap.width, height: bitmap.height })
      canvas.getContext('2d').drawImage(bitmap, 0, 0)
    })
    // A file with the name of a picture may be none; its row in the list says that it differs.
    .catch(() => canvas.remove())
  return canvas
}

async function resolve(name, take, machine) {
  const before = game(name)?.snapshot
  await ask('POST', `/v1/saves/${part(name)}/resolve`, { take })
  refresh('games')
  toast(machine ? t('conflict.resolved', { machine }) : t('conflict.merged'), undoOf(name, before))
}

const undoOf = (name, snapshot) => snapshot && { label: t('undo'), run: async () => {
  try {
    await ask('POST', `/v1/saves/${part(name)}/restore`, { version: snapshot })
    toast(t('version.undone'))
    refresh('games')
  } catch (error) {
    problem(error)
  }
} }

function showEmptied(section, line) {
  const path = `/v1/saves/${part(line.name)}`
  fill(section, h('h2', {}, t('emptied.short', { game: line.name })),
    h('div.buttons', {},
      action(t('emptied.restore'), async () => {
        await ask('POST', `${path}/restore`, { version: line.snapshot })
        refresh('games')
      }, { class: 'main' }),
      action(t('emptied.send'), async () => {
        await ask('POST', `${path}/versions`, { emptied: true })
        refresh('games')
      })))
}

// MARK: Machines

function showMachines(section, line, path) {
  const sharers = line.sharers ?? []
  const [behind, notJoined] = [new Set(line.behind ?? []), new Set(line.notJoined ?? [])]
  const others = known.machines.filter((other) => other.known && other.kind === 'accept' && !sharers.includes(other.peer.id))
  const row = (name, text, button) => h('li', {}, h('span.grow', {}, h('strong', {}, name), ' ', h('span.faint', {}, text)), button)
  fill(section, h('h2', {}, t('game.machines')),
    h('ul.rows', {},
      row(known.status?.peer.name ?? '', t('game.here')),
      sharers.map((id) => {
        const there = machine(id)
        const word = notJoined.has(id) ? t('game.notjoined') : !there?.present ? t('game.offline') : behind.has(id) ? t('game.hasnot') : t('machines.online')
        return row(machineName(id), word, action('×', () => change('DELETE', id),
          { class: 'quiet', 'aria-label': t('game.unshare', { machine: machineName(id) }), title: t('game.unshare', { machine: machineName(id) }) }))
      }),
      others.map((other) => row(machineName(other.peer.id), '',
        action(t('game.share', { machine: machineName(other.peer.id) }), () => change('PUT', other.peer.id))))))

  async function change(method, id) {
    await ask(method, `${path}/peers/${part(id)}`)
    refresh('games')
  }
}

// MARK: Versions

function versionRow(name, line) {
  const who = line.device ?? (line.peer ? nameOf(line.peer) : '')
  const counts = line.counts ?? {}
  const changes = ['added', 'changed', 'removed'].filter((kind) => counts[kind] > 0)
    .map((kind) => t(`version.${kind}`, { count: counts[kind] })).join(', ')
  const details = h('div', { class: 'details', hidden: true })
  const opener = h('button', { 'aria-expanded': 'false', onclick: async () => {
    details.hidden = !details.hidden
    opener.setAttribute('aria-expanded', String(!details.hidden))
    if (details.hidden || details.childElementCount) return
    try {
      fill(details, t('loading'))
      fill(details, await versionDetails(name, line))
    } catch (error) {
      details.hidden = true
      problem(error)
    }
  } }, t('version.details'))
  return h('li', { class: line.shown ? 'shown' : '' },
    h('div.line', {},
      h('span.number', {}, `@${line.version}`),
      h('span.grow', {},
        h('span', { title: clock(line.made) }, passing(line.made)), ' ',
        h('span.faint', {}, t(`version.${line.kind}`, { machine: who }), changes && ` · ${changes}`),
        line.note && h('strong.tag', {}, t('game.marked', { note: line.note })),
        line.shown && h('span.tag', {}, t('version.shown')),
        !line.whole && h('span.tag', {}, t('version.gone')),
        line.reason && h('span.tag', {}, t('version.refused', { note: line.reason })),
        (line.says ?? []).map((text) => h('span.says', {}, text))),
      opener,
      !line.shown && line.whole && h('button', { onclick: () =>
        confirm(t('version.ask', { number: line.version, game: name }), t('version.ask.text'), t('version.restore'), () => restore(name, line)) },
      t('version.restore'))),
    details)
}

async function restore(name, line) {
  const before = game(name)?.snapshot
  await ask('POST', `/v1/saves/${part(name)}/restore`, { version: line.snapshot })
  refresh('games')
  toast(t('version.restored.done', { number: line.version }), undoOf(name, before))
}

async function versionDetails(name, line) {
  const path = `/v1/saves/${part(name)}`
  const lines = await get(`${path}/versions/${part(line.snapshot)}`)
  const files = only(lines, 'save-file')
  const current = game(name)?.snapshot
  const differences = current && current !== line.snapshot
    ? only(await get(`${path}/differences?from=${part(line.snapshot)}&to=${part(current)}`), 'difference')
    : []
  return [
    h('table', {}, h('caption.hidden', {}, t('version.files')),
      files.map((file) => h('tr', {}, h('td', {}, file.path), h('td.right', {}, size(file.bytes)), h('td.faint', {}, (file.says ?? []).join(', '))))),
    current && current !== line.snapshot && [h('h3', {}, t('version.since', { number: line.version })),
      differences.length === 0 ? h('p.faint', {}, t('version.nochange'))
        : h('ul', {}, differences.map((one) => h('li', {}, one.text ? `${one.path}: ${one.text}: ` : `${one.path}: `,
          h('del', {}, one.details[line.snapshot] ?? t('conflict.absent')), ' → ',
          h('ins', {}, one.details[current] ?? t('conflict.absent')))))],
  ]
}

/** The versions that led to the current one, the newest first. After a conflict the way leads to the side that was kept. */
function branch(versions) {
  const byId = new Map(versions.map((line) => [line.snapshot, line]))
  const way = []
  for (let line = versions.find((one) => one.shown) ?? versions[0]; line && !way.includes(line);) {
    way.push(line)
    const parents = (line.parents ?? []).map((id) => byId.get(id)).filter(Boolean)
    const said = String(line.says)
    // Versions in between may be gone.
    line = parents.find((one) => String(one.says) === said) ?? parents[0] ?? versions[versions.indexOf(line) + 1]
  }
  return way.reverse()
}

/** Numbers that the saves say over time, such as a level: the first that change. */
function showPlots(container, versions) {
  const series = new Map()
  for (const line of branch(versions)) {
    for (const [key, value] of Object.entries(line.numbers ?? {})) {
      const points = series.get(key) ?? series.set(key, []).get(key)
      points.push([line.made, value, line.says])
    }
  }
  const told = [...series].filter(([, points]) => new Set(points.map(([, value]) => value)).size > 1).slice(0, 3)
  const wanted = JSON.stringify(told)
  if (container.wanted === wanted) return
  container.wanted = wanted
  const files = new Set(told.map(([key]) => key.replace(/: [^:]*$/, '')))
  fill(container, told.map(([key, points]) => {
    const [, file, label] = /^(.*): (.*)$/.exec(key) ?? ['', '', key]
    const words = points.at(-1)[2]?.find((text) => text.startsWith(`${file}: `))?.slice(file.length + 2).split(', ').find((text) => text.startsWith(`${label} `))
    return plot(points, files.size > 1 ? key : label, words?.slice(label.length + 1))
  }))
}

// MARK: Settings

function showSettings(section, line, path) {
  const number = (label, value, attributes) => {
    const input = h('input', { type: 'number', min: 0, ...attributes })
    input.defaultValue = value
    return [h('label', {}, h('span', {}, label), input), input]
  }
  const [name, nameInput] = number(t('games.name'), line.name, { type: 'text' })
  const [keep, keepInput] = number(t('game.keep'), line.keeps?.versions ?? 50, { min: 1 })
  const [days, daysInput] = number(t('game.days'), line.keeps?.days ?? 0)
  const [settle, settleInput] = number(t('game.settle'), line.settle, { step: '0.1', min: '0.1' })
  fill(section, h('h2', {}, t('game.settings')), h('p.path', {}, h('span.faint', {}, `${t('game.folder')} `), h('code', {}, line.path)),
    form(name, keep, days, settle,
      h('div.buttons', {}, action(t('game.save'), async () => {
        // Only what was changed here: the rest may have been changed elsewhere meanwhile.
        const changes = {}
        const note = (key, input, value) => { if (input.value !== input.defaultValue) changes[key] = value }
        note('name', nameInput, nameInput.value.trim())
        note('keep', keepInput, Number(keepInput.value))
        note('days', daysInput, Number(daysInput.value))
        note('settle', settleInput, Number(settleInput.value))
        await ask('PUT', path, changes)
        for (const input of [nameInput, keepInput, daysInput, settleInput]) input.defaultValue = input.value
        toast(t('game.saved'))
        refresh('games')
        if (nameInput.value.trim() !== line.name) location.hash = `#/game/${part(nameInput.value.trim())}`
      }, { type: 'submit' }))),
    h('button', { class: 'danger', onclick: () =>
      confirm(t('game.stop.ask', { game: line.name }), t('game.stop.text'), t('game.stop'), async () => {
        await ask('DELETE', path)
        location.hash = '#/games'
        toast(t('game.stopped', { game: line.name }))
        refresh('games')
      }, 'danger') }, t('game.stop')))
}
