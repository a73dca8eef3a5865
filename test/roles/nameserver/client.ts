/** Clients of the name server: one for packets, and `dig`. */
import { execFile, execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { type DecodedPacket, decode, encode, type Packet } from 'dns-packet'

/** A query with one question, with header bits where they matter. */
export function query(name: string, type: string, more: Partial<Packet> & { flags?: number } = {}): Buffer {
  const questions = [{ name, type: packetType(type) as 'A' }]
  return encode({ type: 'query', id: 0x1234, questions, ...more })
}

/** Types that dns-packet knows by their numbers alone; their data are bytes. */
const numbered = new Map([
  ['HTTPS', 'UNKNOWN_65'],
  ['SVCB', 'UNKNOWN_64'],
])

/** What dns-packet calls a type. */
export function packetType(type: string): string {
  return numbered.get(type) ?? type
}

/** The response to a packet by UDP; undefined if there is none. */
export async function byUdp(port: number, packet: Buffer, waitMs = 5_000): Promise<Buffer | undefined> {
  const socket = createSocket('udp4')
  try {
    socket.send(packet, port, '127.0.0.1')
    const [answer] = await once(socket, 'message', { signal: AbortSignal.timeout(waitMs) })
    return answer
  } catch {
    return undefined
  } finally {
    socket.close()
  }
}

export async function openTcp(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** The packet with its length in front. */
export function framed(packet: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(packet.length)
  return Buffer.concat([length, packet])
}

/** The next `count` responses on a connection; fewer if it ends before. */
export async function answersOn(socket: Socket, count: number): Promise<Buffer[]> {
  const answers: Buffer[] = []
  let bytes = Buffer.alloc(0)
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    bytes = Buffer.concat([bytes, chunk])
    while (bytes.length >= 2 && bytes.length >= 2 + bytes.readUInt16BE(0)) {
      const end = 2 + bytes.readUInt16BE(0)
      answers.push(bytes.subarray(2, end))
      bytes = bytes.subarray(end)
    }
    if (answers.length >= count) break
  }
  return answers
}

/** The parsed response to one query by UDP. @throws if there is none. */
export async function queryUdp(port: number, name: string, type: string): Promise<DecodedPacket> {
  const answer = await byUdp(port, query(name, type))
  if (!answer) throw new Error(`There was no answer about ${name}.`)
  return decode(answer)
}

/** `NOERROR`, `NXDOMAIN`, …: dns-packet returns it, but its types lack it. */
export function rcodeOf(packet: Packet): unknown {
  return Reflect.get(packet, 'rcode')
}

/** The parsed response to one query by TCP. @throws if there is none. */
export async function queryTcp(port: number, name: string, type: string): Promise<DecodedPacket> {
  const socket = await openTcp(port)
  try {
    socket.write(framed(query(name, type)))
    const [answer] = await answersOn(socket, 1)
    if (!answer) throw new Error(`There was no answer about ${name}.`)
    return decode(answer)
  } finally {
    socket.destroy()
  }
}

/** Everything in a response except the order of its records, which clients may not depend on. */
export function comparable(packet: DecodedPacket) {
  const sorted = (records: unknown[] = []) => records.map((record) => JSON.stringify(record)).sort()
  return {
    rcode: rcodeOf(packet),
    flags: [packet.flag_aa, packet.flag_tc, packet.flag_rd, packet.flag_ra],
    questions: packet.questions,
    answers: sorted(packet.answers),
    authorities: sorted(packet.authorities),
    additionals: sorted(packet.additionals),
  }
}

/** Whether a program is installed, without which its tests are left out; `option` is any that it accepts. */
function isInstalled(program: string, option: string): boolean {
  try {
    execFileSync(program, [option], { stdio: 'ignore' })
    return true
  } catch (error) {
    // Some programs fail after they have printed their version.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) return true
    process.stderr.write(`${program} is missing: tests with it are left out.\n`)
    return false
  }
}

/** `isInstalled`, for a program that continuous integration must have. */
export function findProgram(program: string, option: string, name: string): boolean {
  const isHere = isInstalled(program, option)
  if (!isHere && process.env.CI) throw new Error(`${program} (${name}) is missing.`)
  return isHere
}

export const hasDig = findProgram('dig', '-v', 'bind9-dnsutils')

/** The output of `dig`. */
export async function dig(port: number, ...args: string[]): Promise<string> {
  const all = ['@127.0.0.1', '-p', String(port), '+norecurse', '+tries=1', ...args]
  return (await promisify(execFile)('dig', all)).stdout
}
