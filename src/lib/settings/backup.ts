/** The types of the settings of scheduled backups; each message completes "<name> should be …". */
import { resolve } from 'node:path'
import { z } from 'zod'
import { bucket } from './kinds.ts'

/** Where backups go: a directory, or a bucket by its address. */
export type BackupTarget = { kind: 'directory'; place: string } | { kind: 'bucket'; place: string }

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

const leastMs = 60_000
const mostMs = 90 * 86_400_000

/** A span of time from a minute to 90 days, in milliseconds. */
export const interval = z
  .string()
  .transform((text) => {
    const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
    return Number(count) * (units[unit] ?? 0)
  })
  .refine((ms) => ms >= leastMs && ms <= mostMs, 'a span from 1m to 90d, such as 24h')

/** An absolute directory, or `s3://<bucket>/<prefix>`. */
export const backupTarget = z.string().transform((text, { addIssue }): BackupTarget => {
  if (!/^\w+:/.test(text)) return { kind: 'directory', place: resolve(text) }
  if (bucket.safeParse(text).success) return { kind: 'bucket', place: text }
  addIssue('a directory, or a bucket such as s3://my-bucket/backups')
  return z.NEVER
})
