// Builds elements. Text only ever becomes text: nothing here takes markup.

const properties = new Set(['value', 'checked', 'disabled', 'hidden', 'open', 'tabIndex', 'htmlFor', 'className'])

/** Makes an element: h('button.main', {onclick: f}, 'Join', other). */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split('.')
  return filled(document.createElement(name),
    { ...(name === 'button' && { type: 'button' }), ...(classes.length && { class: classes.join(' ') }), ...attributes }, children)
}

/** Makes an element of a drawing. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children)
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (properties.has(name)) element[name] = value
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  add(element, children)
  return element
}

function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue
    element.append(child instanceof Node ? child : String(child))
  }
}

const focusable = 'a[href], button, input, textarea, summary, [tabindex="0"]'
const labelOf = (element) => element.getAttribute('aria-label') ?? (element.matches('input, textarea') ? element.type : element.textContent)

/** Changes what is in an element, and puts the focus back on what is there in the place of what had it. */
export function keepingFocus(container, change) {
  const before = document.activeElement
  if (!before || before === container || !container.contains(before)) return change()
  const all = [...container.querySelectorAll(focusable)]
  const [place, label] = [all.indexOf(before), labelOf(before)]
  change()
  if (before.isConnected) return
  const now = [...container.querySelectorAll(focusable)].filter((one) => one.getClientRects().length > 0)
  const target = now.find((one) => labelOf(one) === label) ?? now[Math.min(Math.max(place, 0), now.length - 1)]
    ?? container.closest('main, dialog')
  target?.focus({ preventScroll: true })
}

/** Puts children in the place of those that an element has. */
export function fill(element, ...children) {
  keepingFocus(element, () => {
    element.replaceChildren()
    add(element, children)
  })
  return element
}

/**
 * Shows one element for each item. An element stays if its item is equal to the one before, so that focus and scrolling stay, too.
 * Thousands are made in pieces, so that the first ones are seen at once.
 */
export function list(container, items, keyOf, make, atOnce = 60) {
  const shown = (container.shown ??= new Map())
  const ticket = (container.ticket = (container.ticket ?? 0) + 1)
  let index = 0
  let place
  const step = (count) => keepingFocus(container, () => {
    if (container.ticket !== ticket) return
    if (index === 0) {
      const wanted = new Set(items.map(keyOf))
      for (const [key, { element }] of shown) {
        if (wanted.has(key)) continue
        element.remove()
        shown.delete(key)
      }
      place = container.firstChild
    }
    for (; index < items.length && count > 0; index += 1) {
      const key = keyOf(items[index])
      const text = JSON.stringify(items[index])
      const old = shown.get(key)
      let element = old?.element
      if (old?.text !== text) {
        element = make(items[index])
        if (old) {
          old.element.replaceWith(element)
          if (place === old.element) place = element
        }
        shown.set(key, { element, text })
        count -= 1
      }
      if (element === place) place = place.nextSibling
      else container.insertBefore(element, place)
    }
    if (index < items.length) setTimeout(step, 0, 200)
  })
  step(atOnce)
}

/**
 * A grid of thousands of cards of one size, of which only those near the window are elements.
 * The card with the focus stays, so that a wheel does not take the focus away.
 */
export class CardGrid {
  #items = []
  #shown = new Map()
  #frame

  constructor(container, { keyOf, make, width, height, gap }) {
    Object.assign(this, { container, keyOf, make, width, height, gap })
    this.draw = this.draw.bind(this)
    const later = () => { this.#frame ??= requestAnimationFrame(this.draw) }
    addEventListener('scroll', later, { passive: true })
    const sizes = new ResizeObserver(later)
    sizes.observe(container)
    this.end = () => {
      removeEventListener('scroll', later)
      sizes.disconnect()
    }
  }

  show(items) {
    this.#items = items
    this.draw()
  }

  clear() {
    for (const { element } of this.#shown.values()) element.remove()
    this.#shown.clear()
    this.#items = []
    this.container.style.height = ''
  }

  draw() {
    this.#frame = undefined
    const { container, gap } = this
    if (this.#items.length === 0 || !container.isConnected) return
    const em = parseFloat(getComputedStyle(document.documentElement).fontSize)
    const box = container.getBoundingClientRect()
    const columns = Math.max(1, Math.floor((box.width + gap * em) / ((this.width + gap) * em)))
    const width = (box.width - (columns - 1) * gap * em) / columns
    const step = (this.height + gap) * em
    const rows = Math.ceil(this.#items.length / columns)
    container.style.height = `${rows * step}px`
    const first = Math.max(0, Math.floor(-box.top / step) - 2) * columns
    const last = Math.min(this.#items.length, (Math.ceil((innerHeight - box.top) / step) + 2) * columns)
    const focused = document.activeElement
    const near = new Map()
    for (let index = first; index < last; index += 1) near.set(this.keyOf(this.#items[index]), index)
    keepingFocus(container, () => {
      for (const [key, { element }] of this.#shown) {
        if (near.has(key) || element.contains(focused)) continue
        element.remove()
        this.#shown.delete(key)
      }
      let place = container.firstChild
      for (const [key, index] of near) {
        const item = this.#items[index]
        const text = JSON.stringify(item)
        const old = this.#shown.get(key)
        let element = old?.element
        if (old?.text !== text) {
          element = this.make(item)
          element.setAttribute('aria-description', `${index + 1} / ${this.#items.length}`)
          if (old) {
            if (place === old.element) place = element
            old.element.replaceWith(element)
          }
          this.#shown.set(key, { element, text })
        }
        Object.assign(element.style, {
          position: 'absolute', width: `${width}px`, height: `${this.height * em}px`,
          left: `${(index % columns) * (width + gap * em)}px`, top: `${Math.floor(index / columns) * step}px`,
        })
        if (element === place) place = place.nextSibling
        else container.insertBefore(element, place)
      }
    })
  }
}
