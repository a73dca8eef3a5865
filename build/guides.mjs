/** Renders the guides in `docs` to `dist/guides.json`, which a node serves at /docs. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Marked, Renderer } from 'marked'

/** For who works on the program, not with it. */
const kept = ['dependencies']

const names = readdirSync('docs')
  .map((file) => file.replace(/\.md$/, ''))
  .filter((name) => !kept.includes(name))

writeFileSync('dist/guides.json', JSON.stringify(names.map(guideOf)))

/**
 * @returns {{ name: string, title: string, markup: string, markdown: string,
 *   sections: { id: string, text: string }[] }}
 */
function guideOf(name) {
  const markdown = readFileSync(`docs/${name}.md`, 'utf8')
  const sections = []
  const marked = new Marked({ gfm: true, renderer: rendererOf(name, sections) })
  const [heading, ...tokens] = marked.lexer(markdown)
  if (heading?.type !== 'heading' || heading.depth !== 1) throw new Error(`docs/${name}.md has no title.`)
  return {
    name,
    title: heading.text,
    markup: marked.parser(tokens),
    markdown: linkedMarkdown(name, markdown),
    sections,
  }
}

/** Its links lead to the Markdown of other pages; comments are left out. */
function linkedMarkdown(name, markdown) {
  return markdown
    .replaceAll(/^<!--[\s\S]*?-->\n/gm, '')
    .replaceAll(/\]\(([\w-]+\.md(?:#[^)]*)?)\)/g, (_whole, href) => {
      const [path, fragment] = placeOf(name, href).split('#', 2)
      return `](${path}.md${fragment === undefined ? '' : `#${fragment}`})`
    })
}

function rendererOf(name, sections) {
  let tables = 0
  return {
    heading({ tokens, depth, text }) {
      const id = text
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-')
      if (depth === 2) sections.push({ id, text: text.replaceAll('`', '') })
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link(token) {
      const link = Renderer.prototype.link.call(this, { ...token, href: placeOf(name, token.href) })
      return link.replace(/^<a href="https?:/, (start) => start.replace('<a', '<a rel="noreferrer"'))
    },
    // What is wider than the screen is scrolled by itself, also with the keyboard.
    table(token) {
      tables += 1
      const table = Renderer.prototype.table.call(this, token)
      return `<div class="wide" role="region" aria-label="Table ${tables}" tabindex="0">${table}</div>\n`
    },
    // An empty heading is announced as one, and says nothing.
    tablecell(token) {
      const cell = Renderer.prototype.tablecell.call(this, token)
      return token.header && token.text === '' ? cell.replaceAll('th>', 'td>') : cell
    },
    code(token) {
      return Renderer.prototype.code.call(this, token).replace('<pre>', '<pre tabindex="0">')
    },
    html({ text }) {
      if (/^<!--[\s\S]*-->\s*$/.test(text)) return ''
      throw new Error(`docs/${name}.md has HTML of its own: ${text}`)
    },
    image() {
      throw new Error(`docs/${name}.md has an image, which the pages may not load.`)
    },
  }
}

/** Links between the files are links between the pages. */
function placeOf(name, href) {
  if (/^(https?:|#)/.test(href)) return href
  const [, other, fragment] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (!names.includes(other)) throw new Error(`docs/${name}.md leads to ${href}, which is no guide.`)
  return `/docs/${other}${fragment ?? ''}`
}
