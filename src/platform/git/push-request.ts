/** Reads the commands at the beginning of a push (gitprotocol-pack, "Reference Update Request"). */
import { AppError } from '../../lib/errors.ts'
import { flush, packet, readPackets } from './pkt-line.ts'

/** A ref that is created, moved or, with `to` null, deleted. */
export type RefUpdate = { ref: string; to: string | null }

export type PushRequest = {
  updates: RefUpdate[]
  capabilities: ReadonlySet<string>
  /** By `git push -o`. */
  options: string[]
  /** The whole request, for git to read. */
  body: AsyncIterable<Buffer>
}

/** The most of commands, ends of a shallow clone and options together, with the lengths of packets. */
const most = { bytes: 1024 * 1024, packets: 20_000 }

const command = /^[0-9a-f]{40} ([0-9a-f]{40}) ([^\n]+)\n?$/

const zeros = '0'.repeat(40)

/**
 * The push in these bytes; `updates` are empty for the request by which git tests its credentials.
 * @throws AppError `malformed_request`, also for more than 1 MiB or 20,000 packets of commands.
 */
export async function readPush(source: AsyncIterable<Buffer>): Promise<PushRequest> {
  const packets = readPackets(source)
  const head: Buffer[] = []
  let bytes = 0

  async function section(): Promise<Buffer[]> {
    const lines: Buffer[] = []
    for (;;) {
      const line = await packets.next().catch((cause: unknown) => {
        throw cause instanceof AppError ? cause : malformed(cause)
      })
      if (line === undefined) throw malformed()
      const whole = line === 'flush' ? flush : packet(line)
      head.push(whole)
      if (line === 'flush') return lines
      lines.push(line)
      bytes += whole.length
      if (bytes > most.bytes || head.length > most.packets)
        throw new AppError('malformed_request', 'Push fewer branches at once.')
    }
  }

  const lines = (await section()).map(String)
  // Shallow clones name their ends before the commands, the first of which has the capabilities.
  const commands = lines.filter((line) => !line.startsWith('shallow '))
  const [, listed = ''] = commands[0]?.split('\0') ?? []
  const capabilities = new Set(listed.trim().split(' '))
  const updates = commands.map((line) => updateIn(line.split('\0', 1)[0] ?? ''))
  const options = capabilities.has('push-options') ? (await section()).map(String) : []
  async function* body() {
    yield Buffer.concat(head)
    yield* packets.rest()
  }
  return { updates, capabilities, options: options.map((each) => each.trimEnd()), body: body() }
}

function updateIn(line: string): RefUpdate {
  const [, to, ref] = command.exec(line) ?? []
  if (to === undefined || ref === undefined) throw malformed()
  return { ref, to: to === zeros ? null : to }
}

function malformed(cause?: unknown): AppError {
  return new AppError('malformed_request', 'This is no push of git.', { cause })
}
