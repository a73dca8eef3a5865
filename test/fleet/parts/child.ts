/** A child process that can't outlive the harness, with its output in a file. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'

export type Child = {
  process: ChildProcess
  /** Resolves to its exit code, or the name of the signal. */
  ended: Promise<string>
  /** Sends the signal, and resolves once it has ended. */
  end(signal: NodeJS.Signals): Promise<string>
}

type Options = {
  /** The file that its output is appended to. */
  log: string
  /** Its whole environment, PATH aside. */
  env?: Record<string, string>
  /** Another user to run as. */
  user?: string | undefined
  /** Whether the caller reads its standard output, which then isn't in the log. */
  isRead?: boolean
}

let isOver = false

/** From now on nothing is started any more. */
export function endStarts(): void {
  isOver = true
}

/** Starts a command; the kernel kills it when this process dies. @throws after `endStarts`. */
export function startChild(command: string[], { log, env = {}, user, isRead = false }: Options): Child {
  if (isOver) throw new Error('The run is over.')
  const file = openSync(log, 'a')
  const child = spawn('setpriv', [...privileges(user), ...command], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', isRead ? 'pipe' : file, file],
    // Ctrl-C reaches the harness alone, which then ends the others in order.
    detached: true,
  })
  closeSync(file)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
  })
  return {
    process: child,
    ended,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** Runs a command to its end. @throws when it fails. */
export async function runChild(command: string[], options: Omit<Options, 'isRead'>): Promise<void> {
  const end = await startChild(command, options).ended
  if (end !== 'code 0') throw new Error(`${command[0]} ended with ${end}: see ${options.log}.`)
}

function privileges(user: string | undefined): string[] {
  const other = user === undefined ? [] : [`--reuid=${user}`, `--regid=${user}`, '--init-groups']
  return ['--pdeathsig', 'KILL', ...other, '--']
}

/** What the child writes until `pattern` occurs in it. @throws when it ends instead, or takes longer. */
export async function readUntil(
  { process: { stdout }, ended }: Child,
  pattern: RegExp,
  maxMs: number,
): Promise<string> {
  if (!stdout) throw new Error('The output of this child is not read.')
  let text = ''
  stdout.setEncoding('utf8')
  const over = ended.then((end) => {
    throw new Error(`It ended with ${end}.`)
  })
  over.catch(() => {})
  const signal = AbortSignal.timeout(maxMs)
  while (!pattern.test(text)) {
    const [chunk] = await Promise.race([once(stdout, 'data', { signal }), over])
    text += chunk
  }
  // What comes later is nobody's.
  stdout.resume()
  return text
}
