/** `svc admin check`: what is wrong in the installation. */
import { Command } from 'commander'
import type { CheckEvent, CheckInput, Problem } from '../../stores/data-dir/admin-streams.ts'
import { Failure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { nodeSettings } from '../node-settings.ts'
import { count } from '../terminal/format.ts'
import { write, writeJson } from '../terminal/output.ts'
import { createStatusLine } from '../terminal/status-line.ts'

/** More of one kind are counted, but not printed. */
const maxNamed = 1_000

const lineMs = 10_000

/** The command `svc admin check`. */
export function checkCommand(io: Io): Command {
  return new Command('check')
    .description('find what is wrong in the database and the stored files')
    .option('--deep', 'read all stored files, and compare their SHA-256', false)
    .option('--mend', 'mend what can be mended safely', false)
    .action(({ deep, mend }: CheckInput, command: Command) =>
      check(io, { deep, mend }, globalOptions(command)),
    )
}

async function check(io: Io, input: CheckInput, { json = false }: GlobalOptions): Promise<void> {
  const settings = await nodeSettings(io)
  // Loaded on demand: other commands start faster without it.
  const { streamCheck } = await import('../admin/stream-check.ts')
  async function* checkDirectly() {
    // Most of the program, needed only if no node runs.
    yield* (await import('../../operate/node/admin.ts')).checkDirectly(settings, input)
  }
  const events = streamCheck({ directory: settings.SVC_DATA_DIR, input, signal: io.signal, checkDirectly })
  const tally = await gather(io, events, json)
  if (json) writeJson(io, { problems: tally.problems, found: tally.found, mended: tally.mended })
  else report(io, tally, input)
  if (tally.found === tally.mended) return
  const left = tally.found - tally.mended
  throw new Failure(exitCodes.failure, {
    reason: 'failed',
    message: `${count(left)} ${left === 1 ? 'problem is' : 'problems are'} left.`,
  })
}

type Tally = {
  /** By kind, with the first of each. */
  problems: Record<string, { count: number; mended: number; first: Omit<Problem, 'type' | 'kind'>[] }>
  found: number
  mended: number
}

async function gather(io: Io, events: AsyncGenerator<CheckEvent>, isQuiet: boolean): Promise<Tally> {
  const tally: Tally = { problems: {}, found: 0, mended: 0 }
  const progress = createLine(io, isQuiet)
  try {
    for await (const event of events) {
      io.signal.throwIfAborted()
      if (event.type === 'progress') progress.tell(`Checking ${event.part}, page ${count(event.pages)}`)
      else {
        const isNamed = add(tally, event)
        if (!isNamed || isQuiet) continue
        progress.clear()
        write(io, `${event.mended ? 'mended' : 'found'}  ${event.kind}  ${event.message}`)
      }
    }
    return tally
  } finally {
    progress.clear()
  }
}

/** Whether the problem is one of the first of its kind. */
function add(tally: Tally, { kind, subject, message, mended }: Problem): boolean {
  tally.found += 1
  tally.mended += mended ? 1 : 0
  tally.problems[kind] ??= { count: 0, mended: 0, first: [] }
  const ofKind = tally.problems[kind]
  ofKind.count += 1
  ofKind.mended += mended ? 1 : 0
  if (ofKind.first.length >= maxNamed) return false
  ofKind.first.push({ subject, message, mended })
  return true
}

function report(io: Io, { problems, found, mended }: Tally, { mend }: CheckInput): void {
  for (const [kind, { count: all, first }] of Object.entries(problems))
    if (all > first.length) write(io, `and ${count(all - first.length)} more of ${kind}`)
  if (found === 0) write(io, 'Nothing is wrong.')
  else if (mend) write(io, `Mended ${count(mended)} of ${count(found)} problems.`)
  else
    write(
      io,
      `Found ${count(found)} ${found === 1 ? 'problem' : 'problems'}. ` +
        '--mend mends what can be mended safely.',
    )
}

/** A line at a terminal that is replaced; elsewhere one now and then. */
function createLine(io: Io, isQuiet: boolean) {
  const line = createStatusLine(io)
  let toldMs = Date.now()
  return {
    tell(text: string) {
      if (isQuiet || (!line.replaces && Date.now() - toldMs < lineMs)) return
      toldMs = Date.now()
      line.show(text)
    },
    clear: line.clear,
  }
}
