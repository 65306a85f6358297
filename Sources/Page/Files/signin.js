// The first screen of a browser on another device: it signs in with a code.

import { signIn } from './api.js'
import { h } from './dom.js'
import { t } from './text.js'
import { action, form, pad } from './ui.js'

export function signInScreen() {
  const digits = h('input', { type: 'text', inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: 9, class: 'code', 'aria-label': t('machines.six'), autofocus: true })
  const warning = h('p', { class: 'why', role: 'alert' })
  const enter = async () => {
    const code = digits.value.replace(/\D/g, '')
    if (code.length !== 6) return void (warning.textContent = t('machines.badcode'))
    if (await signIn(code)) return location.reload()
    warning.textContent = t('signin.wrong')
    digits.value = ''
  }
  const root = h('section.panel.signin', {}, h('h1', {}, t('signin')), h('p', {}, t('signin.text')),
    form(digits, pad(digits), warning, h('div.buttons', {}, action(t('signin'), enter, { class: 'main', type: 'submit' }))))
  return { title: t('signin'), root, show() {} }
}
