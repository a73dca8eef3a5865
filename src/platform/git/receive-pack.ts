/** Takes the pack of a push into a repository, with git's own `receive-pack`. */
import { pipeline } from 'node:stream/promises'
import { withOwnObjects } from './own-objects.ts'
import { bands, readPackets } from './pkt-line.ts'
import type { PushRequest } from './push-request.ts'
import { readAtMost } from './read-at-most.ts'
import { exitOf, keepSaid, startGitTree } from './run-git.ts'
import { createWords, withoutPlaces } from './words.ts'
import { whileWriting } from './writers.ts'

/** The result of a push; of each ref it is undefined where the ref was taken, else why it was not. */
export type Received = {
  /** Why the pack as a whole was refused. */
  refused: string | undefined
  refs: Map<string, string | undefined>
}

type Options = {
  /** Called with what git says to the pusher meanwhile, without places of this server. */
  onProgress: (text: string) => void
  signal: AbortSignal
}

/**
 * Stores the objects of a push and moves its refs. What is refused leaves nothing behind.
 * @throws what reading the request throws; the reason of `signal` once it aborts.
 */
export function receivePack(directory: string, push: PushRequest, options: Options): Promise<Received> {
  return whileWriting(directory, () =>
    withOwnObjects(directory, (objects) => receive({ directory, objects }, push, options)),
  )
}

async function receive(
  { directory, objects }: { directory: string; objects: string },
  { body, capabilities }: PushRequest,
  { onProgress, signal }: Options,
): Promise<Received> {
  const failed = new AbortController()
  const child = startGitTree(directory, ['receive-pack', '--stateless-rpc', directory], {
    variables: { GIT_OBJECT_DIRECTORY: objects },
    signal: AbortSignal.any([signal, failed.signal]),
  })
  const exit = exitOf(child)
  const said = keepSaid(child)
  let fault: unknown
  const sending = pipeline(body, child.stdin).catch((error: NodeJS.ErrnoException) => {
    // Git reads no further once it refuses.
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      fault = error
      failed.abort()
    }
  })
  const words = createWords(directory, onProgress)
  const output = capabilities.has('side-band-64k') ? unbanded(child.stdout, words.add) : child.stdout
  const report = await readAtMost(output, maxReportBytes).catch((error: unknown) => {
    failed.abort()
    throw error
  })
  words.end()
  await exit
  signal.throwIfAborted()
  await sending
  if (fault !== undefined) throw fault
  return readReport(report, (text) => withoutPlaces(text, directory), said())
}

/** The largest report, which has a line for each ref: more than all refs of a push need. */
const maxReportBytes = 4 * 1024 * 1024

/** The report, which is data of a side band; `onWords` gets what git says besides. */
async function* unbanded(
  output: AsyncIterable<Buffer>,
  onWords: (bytes: Buffer) => void,
): AsyncGenerator<Buffer> {
  const packets = readPackets(output)
  for (;;) {
    const next = await packets.next()
    if (next === undefined) return
    if (next === 'flush') continue
    if (next[0] === bands.data) yield next.subarray(1)
    else onWords(next.subarray(1))
  }
}

/** Reads a report (gitprotocol-pack, "Report Status"); without one, git said why on its standard error. */
async function readReport(report: Buffer, clean: (text: string) => string, said: string): Promise<Received> {
  const refs = new Map<string, string | undefined>()
  let refused: string | undefined = clean(reasonIn(said))
  const packets = readPackets(single(report))
  for (;;) {
    const next = await packets.next().catch(() => undefined)
    if (next === undefined) return { refused, refs }
    if (next === 'flush') continue
    const [, word = '', name = '', reason = ''] = /^(\S+) (\S+) ?(.*)/.exec(next.toString().trimEnd()) ?? []
    if (word === 'unpack') refused = name === 'ok' ? undefined : clean(`${name} ${reason}`.trim())
    else if (word === 'ok') refs.set(name, undefined)
    else if (word === 'ng') refs.set(name, clean(reason))
  }
}

function reasonIn(said: string): string {
  const fatal = /^(?:fatal|error): (.*)$/m.exec(said)?.[1]
  return fatal ?? 'the pack could not be read'
}

async function* single(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
