/** The options of a server's Node, which stand in `NODE_OPTIONS`. */
const mebibyte = 1024 * 1024

/** The part of a server's memory for objects of JavaScript; the rest is for buffers, code and files. */
const heapShare = 0.6

/** Options that open a port for debuggers; the first of them may have their value as a word of its own. */
const debugging =
  /^--(?:(?:inspect[-_]port|debug[-_]port|inspect[-_]publish[-_]uid)|inspect(?:[-_](?:brk|wait))?)(?:=|$)/
const withValue = /^--(?:inspect[-_]port|debug[-_]port|inspect[-_]publish[-_]uid)$/

/**
 * The platform's options, the module at `preload` among them, and then those of the project's variable
 * `NODE_OPTIONS`, which win.
 */
export function nodeOptions(preload: string, memoryBytes: number, own: string | undefined): string {
  const heap = Math.floor((memoryBytes / mebibyte) * heapShare)
  const given = withoutDebugging(splitWords(own ?? ''))
  return [`--require=${JSON.stringify(preload)}`, `--max-old-space-size=${heap}`, ...given].join(' ')
}

/** The words as they stand there: quotes keep spaces together, a backslash escapes within them. */
function splitWords(text: string): string[] {
  return text.match(/(?:"(?:\\.|[^"\\])*"?|[^\s"])+/g) ?? []
}

function withoutDebugging(words: string[]): string[] {
  return words.filter((word, index) => !debugging.test(word) && !withValue.test(words[index - 1] ?? ''))
}
