// The page's language, and times and sizes in it. Each language is a file of its own, of which a browser loads one.

const languages = { en: './text.en.js', de: './text.de.js' }

let texts = {}
export let language = 'en'

/** Takes the language of the browser, or the one that is asked for. */
export async function chooseLanguage(wanted = navigator.language) {
  const short = wanted.slice(0, 2)
  if (short in languages) language = short
  texts = (await import(languages[language])).texts
  document.documentElement.lang = language
}

export const has = (key) => key in texts

const controls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A name from elsewhere. Isolated, one from right to left leaves the sentence around it in order. */
function isolated(value) {
  const text = String(value).replace(controls, '')
  // A command stays as it is, for copying: only letters beyond Latin ones can change the direction.
  return /[^\u0000-\u02ff]/.test(text) ? `\u2068${text}\u2069` : text
}

/** A text with values in the place of its names in braces. */
export const t = (key, values = {}) => (texts[key] ?? key).replace(/\{(\w+)\}/g, (all, name) => (values[name] === undefined ? all : isolated(values[name])))

const units = [['year', 31557600], ['month', 2629800], ['week', 604800], ['day', 86400], ['hour', 3600], ['minute', 60]]
let relative
let absolute

/** How long ago a time was, in seconds since 1970. */
export function ago(seconds) {
  relative ??= new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const passed = Date.now() / 1000 - seconds
  if (passed < -60) return t('time.future')
  for (const [unit, length] of units) {
    if (passed >= length) return relative.format(-Math.round(passed / length), unit)
  }
  return t('time.now')
}

/** A time as a clock and a calendar show it. */
export function clock(seconds) {
  absolute ??= new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return absolute.format(new Date(seconds * 1000))
}

/** A day, such as 3 May 2026; a time of day if the other time is near. */
export const day = (seconds, other) => new Intl.DateTimeFormat(language, Math.abs(seconds - other) < 86400 ? { timeStyle: 'short' } : { dateStyle: 'medium' })
  .format(new Date(seconds * 1000))

/** How long something takes. */
export function span(seconds) {
  const [unit, length] = units.find(([, length]) => seconds >= length) ?? ['second', 1]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.ceil(seconds / length))
}

/** A number of bytes. */
export function size(bytes) {
  const names = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let index = 0
  for (; bytes >= 1024 && index < names.length - 1; index += 1) bytes /= 1024
  const digits = bytes >= 10 || index === 0 ? 0 : 1
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(bytes)} ${names[index]}`
}
