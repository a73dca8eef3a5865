/**
 * Runs programs from a small process beside this one: a worker of the tests has hundreds of megabytes, whose
 * page tables each fork would copy, in ten times as long as a small program runs.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

type Program = { command: string; args: string[]; cwd?: string; env: NodeJS.ProcessEnv; input?: Buffer }

/** `code` is null where a signal ended the program. */
type Ended = { code: number | null; stdout: Buffer; stderr: Buffer }

/** What the small process sends of a program, which may have failed to start. */
type Reply = Ended & { id: number; failed?: string }

let runner: ChildProcess | undefined
let programs = 0
const waiting = new Map<number, (reply: Reply) => void>()

/** The process id of what runs the programs, if it has begun. */
export const runnerPid = (): number | undefined => runner?.pid

/** Starts a program; `kill` ends it at once. */
export function runApart({ command, args, cwd, env, input }: Program): {
  ended: Promise<Ended>
  kill(): void
} {
  runner ??= startRunner()

  programs += 1
  const id = programs
  const ended = new Promise<Ended>((resolve, reject) => {
    waiting.set(id, (reply) => {
      if (reply.failed === undefined) resolve(reply)
      else reject(new Error(`${command}: ${reply.failed}`))
    })
  })
  runner.send({ id, command, args, options: { cwd, env }, input })
  return { ended, kill: () => void runner?.send({ id, kill: true }) }
}

/** Ends with this process, which it doesn't keep alive. */
function startRunner(): ChildProcess {
  const path = fileURLToPath(new URL('run-apart.mjs', import.meta.url))
  const started = fork(path, [], { serialization: 'advanced', execArgv: [] })
  started.on('message', (reply: Reply) => {
    waiting.get(reply.id)?.(reply)
    waiting.delete(reply.id)
  })
  started.once('exit', (code, signal) => {
    runner = undefined
    const failed = `what runs programs apart ended: ${code ?? signal}`
    for (const [id, end] of waiting) end({ id, code: null, stdout: Buffer.of(), stderr: Buffer.of(), failed })
    waiting.clear()
  })
  started.unref()
  started.channel?.unref()
  return started
}
