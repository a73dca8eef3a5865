/**
 * The bytes that the kernel may keep for a sandbox in pipes and sockets, where no control group counts it: an
 * upper bound, from how many there are, whoever holds them.
 */
import { readdir, readFile, readlink } from 'node:fs/promises'

/**
 * The bytes that aren't counted: usual builds hold less. Pipes may hold 64 MiB besides, those sent and not
 * received yet 8 MiB.
 */
const allowedBytes = 128 * 1024 * 1024

/**
 * Two pages; beyond 64 MiB for all pipes of a user the kernel allows no more to a pipe (pipe(7),
 * pipe-user-pages-soft).
 */
const pipeBytes = 8_192

/** Without a setting in /proc. */
const usualSocketBytes = 212_992

/**
 * Each socket without a connection holds so many messages (unix(7), max_dgram_qlen), and one that is being
 * sent.
 */
const datagrams = 12

/** A segment takes more memory than its bytes. */
const overhead = 2

/** Pipes are counted so often, unless that takes long. */
const pipesMs = 1_000

/** More slots for descriptors than at the last count of pipes are reason to count at once. */
const manySlots = 4_096

const queued = ['tcp', 'tcp6', 'udp', 'udp6', 'udplite', 'udplite6', 'icmp', 'icmp6', 'raw', 'raw6']

/**
 * Makes the count of a build: resolves to the bytes above what every build may have. `slots`: how many
 * descriptors the processes have room for, as `readMemory` says.
 */
export function createBufferCount(): (pids: number[], slots: number) => Promise<number> {
  let slotsThen = 0
  let nextMs = 0
  let descriptors = { pipes: 0, sockets: 0 }

  return async (pids, slots) => {
    const startMs = performance.now()
    if (startMs >= nextMs || slots > slotsThen + manySlots) {
      descriptors = await countDescriptors(pids)
      slotsThen = slots
      nextMs = performance.now() + Math.max(pipesMs, (performance.now() - startMs) * 10)
    }
    const inside = await findOwnNetwork(pids)
    const sockets =
      inside === undefined ? descriptors.sockets * (await socketBytes()) : await queuedBytes(inside)
    return Math.max(0, descriptors.pipes * pipeBytes + sockets - allowedBytes)
  }
}

/** Each pipe and socket once, however many processes have it open. */
async function countDescriptors(pids: number[]): Promise<{ pipes: number; sockets: number }> {
  const targets = new Set<string>()
  for (const pid of pids) {
    const names = await readdir(`/proc/${pid}/fd`).catch(() => [])
    const each = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
    for (const target of each) targets.add(target)
  }
  const count = (kind: string) => [...targets].filter((target) => target.startsWith(kind)).length
  return { pipes: count('pipe:'), sockets: count('socket:') }
}

/** A process with a network of its own; undefined where the build has the host's. */
async function findOwnNetwork(pids: number[]): Promise<number | undefined> {
  const networkOf = (pid: number | 'self') => readlink(`/proc/${pid}/ns/net`).catch(() => undefined)
  const host = await networkOf('self')
  for (const pid of pids) {
    const network = await networkOf(pid)
    if (network !== undefined && network !== host) return pid
  }
  return undefined
}

/** The bytes queued in all sockets of a process's network, also in those that nobody has open. */
async function queuedBytes(pid: number): Promise<number> {
  const read = async (name: string) => {
    const text = await readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => '')
    return text.split('\n').slice(1, -1)
  }
  const [unix, netlink, ...others] = await Promise.all(['unix', 'netlink', ...queued].map(read))
  const most = await socketBytes()
  return (
    sumOf(unix ?? [], (line) => unixBytes(line, most)) +
    sumOf(netlink ?? [], netlinkBytes) +
    sumOf(others.flat(), inetBytes)
  )
}

function sumOf(lines: string[], bytesOf: (line: string) => number): number {
  return lines.reduce((sum, line) => sum + bytesOf(line), 0)
}

/** `Num RefCount Protocol Flags Type St Inode Path`; type 2 is for datagrams. */
function unixBytes(line: string, most: number): number {
  return line.split(/\s+/, 5)[4] === '0002' ? datagrams * most : most
}

/** `sk Eth Pid Groups Rmem Wmem ...` */
function netlinkBytes(line: string): number {
  const fields = line.trim().split(/\s+/, 6)
  return Number(fields[4]) + Number(fields[5])
}

/** `sl local_address rem_address st tx_queue:rx_queue ...`; the queue of what listens has connections. */
function inetBytes(line: string): number {
  const [, , , state, queues = ''] = line.trim().split(/\s+/, 5)
  if (state === '0A') return 0
  const [sent = '0', received = '0'] = queues.split(':')
  return overhead * (Number.parseInt(sent, 16) + Number.parseInt(received, 16))
}

/**
 * The most that the other side of a socket may have sent without a setting of its own, which builds may not
 * make.
 */
async function socketBytes(): Promise<number> {
  const setting = await readFile('/proc/sys/net/core/wmem_default', 'utf8').catch(() => '')
  return Number(setting) || usualSocketBytes
}
