/** The fields of a form that choose a password, with a script that compares them before they are sent. */
import { maxPasswordLength, minPasswordLength } from '../../../platform/people/password.ts'
import { type Html, html } from '../pages/html.ts'

/** The fields `password` and `again`; `label` is the first one's. */
export function newPasswordFields(label: string): Html {
  const length = html`minlength="${minPasswordLength}" maxlength="${maxPasswordLength}"`
  const fresh = html`autocomplete="new-password" ${length}`
  return html`<label>${label}<input type="password" name="password" ${fresh}
 aria-describedby="length" required></label>
<p class="dim" id="length">At least ${minPasswordLength} characters.</p>
<label>Again<input type="password" name="again" ${fresh} required></label>
<label id="show" hidden><input type="checkbox"> Show both</label>`
}

/** Refuses two that differ, and keeps them; without it the server does, with empty fields. */
export const newPasswordScript = `
const password = document.querySelector('[name=password]')
const again = document.querySelector('[name=again]')
const show = document.getElementById('show')
const compare = () =>
  again.setCustomValidity(again.value === password.value ? '' : 'The two passwords are not the same.')
for (const field of [password, again]) field.addEventListener('input', compare)
show.hidden = false
show.firstElementChild.addEventListener('change', ({ target }) => {
  for (const field of [password, again]) field.type = target.checked ? 'text' : 'password'
})
`
