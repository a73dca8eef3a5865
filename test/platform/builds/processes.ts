/** The processes on this host. */
import { readdir, readFile } from 'node:fs/promises'

/** The number of processes with this text in their command line. */
export async function countProcesses(text: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.replaceAll('\0', ' ').includes(text)).length
}
