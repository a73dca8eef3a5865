/** Whether disks have the space that something new takes, before it is begun. */
import { stat, statfs } from 'node:fs/promises'
import { BackupError } from './error.ts'

/** So many bytes more below this directory; `what` names them. */
export type Wanted = { directory: string; bytes: number; what: string }

/** @throws BackupError that says how many bytes are missing on which disk. */
export async function refuseWithoutSpace(wanted: Wanted[]): Promise<void> {
  const disks = new Map<number, Wanted[]>()
  for (const each of wanted) {
    const { dev } = await stat(each.directory)
    disks.set(dev, [...(disks.get(dev) ?? []), each])
  }
  for (const all of disks.values()) await refuseFullDisk(all)
}

async function refuseFullDisk(wanted: Wanted[]): Promise<void> {
  const directory = wanted[0]?.directory ?? '.'
  const { bavail, bsize } = await statfs(directory)
  const needed = wanted.reduce((sum, { bytes }) => sum + bytes, 0)
  const free = bavail * bsize
  if (free >= needed) return
  const parts = wanted.map(({ bytes, what }) => `${bytes} for ${what}`).join(', ')
  throw new BackupError(
    `The disk of ${directory} has too little space: at least ${needed} bytes are needed (${parts}), ` +
      `and ${free} are free, so ${needed - free} are missing.`,
  )
}

/** Files take whole blocks. */
const blockBytes = 4_096

/** The space of a file of `size` bytes on most disks. */
export function spaceOf(size: number): number {
  return Math.ceil(size / blockBytes) * blockBytes
}
