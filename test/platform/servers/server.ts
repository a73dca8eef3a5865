/** Starts programs as servers for tests. */
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { canLimitMemory } from '../../../src/platform/sandbox/memory-group.ts'
import { createUids } from '../../../src/platform/sandbox/uids.ts'
import { startServer } from '../../../src/platform/servers/process.ts'
import { openRunDirectory } from '../../../src/platform/servers/run-directory.ts'
import type { ServerDeps, ServerProcess, ServerStart } from '../../../src/platform/servers/server-process.ts'
import { ownNode } from '../sandbox/own-node.ts'
import { openedWayOut } from './own-way-out.ts'

export const mebibyte = 1024 * 1024

export const testTimeout = 120_000

/** Those of all tests of a file. */
const uids = createUids()

/** The parts of a node that servers need, in a directory with a short path. */
export async function serverDeps(): Promise<ServerDeps> {
  return {
    isolation: 'bubblewrap',
    root: await openRunDirectory(await mkdtemp(join(tmpdir(), 'svc-'))),
    uids,
    node: ownNode,
    hasGroups: await canLimitMemory(64 * mebibyte),
    wayOut: openedWayOut(),
    nowMs: Date.now,
  }
}

export type TestServer = ServerProcess & { files: string; lines: string[]; refused: string[] }

type Options = Partial<ServerStart> & { listenMs?: number }

/** Starts a program of these files, whose names may have folders. */
export async function run(
  deps: ServerDeps,
  command: string,
  contents: Record<string, string>,
  { listenMs, ...options }: Options = {},
): Promise<TestServer> {
  const files = await writeFiles(contents)
  const lines: string[] = []
  const refused: string[] = []
  const start = {
    files,
    command,
    directory: '.',
    env: { PORT: '3000', HOST: '0.0.0.0' },
    memoryBytes: 256 * mebibyte,
    redactor: { redact: (text: string) => text, longest: 0 },
    onLine: ({ text }: { text: string }) => void lines.push(text),
    onDropped() {},
    onRefused: (text: string) => void refused.push(text),
    ...options,
  }
  const server = await startServer(deps, start, listenMs)
  return { ...server, files, lines, refused }
}

/** A new directory with these files, which everybody may read. */
export async function writeFiles(contents: Record<string, string>): Promise<string> {
  const files = await mkdtemp(join(tmpdir(), 'svc-files-'))
  await chmod(files, 0o755)
  for (const [name, text] of Object.entries(contents)) {
    await mkdir(dirname(join(files, name)), { recursive: true })
    await writeFile(join(files, name), text)
  }
  return files
}

/** The answer of a server to a GET. */
export function get(socketPath: string, path = '/'): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path, agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }))
      response.once('error', reject)
    })
    sent.once('error', reject).end()
  })
}
