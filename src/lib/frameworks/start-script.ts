/** The command by which a script of a package starts its server, without the package manager. */
import { developmentServerIn } from './development-servers.ts'
import type { Scripts } from './scripts.ts'
import { withoutRunners } from './shell-commands.ts'

/** A server for developers is never started; `development` is its command. */
export type StartScript = { script: string; command: string; development: string | undefined }

/** As many scripts call one another, and as many characters a command has. */
const [maxLevels, maxLength] = [5, 1_000]

/** The scripts that start a server: `nest new` has the one for production beside the other. */
const names = ['start', 'start:prod', 'start:production']

/**
 * The script `start`; where that runs a server for developers, the one for production if there is one.
 * Undefined without a script, and for one that is too long or calls itself.
 */
export function startScriptOf(scripts: Scripts): StartScript | undefined {
  const found = names.flatMap((script) => {
    const command = resolveScript(scripts, script)
    return command === undefined ? [] : [{ script, command, development: developmentServerIn(command) }]
  })
  const [start] = found
  if (start?.script !== 'start') return undefined
  const needsCompiler = /^nest start\b/.test(start.command)
  if (start.development === undefined && !needsCompiler) return start
  return found.find(({ script, development }) => script !== 'start' && development === undefined) ?? start
}

/**
 * The text of a command, with that of each script that it calls in its place: `node server.js` for
 * `npm run serve`. Undefined for one that is too long or calls itself.
 */
export function resolveCalls(scripts: Scripts, command: string, level = 0): string | undefined {
  if (level > maxLevels || command.length > maxLength) return undefined
  const parts = command.trim().split(/(\s*(?:\|\||&&|;)\s*)/)
  const resolved: string[] = []
  for (const [index, part] of parts.entries()) {
    const called = index % 2 === 1 ? undefined : calledBy(scripts, part)
    if (!called) {
      resolved.push(part)
      continue
    }
    const text = resolveCalls(scripts, `${called.text}${called.args}`, level + 1)
    if (text === undefined) return undefined
    resolved.push(parts.length > 1 && /[|&;]/.test(text) ? `(${text})` : text)
  }
  const whole = withoutRunners(resolved.join(''))
  return whole.length > maxLength ? undefined : whole
}

function resolveScript(scripts: Scripts, name: string): string | undefined {
  const text = scripts.get(name)
  return text === undefined || text.trim() === '' ? undefined : resolveCalls(scripts, text)
}

/** Calls of a script: `npm run serve -- --quiet`, `npm start`, `pnpm serve`, `yarn run serve`. */
const call =
  /^(?:(npm|pnpm|yarn|bun)\s+(?:-s\s+|--silent\s+)?(?:run|run-script)|(pnpm|yarn)|(npm))\s+(?:-s\s+|--silent\s+)?([\w:.-]+)(?:\s+--(?=\s|$))?(\s.*)?$/

function calledBy(scripts: Scripts, part: string): { text: string; args: string } | undefined {
  const [, , , byNpm, name = '', args = ''] = call.exec(part.trim()) ?? []
  if (byNpm !== undefined && name !== 'start') return undefined
  const text = scripts.get(name)
  return text === undefined ? undefined : { text, args }
}
