import { expect, it } from 'vitest'
import { escapeHtml, unescapeHtml } from '../../../src/lib/names/escape-html.ts'

it('text becomes no tag, no attribute and no entity', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;',
  )
})

it('what was escaped is the same text again', () => {
  const text = `<a href="x" title='y'>&amp; &lt;&#39;`
  expect(unescapeHtml(escapeHtml(text))).toBe(text)
})
