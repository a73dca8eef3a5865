/** Reads what is written plainly in the configuration of a framework, without running it. */

/**
 * A value at the keys that lead to it, joined with dots: `build.outDir`. A path that is resolved from the
 * file's own folder is `rooted`.
 */
export type PlainField = { key: string; value: string | boolean; rooted: boolean }

/** Nobody writes a configuration that is deeper. */
const maxDepth = 50

type Frame = { opened: string; key: string | undefined }

const closing: Partial<Record<string, string>> = { '}': '{', ']': '[', ')': '(' }

/**
 * The strings and booleans in the objects of a text in JavaScript, TypeScript or JSON, but for those in
 * arrays. What is computed is left out, but for a path below the file's own folder:
 * `resolve(__dirname, 'out')`.
 */
export function plainFields(text: string): PlainField[] {
  const tokens = tokensOf(text)
  const fields: PlainField[] = []
  const frames: Frame[] = []
  let key: string | undefined
  for (const [at, token] of tokens.entries()) {
    if (frames.length > maxDepth) break
    if (isMark(token, '{[(')) {
      frames.push({ opened: token.text, key })
      key = undefined
    } else if (isMark(token, '}])')) {
      if (closing[token.text] === frames.at(-1)?.opened) frames.pop()
      key = undefined
    } else if (isMark(token, ',;=')) {
      key = undefined
    } else if (token.kind !== 'mark' && isMark(tokens[at + 1], ':')) {
      key = token.text
      const found = valueAt(tokens, at + 2)
      if (found === undefined || frames.some(({ opened }) => opened === '[')) continue
      const keys = [...frames.flatMap((frame) => frame.key ?? []), key]
      fields.push({ key: keys.join('.'), ...found })
    }
  }
  return fields
}

/** The value of a key in a text of YAML or TOML, at the beginning of a line. */
export function plainLine(text: string, key: string): string | undefined {
  for (const line of text.split('\n')) {
    if (!line.startsWith(key)) continue
    const [, double, single, bare] =
      /^[ \t]*[:=][ \t]*(?:"([^"]*)"|'([^']*)'|([^\s#"']+))/.exec(line.slice(key.length)) ?? []
    const value = double ?? single ?? bare
    if (value !== undefined) return value
  }
  return undefined
}

type Token = { kind: 'string' | 'word' | 'mark'; text: string }

const ownFolder = /^(?:path\.)?(?:resolve|join)\((?:__dirname|import\.meta\.dirname),$/

function valueAt(tokens: Token[], at: number): Omit<PlainField, 'key'> | undefined {
  const [value, end] = [tokens[at], tokens[at + 1]]
  const isWhole = end === undefined || isMark(end, ',})')
  if (value?.kind === 'string' && isWhole) return { value: value.text, rooted: false }
  if (value?.kind === 'word' && isWhole && /^(true|false)$/.test(value.text))
    return { value: value.text === 'true', rooted: false }
  for (const length of [4, 6, 8, 10]) {
    const [path, close] = [tokens[at + length], tokens[at + length + 1]]
    const call = tokens.slice(at, at + length).map(({ text }) => text)
    if (path?.kind === 'string' && isMark(close, ')') && ownFolder.test(call.join('')))
      return { value: path.text, rooted: true }
  }
  return undefined
}

function isMark(token: Token | undefined, marks: string): boolean {
  return token?.kind === 'mark' && token.text.length === 1 && marks.includes(token.text)
}

/** The tokens of a text without its comments, as far as its strings and comments end. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const word = /[\w$]+/y
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? ''
    if (text.startsWith('//', at)) at = endOf(text, '\n', at)
    else if (text.startsWith('/*', at)) at = endOf(text, '*/', at + 2)
    else if (/["'`]/.test(char)) {
      const end = endOfString(text, at)
      const inner = text.slice(at + 1, end - 1)
      // A template with expressions is computed.
      tokens.push({ kind: char === '`' && inner.includes('${') ? 'mark' : 'string', text: inner })
      at = end
    } else if (/[\w$]/.test(char)) {
      word.lastIndex = at
      const found = word.exec(text)?.[0] ?? char
      tokens.push({ kind: 'word', text: found })
      at += found.length
    } else {
      if (!/\s/.test(char)) tokens.push({ kind: 'mark', text: char })
      at += 1
    }
  }
  return tokens
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found === -1 ? text.length : found + mark.length
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === text[start]) return at + 1
  }
  return text.length
}
