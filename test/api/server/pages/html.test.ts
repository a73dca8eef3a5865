import { expect, it } from 'vitest'
import { html } from '../../../../src/api/server/pages/html.ts'

it('a template escapes text exactly once', () => {
  const items = ['<b>', 'c'].map((text) => html`<li>${text}</li>`)
  const list = html`<ul title="${'"x"'}">${items}${undefined}</ul>${html`<p>${3}</p>`}`
  expect(list.markup).toBe('<ul title="&quot;x&quot;"><li>&lt;b&gt;</li><li>c</li></ul><p>3</p>')
})
