/** Pages of the reference as Markdown. */
import { expect, it } from 'vitest'
import { pageMarkdown } from '../../../../src/api/server/docs/page-markdown.ts'

const markdownOf = (markup: string) => pageMarkdown({ title: 'A page', markup })

it('headings, paragraphs and sections stand apart', () => {
  expect(markdownOf('<section id="x"><h2 id="y">One</h2>\n<p>Two\nlines</p></section><h3>Two</h3>')).toBe(
    '# A page\n\n## One\n\nTwo lines\n\n### Two\n',
  )
})

it('a block of code keeps its lines, and what is code has no markup of its own', () => {
  expect(
    markdownOf(
      '<p>Call <code class="call"><b>GET</b> /x</code>:</p>\n' +
        '<pre tabindex="0"><code>a &lt;\n  b</code></pre>',
    ),
  ).toBe('# A page\n\nCall `GET /x`:\n\n```\na <\n  b\n```\n')
})

it('text that looks like a tag, or like an escape, stays', () => {
  expect(
    markdownOf('<p>Send <code>&lt;project&gt;-git-&lt;branch&gt;</code>, &lt;b&gt; or &amp;lt;</p>'),
  ).toBe('# A page\n\nSend `<project>-git-<branch>`, <b> or &lt;\n')
})

it('a list within a field is indented, and so is what stands below its name', () => {
  const inner = '<ul class="fields"><li><code>b</code> string</li></ul>'
  expect(
    markdownOf(`<ul class="fields"><li><code>a</code> <span class="dim">object, <b>required</b></span>
<div>Some words</div>
${inner}</li><li><code>c</code></li></ul>`),
  ).toBe('# A page\n\n- `a` object, **required**\n  Some words\n  - `b` string\n- `c`\n')
})

it('a table has its header apart, and a bar in a cell is no column', () => {
  expect(
    markdownOf(
      '<table>\n<thead><tr><th>A</th><th>B</th></tr></thead>\n' +
        '<tbody><tr><td>1</td><td>x|y</td></tr></tbody></table>',
    ),
  ).toBe('# A page\n\n| A | B |\n| --- | --- |\n| 1 | x\\|y |\n')
})

it('links lead to pages as Markdown, those within the page are words, others stay', () => {
  expect(
    markdownOf(
      '<a href="/docs/api">Calling</a> <a href="/docs/reference/dns#dns-list">DNS</a> ' +
        '<a href="#Error">Error</a> <a href="/openapi.json">document</a>',
    ),
  ).toBe(
    '# A page\n\n[Calling](/docs/api.md) [DNS](/docs/reference/dns.md#dns-list) ' +
      'Error [document](/openapi.json)\n',
  )
})
