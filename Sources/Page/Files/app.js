// The page of one machine: its screens, and the way between them.

import { request, signIn } from './api.js'
import { fill, h } from './dom.js'
import { known, live, onChange } from './model.js'
import { chooseLanguage, t } from './text.js'
import { activityScreen } from './activity.js'
import { doctorScreen } from './doctor.js'
import { foundScreen } from './found.js'
import { gameScreen } from './game.js'
import { gamesScreen, needsOf } from './games.js'
import { inboxScreen } from './inbox.js'
import { machinesScreen } from './machines.js'
import { signInScreen } from './signin.js'
import './focus.js'

const screens = { games: gamesScreen, machines: machinesScreen, inbox: inboxScreen, activity: activityScreen, doctor: doctorScreen, game: gameScreen, found: foundScreen }
const main = document.getElementById('main')
const tabs = document.getElementById('tabs')
const banner = document.getElementById('banner')
// A browser of another device has no token: it signs in with a code, and its right is asked for.
const isElsewhere = !['127.0.0.1', 'localhost'].includes(location.hostname)
let screen

function showTabs(name) {
  const counts = { games: needsOf().length, inbox: known.inbox.filter((line) => line.new).length, machines: known.invitations.length }
  const wanted = JSON.stringify([name, counts])
  if (tabs.wanted === wanted) return
  tabs.wanted = wanted
  fill(tabs, ['games', 'machines', 'inbox', 'activity', 'doctor'].map((tab) =>
    h('a', { href: `#/${tab}`, 'aria-current': tab === name || (tab === 'games' && ['game', 'found'].includes(name)) ? 'page' : undefined },
      t(`tab.${tab}`), counts[tab] > 0 && h('span.badge', {}, counts[tab]))))
}

let route = ['games']

function go() {
  if (isElsewhere && known.signedOut) return enter()
  const parts = location.hash.replace(/^#\/?/, '').split('/').map(decoded)
  route = Object.hasOwn(screens, parts[0]) ? parts : ['games']
  screen?.end?.()
  screen = screens[route[0]](...route.slice(1))
  fill(main, screen.root)
  document.title = `${screen.title} – Huddle`
  scrollTo(0, 0)
  show()
}

function enter() {
  screen?.end?.()
  screen = signInScreen()
  fill(main, screen.root)
  document.title = `${screen.title} – Huddle`
  fill(tabs)
  main.ariaBusy = 'false'
}

function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function show() {
  document.getElementById('machine').textContent = known.status?.peer.name ?? 'Huddle'
  if (isElsewhere && known.signedOut) return
  showTabs(route[0])
  main.ariaBusy = String(!known.loaded && !known.signedOut)
  const only = known.browser?.right === 'read' ? 'readonly' : undefined
  const trouble = known.signedOut ? 'signedout' : !known.online ? 'offline' : only
  // A live region speaks again if the same text is put in it again.
  if (banner.trouble !== trouble) fill(banner, trouble && t(trouble, known.browser))
  banner.trouble = trouble
  banner.className = trouble ? `shown ${trouble}` : ''
  screen?.show()
}

addEventListener('signedout', () => {
  if (isElsewhere && !known.signedOut) {
    known.signedOut = true
    enter()
  }
  known.signedOut = true
  show()
})

/** Asks what this browser may do: the user can allow it more at any time. */
async function askForRight() {
  const response = await request('GET', '/session')
  if (response.ok) known.browser = await response.json()
}

async function begin() {
  const query = new URLSearchParams(location.search)
  const token = /^#(?:t=([0-9a-f]{64})|c=(\d{6}))$/.exec(location.hash)?.slice(1).find(Boolean)
  // The token or code is used: neither history nor a copied address keeps it.
  if (token) history.replaceState(null, '', `${location.pathname}${location.search}#/games`)
  await chooseLanguage(query.get('lang') ?? undefined)
  document.querySelector('.skip').textContent = t('skip')
  if (token) {
    if (!(await signIn(token))) known.signedOut = true
  }
  if (isElsewhere) {
    await askForRight()
    document.addEventListener('visibilitychange', async () => {
      if (document.hidden || known.signedOut) return
      await askForRight()
      show()
    })
  }
  addEventListener('hashchange', () => {
    go()
    main.focus({ preventScroll: true })
  })
  onChange(show)
  go()
  live()
}

begin()
