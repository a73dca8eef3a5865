/** Runs commands as builds for tests, each in a workspace of its own. */
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { limitsFrom } from '../../../src/platform/sandbox/limits.ts'
import { createRedactor, type Redactor } from '../../../src/platform/sandbox/redact.ts'
import {
  type BuildLine,
  type BuildRun,
  type Ended,
  runSandboxed,
} from '../../../src/platform/sandbox/run-sandboxed.ts'
import { createUids } from '../../../src/platform/sandbox/uids.ts'
import {
  giveToOwner,
  makeWorkspace,
  removeWorkspace,
  type Workspace,
} from '../../../src/platform/sandbox/workspace.ts'
import { unreserved } from '../../../src/stores/data-dir/disk-reserve.ts'
import { ownNode } from '../sandbox/own-node.ts'

export const mebibyte = 1024 * 1024

export const testTimeout = 120_000

/** At the lowest priority, tests would wait for as long as anything else uses the processor. */
export const testLimits = {
  ...limitsFrom({ timeoutS: 100, memoryBytes: 512 * mebibyte, diskBytes: 64 * mebibyte }),
  niceness: 0,
}

/** Those of all tests of a file. */
const uids = createUids()

type Options = Partial<Omit<BuildRun, 'limits' | 'onLine'>> & {
  limits?: Partial<BuildRun['limits']>
  files?: Record<string, string | Buffer>
  onLine?: (line: BuildLine) => void
}

type Done = { ended: Ended; lines: BuildLine[]; text: string }

/** Runs in a sandbox unless `options` say otherwise; `inspect` sees the workspace before it is removed. */
export async function build(
  command: string,
  { files = {}, limits, onLine, ...options }: Options = {},
  inspect: (workspace: Workspace) => Promise<void> = async () => {},
): Promise<Done> {
  const { isolation = 'bubblewrap', env = {} } = options
  const workspace = options.workspace ?? (await newWorkspace(isolation))
  const lines: BuildLine[] = []
  try {
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(workspace.files, name), content)
    }
    if (Object.keys(files).length > 0) await giveToOwner(workspace)
    const ended = await runSandboxed({
      isolation,
      workspace,
      command,
      directory: '.',
      env,
      limits: { ...testLimits, ...limits },
      network: 'none',
      node: ownNode,
      redactor: await redactorOf(Object.values(env)),
      signal: new AbortController().signal,
      disk: unreserved,
      nowMs: Date.now,
      onLine: (line) => {
        lines.push(line)
        onLine?.(line)
      },
      ...options,
    })
    await inspect(workspace)
    return { ended, lines, text: lines.map(({ text }) => text).join('\n') }
  } finally {
    await removeWorkspace(workspace)
  }
}

/** An empty workspace, owned by the user of builds with this isolation. */
export function newWorkspace(isolation: 'bubblewrap' | 'none' = 'none'): Promise<Workspace> {
  const root = join(inject('directory'), `builds-${randomUUID().slice(0, 8)}`)
  return makeWorkspace(root, isolation === 'bubblewrap' ? uids : undefined)
}

/** How a run ends when its command exits by itself. */
export function exited(code: number, signal?: string): Ended {
  return { how: 'exited', code, signal }
}

/** A redactor of values that are small enough to be searched for. */
export async function redactorOf(values: Iterable<string>): Promise<Redactor> {
  const redactor = await createRedactor(values)
  if (!redactor) throw new Error('The values are too large.')
  return redactor
}
