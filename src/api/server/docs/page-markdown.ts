/** Pages of the reference as Markdown, from their own markup, so that both say the same. */
import { unescapeHtml } from '../../../lib/names/escape-html.ts'

/** The text of a block of code is every second part. */
const codeBlock = /<pre[^>]*><code>(.*?)<\/code><\/pre>/s

/** In this order, on a line of markup without blocks of code and lists. */
const inMarkdown: [markup: RegExp, markdown: string | ((whole: string, ...groups: string[]) => string)][] = [
  [/<code[^>]*>(.*?)<\/code>/g, (_whole, code = '') => `\`${withoutTags(code)}\``],
  [/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g, (_whole, place = '', words = '') => linked(place, words)],
  [/<b>(.*?)<\/b>/g, '**$1**'],
  [/<h2[^>]*>/g, '\n\n## '],
  [/<h3[^>]*>/g, '\n\n### '],
  [/<summary>/g, '\n\n#### '],
  [/<td>(.*?)<\/td>/g, (_whole, cell = '') => `| ${cell.replaceAll('|', '\\|')} `],
  [/<th>(.*?)<\/th>/g, (_whole, cell = '') => `| ${cell} `],
  [/<tr>/g, '\n'],
  [/<\/tr>/g, '|'],
  [/<thead>(.*?)<\/thead>/gs, (_whole, row = '') => `${row}\n${row.trim().replaceAll(/[^|]+/g, ' --- ')}`],
  [/<\/?(?:p|section|details|table|h2|h3|summary)\b[^>]*>/g, '\n\n'],
]

/** The page with its title, as Markdown (CommonMark, and tables as GitHub has them). */
export function pageMarkdown({ title, markup }: { title: string; markup: string }): string {
  const parts = markup.split(codeBlock)
  const body = parts.map((part, index) =>
    index % 2 === 1 ? `\n\n\`\`\`\n${unescapeHtml(part)}\n\`\`\`\n\n` : prose(part),
  )
  return `# ${title}\n\n${body.join('')}`
    .replaceAll(/[ \t]*\n(?:[ \t]*\n)+/g, '\n\n')
    .trimEnd()
    .concat('\n')
}

function prose(markup: string): string {
  const line = markup.replaceAll(/\s+/g, ' ')
  const translated = inMarkdown.reduce(
    // A function and a text are different overloads.
    (text, [from, to]) => (typeof to === 'string' ? text.replace(from, to) : text.replace(from, to)),
    listed(line),
  )
  // Last: what was escaped may look like a tag.
  return unescapeHtml(withoutTags(translated)).replaceAll(/ +(?=\n|$)/g, '')
}

/** Lists with an item a line, indented by their depth, and what stands below a field's name on its own. */
function listed(markup: string): string {
  let depth = 0
  return markup.replaceAll(/<(?:(\/?)ul[^>]*|li|div[^>]*)>/g, (tag, end: string | undefined) => {
    if (tag === '<li>') return `\n${'  '.repeat(depth - 1)}- `
    if (end === undefined) return depth === 0 ? '\n\n' : `\n${'  '.repeat(depth)}`
    depth += end === '' ? 1 : -1
    return depth === 0 ? '\n\n' : ''
  })
}

/** A link as Markdown; one within its page as words alone, which a heading there has, too. */
function linked(place: string, words: string): string {
  if (place.startsWith('#')) return words
  return `[${words}](${place.replace(/^\/docs\/[\w/-]+/, (path) => `${path}.md`)})`
}

function withoutTags(markup: string): string {
  return markup.replaceAll(/<[^>]*>/g, '')
}
