// Builds elements. Text only ever becomes text: nothing here takes markup.

const properties = new Set(['value', 'checked', 'disabled', 'hidden', 'open', 'tabIndex', 'htmlFor', 'className'])

/** Makes an element: h('button', {class: 'main', onclick: f}, 'Join', other). */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children)
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

/** Puts children in the place of those that an element has. */
export function fill(element, ...children) {
  element.replaceChildren()
  add(element, children)
  return element
}

/**
 * Shows one element for each item. An element stays if its item is equal to the one before, so that focus and scrolling stay, too.
 * Thousands are made in pieces, so that the first ones are seen at once.
 */
export function list(container, items, keyOf, make, atOnce = 60) {
  const shown = (container.shown ??= new Map())
  const ticket = (container.ticket = (container.ticket ?? 0) + 1)
  const wanted = new Set(items.map(keyOf))
  for (const [key, { element }] of shown) {
    if (wanted.has(key)) continue
    element.remove()
    shown.delete(key)
  }
  let index = 0
  let place = container.firstChild
  const step = (count) => {
    if (container.ticket !== ticket) return
    for (; index < items.length && count > 0; index += 1) {
      const key = keyOf(items[index])
      const text = JSON.stringify(items[index])
      const old = shown.get(key)
      let element = old?.element
      if (old?.text !== text) {
        element = make(items[index])
        if (old) place = replaced(old.element, element, place)
        shown.set(key, { element, text })
        count -= 1
      }
      if (element === place) place = place.nextSibling
      else container.insertBefore(element, place)
    }
    if (index < items.length) setTimeout(step, 0, 200)
  }
  step(atOnce)
}

function replaced(old, element, place) {
  const focused = old.contains(document.activeElement) ? document.activeElement : undefined
  old.replaceWith(element)
  if (focused) {
    const all = [element, ...element.querySelectorAll('a, button, input, select')]
    const same = all.find((other) => other.textContent === focused.textContent && other.tabIndex >= 0)
    ;(same ?? all.find((other) => other.tabIndex >= 0))?.focus()
  }
  return place === old ? element : place
}
