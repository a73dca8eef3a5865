/** The scripts of a package, and the commands in them. */
import { isRecord } from '../is-record.ts'

export type Scripts = ReadonlyMap<string, string>

/** As many scripts are read, as many are followed from one, and of each as many UTF-16 code units. */
const [maxScripts, maxFollowed, maxLength] = [200, 20, 2_000]

/** The scripts in a manifest. */
export function scriptsOf(manifest: Record<string, unknown>): Scripts {
  const { scripts } = manifest
  const entries = isRecord(scripts) ? Object.entries(scripts) : []
  return new Map(
    entries
      .slice(0, maxScripts)
      .flatMap(([name, text]) =>
        typeof text === 'string' ? [[name, text.slice(0, maxLength)] as const] : [],
      ),
  )
}

/** The text of a script and of those that it calls by their names, one a line; undefined without it. */
export function wholeScript(scripts: Scripts, name: string): string | undefined {
  const first = scripts.get(name)
  if (first === undefined) return undefined
  const followed = new Map([[name, first]])
  for (const text of followed.values()) {
    for (const word of text.match(/[\w:.-]+/g) ?? []) {
      const called = scripts.get(word)
      if (followed.size < maxFollowed && called !== undefined) followed.set(word, called)
    }
  }
  return [...followed.values()].join('\n')
}

/**
 * The arguments of a command, such as `vite build`, where a text of scripts runs it; undefined where none
 * does.
 */
export function argumentsOf(text: string, command: string): string[] | undefined {
  for (const line of text.split(/[\n;&|]+/)) {
    const words = line.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []
    const wanted = command.split(' ')
    const start = words.findIndex((_, at) =>
      wanted.every((part, index) => isWord(words[at + index], part, index === 0)),
    )
    if (start !== -1) return words.slice(start + wanted.length).map(unquoted)
  }
  return undefined
}

/** The program may be given by its path, as in `node_modules/.bin/vite` or `@11ty/eleventy`. */
function isWord(word: string | undefined, part: string, isProgram: boolean): boolean {
  return word === part || (isProgram && word?.endsWith(`/${part}`) === true)
}

/** The value of one of these flags: `--outDir build`, `--outDir=build`. */
export function flagOf(args: readonly string[], flags: readonly string[]): string | undefined {
  for (const [index, arg] of args.entries()) {
    if (flags.includes(arg)) return args[index + 1]
    const [name = '', ...value] = arg.split('=')
    if (value.length > 0 && flags.includes(name)) return unquoted(value.join('='))
  }
  return undefined
}

/** The first argument that is no flag; those of flags are taken for their values. */
export function operandOf(args: readonly string[]): string | undefined {
  return args.find((arg, index) => !arg.startsWith('-') && !isFlag(args[index - 1]))
}

function isFlag(arg: string | undefined): boolean {
  return arg?.startsWith('-') === true && !arg.includes('=')
}

function unquoted(word: string): string {
  return /^(["']).*\1$/s.test(word) ? word.slice(1, -1) : word
}
