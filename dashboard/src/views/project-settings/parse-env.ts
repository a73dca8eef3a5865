/** Reads the text of a `.env` file. */

export type Variable = { key: string; value: string }

const line = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/
const quoted = /^(["'`])([\s\S]*)\1$/

/**
 * The variables of lines such as `KEY=value`, `export KEY="a\nb"` or `KEY='a # b'`; a later one of the same name counts.
 * Comments, empty lines and anything else are left out. A value in quotes may go over several lines.
 */
export function parseEnv(text: string): Variable[] {
  const found = new Map<string, string>()
  const lines = text.split(/\r?\n/)
  for (let at = 0; at < lines.length; at += 1) {
    const [, key, first = ''] = line.exec(lines[at] ?? '') ?? []
    if (key === undefined) continue
    let raw = first
    const quote = /^["'`]/.exec(raw)?.[0]
    while (quote !== undefined && !endsQuote(raw, quote) && at + 1 < lines.length) {
      at += 1
      raw += `\n${lines[at]}`
    }
    found.set(key, unquoted(raw))
  }
  return [...found].map(([key, value]) => ({ key, value }))
}

function endsQuote(raw: string, quote: string): boolean {
  const end = raw.indexOf(quote, 1)
  return end !== -1 && /^\s*(#.*)?$/.test(raw.slice(end + 1))
}

function unquoted(raw: string): string {
  const [, quote, inner] = quoted.exec(raw.replace(/(["'`])\s+#[^"'`]*$/, '$1')) ?? []
  if (inner === undefined) return raw.replace(/\s+#.*$/, '')
  return quote === '"' ? inner.replaceAll('\\n', '\n') : inner
}
