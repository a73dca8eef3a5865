/** Reads a list that is written plainly in YAML. */

/** The strings of the list at `key`, which begins a line: with a line for each, or in brackets. */
export function plainList(text: string, key: string): string[] {
  const lines = text.split(/\r?\n/)
  const start = lines.findIndex((line) => line.startsWith(`${key}:`))
  if (start === -1) return []
  const rest = [(lines[start] ?? '').slice(key.length + 1), ...lines.slice(start + 1)]
  const within = /^\s*\[([^\]]*)\]/.exec(rest.join('\n'))?.[1]
  return within === undefined ? itemsIn(rest.slice(1)) : within.split(',').flatMap(scalarOf)
}

function itemsIn(lines: string[]): string[] {
  const end = lines.findIndex((line) => !/^\s*(?:-\s|#|$)/.test(line))
  return lines
    .slice(0, end === -1 ? undefined : end)
    .flatMap((line) => scalarOf(/^\s*-\s(.*)$/.exec(line)?.[1] ?? ''))
}

/** The string without its quotes and what is said about it. */
function scalarOf(text: string): string[] {
  const [, double, single, bare] = /^\s*(?:"([^"]*)"|'([^']*)'|([^\s#"']+))/.exec(text) ?? []
  return [double ?? single ?? bare ?? []].flat()
}
