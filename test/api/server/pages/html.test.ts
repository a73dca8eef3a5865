import { expect, it } from 'vitest'
import { escapeHtml, html } from '../../../../src/api/server/pages/html.ts'

it('text becomes no tag, no attribute and no entity', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;',
  )
})

it('a template escapes text exactly once', () => {
  const items = ['<b>', 'c'].map((text) => html`<li>${text}</li>`)
  const list = html`<ul title="${'"x"'}">${items}${undefined}</ul>${html`<p>${3}</p>`}`
  expect(list.markup).toBe('<ul title="&quot;x&quot;"><li>&lt;b&gt;</li><li>c</li></ul><p>3</p>')
})
