import { expect, it } from 'vitest'
import { escapeHtml } from '../../../src/lib/names/escape-html.ts'

it('text becomes no tag, no attribute and no entity', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;',
  )
})
