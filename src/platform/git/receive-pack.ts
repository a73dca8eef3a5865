/** Takes the pack of a push into a repository, with git's own `receive-pack`. */
import { pipeline } from 'node:stream/promises'
import { bands, flush, packet, readPackets } from './pkt-line.ts'
import type { PushRequest } from './push-request.ts'
import { exitOf, startGit } from './run-git.ts'

/** What became of each ref: undefined where it was taken, else why it was not. */
export type Received = {
  /** Why the pack as a whole was refused. */
  refused: string | undefined
  refs: Map<string, string | undefined>
}

/** The answer to `GET info/refs` of a push (gitprotocol-http, "Smart Server Response"). */
export async function advertise(directory: string): Promise<Buffer> {
  const child = startGit(directory, ['receive-pack', '--http-backend-info-refs', directory])
  child.stdin.end()
  child.stderr.resume()
  const parts: Buffer[] = [packet('# service=git-receive-pack\n'), flush]
  const exit = exitOf(child)
  for await (const part of child.stdout) parts.push(part)
  const code = await exit
  if (code !== 0) throw new Error(`git receive-pack ended with ${code}.`)
  return Buffer.concat(parts)
}

type Options = {
  /** Called with what git says to the pusher meanwhile. */
  onProgress: (text: Buffer) => void
  signal: AbortSignal
}

/**
 * Stores the objects of a push and moves its refs. What is refused leaves nothing behind.
 * @throws what reading the request throws.
 */
export async function receivePack(
  directory: string,
  { body, capabilities }: PushRequest,
  { onProgress, signal }: Options,
): Promise<Received> {
  const child = startGit(directory, ['receive-pack', '--stateless-rpc', directory], signal)
  const exit = exitOf(child)
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, maxSaid)
  })
  let fault: unknown
  const sending = pipeline(body, child.stdin).catch((error: NodeJS.ErrnoException) => {
    // Git reads no further once it refuses.
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      fault = error
      child.kill('SIGKILL')
    }
  })
  const report = capabilities.has('side-band-64k')
    ? await unbanded(child.stdout, onProgress)
    : await whole(child.stdout)
  await Promise.all([sending, exit])
  if (fault !== undefined) throw fault
  return readReport(report, said)
}

/** Of what git says on its standard error. */
const maxSaid = 2_000

async function whole(output: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of output) parts.push(part)
  return Buffer.concat(parts)
}

/** The report, which is data of a side band; whatever git says besides is passed on. */
async function unbanded(output: AsyncIterable<Buffer>, onProgress: Options['onProgress']): Promise<Buffer> {
  const packets = readPackets(output)
  const report: Buffer[] = []
  for (;;) {
    const next = await packets.next()
    if (next === undefined) return Buffer.concat(report)
    if (next === 'flush') continue
    if (next[0] === bands.data) report.push(next.subarray(1))
    else onProgress(next.subarray(1))
  }
}

/** Reads a report (gitprotocol-pack, "Report Status"); without one, git said why on its standard error. */
async function readReport(report: Buffer, said: string): Promise<Received> {
  const refs = new Map<string, string | undefined>()
  let refused: string | undefined = reasonIn(said)
  const packets = readPackets(single(report))
  for (;;) {
    const next = await packets.next().catch(() => undefined)
    if (next === undefined) return { refused, refs }
    if (next === 'flush') continue
    const [, word = '', name = '', reason = ''] = /^(\S+) (\S+) ?(.*)/.exec(next.toString().trimEnd()) ?? []
    if (word === 'unpack') refused = name === 'ok' ? undefined : `${name} ${reason}`.trim()
    else if (word === 'ok') refs.set(name, undefined)
    else if (word === 'ng') refs.set(name, reason)
  }
}

function reasonIn(said: string): string {
  const fatal = /^(?:fatal|error): (.*)$/m.exec(said)?.[1]
  return fatal ?? 'the pack could not be read'
}

async function* single(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
