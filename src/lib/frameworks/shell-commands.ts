/** The commands in a line of a shell, as far as scripts of packages go. */

/** One command: its assignments, its program by its name alone, and the program's arguments. */
export type ShellCommand = { program: string; args: string[] }

/** Programs that run the command that follows them, as in `cross-env A=b node server.js`. */
const runners: Partial<Record<string, RegExp>> = {
  'cross-env': /^$/,
  'cross-env-shell': /^$/,
  env: /^$/,
  exec: /^$/,
  npx: /^$/,
  bunx: /^$/,
  npm: /^(exec|x)$/,
  pnpm: /^(exec|dlx)$/,
  yarn: /^(exec|dlx)$/,
}

/** The commands of a line; those in quotes, which a program such as `concurrently` runs, are among them. */
export function commandsIn(line: string): ShellCommand[] {
  return line
    .split(/[\n;&|()"'`]+/)
    .flatMap((part) => commandOf(part.split(/\s+/).filter((word) => word !== '')) ?? [])
}

/**
 * The line without what only runs the rest of it, which may not be there when a server starts:
 * `A=b node server.js` for `cross-env A=b node server.js`.
 */
export function withoutRunners(line: string): string {
  return line
    .split(/(\s*(?:\|\||&&|;)\s*)/)
    .map((part, index) => (index % 2 === 1 ? part : withoutRunner(part)))
    .join('')
}

function withoutRunner(part: string): string {
  const words = part.split(/\s+/).filter((word) => word !== '')
  const start = words.findIndex((word) => !isAssignment(word))
  const taken = start === -1 ? 0 : lengthOfRunner(words.slice(start))
  if (taken === 0) return part
  // What is in quotes keeps its spaces: only the words before it go.
  const before = words.slice(0, start).map((word) => `${word} `)
  let rest = part.trim()
  for (const word of words.slice(0, start + taken)) rest = rest.slice(rest.indexOf(word) + word.length).trim()
  return before.join('') + rest
}

function commandOf(words: string[]): ShellCommand | undefined {
  const start = words.findIndex((word) => !isAssignment(word))
  if (start === -1) return undefined
  const own = words.slice(start)
  const taken = lengthOfRunner(own)
  if (taken > 0) return commandOf(own.slice(taken))
  const [path = '', ...args] = own
  return { program: path.slice(path.lastIndexOf('/') + 1), args }
}

/** How many words at the beginning only run the rest; 0 where none does. */
function lengthOfRunner([program = '', verb = '', ...more]: string[]): number {
  const verbs = runners[program]
  if (!verbs) return 0
  const words = verbs.test('') ? [verb, ...more] : verbs.test(verb) ? more : undefined
  if (!words) return 0
  const first = words.findIndex((word) => !word.startsWith('-'))
  const own = verbs.test('') ? 1 : 2
  return first === -1 ? 0 : own + first
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*=/.test(word)
}
