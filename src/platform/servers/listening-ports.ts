/** The TCP ports on which a sandbox listens. */
import { readFile } from 'node:fs/promises'

/** The state of a listening socket in /proc/net/tcp (include/net/tcp_states.h). */
const listens = '0A'

/** The ports of the network of a process, in order. */
export async function listeningPorts(pid: number): Promise<number[]> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => '')),
  )
  return [...new Set(tables.flatMap(readPorts))].sort((a, b) => a - b)
}

/** Lines are `sl local_address rem_address st ...`, the address ending with the port in hexadecimal. */
function readPorts(table: string): number[] {
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/, 4))
    .flatMap(([, local = '', , state]) =>
      state === listens ? Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16) : [],
    )
}
