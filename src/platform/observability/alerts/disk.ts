/** The space on the disk of the data directory, and whether it runs out. */
import { statfs } from 'node:fs/promises'
import type { DiskReserve } from '../../../stores/data-dir/disk-reserve.ts'
import type { Alert } from './alert.ts'

/** `free_percent` is a share of what files can take, as `df` counts it: without what root keeps. */
export type DiskSpace = { path: string; free_bytes: number; free_percent: number }

export type Disk = { space: DiskSpace | undefined; alerts: Alert[] }

/** From 90 % used on. */
const lowPercent = 10

/** With less than this nothing can be written, whatever is reserved. */
const leastBytes = 1024 * 1024

/** The disk of `directory`; without its space where it can't be looked at. */
export async function lookAtDisk(directory: string, reserve: Pick<DiskReserve, 'isFull'>): Promise<Disk> {
  const [space, isReserved] = await Promise.all([spaceOf(directory), reserve.isFull()])
  if (!space) return { space, alerts: [] }
  const isFull = isReserved || space.free_bytes < leastBytes
  if (isFull) return { space, alerts: [fullAlert(space, isReserved)] }
  return { space, alerts: space.free_percent <= lowPercent ? [lowAlert(space)] : [] }
}

async function spaceOf(directory: string): Promise<DiskSpace | undefined> {
  const found = await statfs(directory).catch(() => undefined)
  if (!found) return undefined
  const { blocks, bfree, bavail, bsize } = found
  const usable = blocks - bfree + bavail
  const percent = usable === 0 ? 0 : (bavail / usable) * 100
  return {
    path: directory,
    free_bytes: bavail * bsize,
    free_percent: Math.round(percent * 10) / 10,
  }
}

function fullAlert(
  { path, free_bytes: bytes, free_percent: percent }: DiskSpace,
  isReserved: boolean,
): Alert {
  // Of what is gone nothing is kept.
  const reserve = isReserved && bytes >= leastBytes ? ', and kept free (SVC_DISK_RESERVE)' : ''
  return {
    name: 'disk_full',
    place: path,
    figure: bytes,
    unit: 'free_bytes',
    isOfMachine: true,
    message:
      `The disk of ${path} is full: ${sizeText(bytes)} (${percent} %) are free${reserve}. ` +
      'Nothing more is stored, and sites are served. Make room on it, or enlarge it.',
  }
}

function lowAlert({ path, free_bytes: bytes, free_percent: percent }: DiskSpace): Alert {
  return {
    name: 'disk_low',
    place: path,
    figure: percent,
    unit: 'free_percent',
    isOfMachine: true,
    message:
      `The disk of ${path} is nearly full: ${percent} % (${sizeText(bytes)}) are free. ` +
      'Make room on it, or enlarge it, before nothing more can be stored.',
  }
}

function sizeText(bytes: number): string {
  const mebibytes = bytes / 1024 ** 2
  return mebibytes < 1024 ? `${mebibytes.toFixed(1)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`
}
