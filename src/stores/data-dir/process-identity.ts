/** Identifies a process, so that a later one can tell whether it is still running. */
import { readlink } from 'node:fs/promises'
import { z } from 'zod'
import { hasCode } from '../../lib/has-code.ts'
import { readIfAny } from './read-if-any.ts'

const schema = z.object({
  pid: z.int().positive(),
  boot_id: z.string().nullable(),
  start_time: z.int().nullable(),
  pid_namespace: z.string().nullable().default(null),
})

/**
 * A process, distinguished from a later one with the same `pid` by the boot id and its start time, in clock
 * ticks since then; `pid_namespace` is that in which it has the pid. All three are null without `/proc`.
 */
export type ProcessIdentity = z.infer<typeof schema>

/** The identity of this process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  const stat = await readStat(process.pid)
  return {
    pid: process.pid,
    boot_id: await readBootId(),
    start_time: stat?.startTime ?? null,
    pid_namespace: await readlink('/proc/self/ns/pid').catch(() => null),
  }
}

/** Parses an identity in JSON (other properties are ignored); undefined if it is none. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/**
 * Whether exactly this process is still running: not a zombie, not another one with its pid, not one of
 * another boot. Undefined for one of another container, or outside of ours, which cannot be seen.
 */
export async function isRunning(identity: ProcessIdentity): Promise<boolean | undefined> {
  const own = await ownIdentity()
  if (differs(identity.boot_id, own.boot_id)) return false
  if (differs(identity.pid_namespace, own.pid_namespace)) return undefined
  if (own.start_time === null) return takesSignals(identity.pid)
  const stat = await readStat(identity.pid)
  if (stat === undefined || stat.state === 'Z' || stat.state === 'X') return false
  return !differs(identity.start_time, stat.startTime)
}

function differs<T>(a: T | null, b: T | null): boolean {
  return a !== null && b !== null && a !== b
}

function takesSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process is running, as another user.
    return hasCode(error, 'EPERM')
  }
}

async function readBootId(): Promise<string | null> {
  const text = await readIfAny('/proc/sys/kernel/random/boot_id')
  return text?.trim() ?? null
}

async function readStat(pid: number): Promise<{ state: string; startTime: number } | undefined> {
  const text = await readStatText(pid)
  if (text === undefined) return undefined
  // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
  const fromThird = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fromThird[0] ?? '', startTime: Number(fromThird[22 - 3]) }
}

async function readStatText(pid: number): Promise<string | undefined> {
  try {
    return await readIfAny(`/proc/${pid}/stat`)
  } catch (error) {
    // The process ended between opening and reading.
    if (hasCode(error, 'ESRCH')) return undefined
    throw error
  }
}
