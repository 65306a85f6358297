// Moves the focus with arrow keys or a gamepad, to what is nearest in that direction.

const selector = 'a[href], button:not([disabled]), input:not([disabled]):not([tabindex="-1"]), summary, textarea'

function candidates() {
  const root = document.querySelector('dialog[open]') ?? document.body
  return [...root.querySelectorAll(selector)].filter((element) => element.getClientRects().length > 0 && !element.matches('.skip'))
}

/** Moves the focus. */
export function move(direction) {
  const from = document.activeElement
  const all = candidates()
  if (!from || from === document.body || !all.includes(from)) {
    const first = mainFirst(all)
    const box = first?.getBoundingClientRect()
    const isSeen = box && box.bottom > 0 && box.top < innerHeight
    if (isSeen || !scrolled(direction)) (first ?? all[0])?.focus()
    return
  }
  const start = from.getBoundingClientRect()
  const middle = { x: (start.left + start.right) / 2, y: (start.top + start.bottom) / 2 }
  let best
  let least = Infinity
  for (const element of all) {
    if (element === from) continue
    const there = element.getBoundingClientRect()
    const dx = (there.left + there.right) / 2 - middle.x
    const dy = (there.top + there.bottom) / 2 - middle.y
    const [along, across] = direction === 'left' ? [start.left - there.right, dy]
      : direction === 'right' ? [there.left - start.right, dy]
        : direction === 'up' ? [start.top - there.bottom, dx] : [there.top - start.bottom, dx]
    if (along < -8) continue
    const overlap = direction === 'left' || direction === 'right'
      ? Math.min(start.bottom, there.bottom) - Math.max(start.top, there.top)
      : Math.min(start.right, there.right) - Math.max(start.left, there.left)
    // To the left and right there is the same row alone: the next thing below is no neighbour.
    if (overlap <= 0 && (direction === 'left' || direction === 'right')) continue
    const distance = Math.max(along, 0) + (overlap > 0 ? 0 : Math.abs(across) * 2)
    if (distance < least) [best, least] = [element, distance]
  }
  if (best && !isFar(best, direction) || !scrolled(direction)) {
    best?.focus()
    best?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
}

/** True if the way to an element leads over what the user has not seen yet. */
function isFar(element, direction) {
  // The header is always at the top of the window.
  if (direction === 'up' && element.closest('header')) return true
  const { top, bottom } = element.getBoundingClientRect()
  return direction === 'down' ? top > innerHeight * 1.5 : direction === 'up' && bottom < -innerHeight / 2
}

/** Scrolls by half a window; false at the end. */
function scrolled(direction) {
  const box = document.querySelector('dialog[open]') ?? document.scrollingElement
  const before = box.scrollTop
  if (direction === 'down' || direction === 'up') box.scrollBy(0, innerHeight / (direction === 'down' ? 2 : -2))
  return box.scrollTop !== before
}

const mainFirst = (all) => all.find((element) => element.closest('main, dialog'))

const directions = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' }
const takesText = (element) => element?.matches?.('input:not([type=checkbox], [type=file], [type=submit]), textarea')

/** Goes back one screen. The browser's own dialogs close by themselves. */
function back() {
  const dialog = document.querySelector('dialog[open]')
  if (dialog) dialog.requestClose ? dialog.requestClose() : dialog.close()
  else if (globalThis.navigation?.canGoBack === false) location.hash = '#/games'
  else if (!['', '#/games'].includes(location.hash)) history.back()
}

document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return
  const direction = directions[event.key]
  if (direction) {
    const field = takesText(event.target)
    if (field && (direction === 'left' || direction === 'right' || event.target.matches('textarea'))) return
    event.preventDefault()
    move(direction)
  } else if (event.key === 'Escape' && !document.querySelector('dialog[open]') && !takesText(event.target)) {
    back()
  }
})

// A gamepad has no events of its own: it is looked at in each frame while one is connected and the page is seen.
const buttons = { 12: 'up', 13: 'down', 14: 'left', 15: 'right' }
let held
let waitUntil = 0
let isLooking = false

function look(time) {
  const pads = [...navigator.getGamepads()].filter(Boolean)
  if (!pads.length || document.hidden) return void (isLooking = false)
  // Beside this window a game may run, and its buttons are not for the page.
  if (!document.hasFocus()) {
    held = undefined
    return void requestAnimationFrame(look)
  }
  const now = new Set()
  for (const pad of pads) {
    for (const [index, name] of Object.entries(buttons)) if (pad.buttons[index]?.pressed) now.add(name)
    if (pad.buttons[0]?.pressed) now.add('choose')
    if (pad.buttons[1]?.pressed) now.add('back')
    const [x = 0, y = 0] = pad.axes
    if (Math.abs(x) > 0.6) now.add(x < 0 ? 'left' : 'right')
    else if (Math.abs(y) > 0.6) now.add(y < 0 ? 'up' : 'down')
  }
  // What is pressed as the page gets the focus was pressed for something else.
  held ??= now
  for (const name of now) {
    const isNew = !held.has(name)
    if (name === 'choose') isNew && document.activeElement?.click?.()
    else if (name === 'back') isNew && back()
    else if (isNew || time > waitUntil) {
      move(name)
      waitUntil = time + (isNew ? 400 : 140)
    }
  }
  held = now
  requestAnimationFrame(look)
}

function begin() {
  if (isLooking) return
  isLooking = true
  requestAnimationFrame(look)
}

window.addEventListener('gamepadconnected', begin)
document.addEventListener('visibilitychange', () => { if (!document.hidden) begin() })
