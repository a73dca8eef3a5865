/**
 * Keeps builds and servers from inheriting descriptors of whoever started this program; Node's own are
 * close-on-exec.
 */
import { closeSync, openSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { hasCode } from '../../lib/has-code.ts'

/** The descriptors of a new process, in the form of the options of `spawn`. */
export type Stdio = ('ignore' | 'pipe' | 'ipc' | number)[]

/** O_CLOEXEC of Linux: such a descriptor isn't inherited by a new program. */
const closesOnExec = 0o2_000_000

/** Read once: what this process opens itself closes on exec, and may be many connections. */
let inherited: Promise<number[]> | undefined

/**
 * Calls `start` with a `stdio` that replaces by /dev/null each inheritable descriptor but those given: a
 * directory would lead out of a sandbox. Nothing is waited for after `start`, so that no event of a process
 * that it starts is missed.
 */
export async function withoutInherited<T>(given: Stdio, start: (stdio: Stdio) => T): Promise<T> {
  inherited ??= readInherited().catch((error: unknown) => {
    inherited = undefined
    throw error
  })
  const left = (await inherited).filter(
    (descriptor) => descriptor > 2 && (given[descriptor] ?? 'ignore') === 'ignore',
  )
  if (left.length === 0) return start(given)
  const nothing = openSync('/dev/null', 'r')
  try {
    const length = Math.max(given.length, ...left.map((descriptor) => descriptor + 1))
    return start(
      // 'ignore' beyond the first three leaves a descriptor as it is.
      Array.from({ length }, (_, index) => (left.includes(index) ? nothing : (given[index] ?? 'ignore'))),
    )
  } finally {
    closeSync(nothing)
  }
}

/** None if the kernel doesn't list them. @throws any other error: what isn't known may be inherited. */
async function readInherited(): Promise<number[]> {
  const names = await readdir('/proc/self/fdinfo').catch(noneIfAbsent([]))
  const found = await Promise.all(
    names.map(async (name) => {
      // One that was closed meanwhile was ours.
      const text = await readFile(`/proc/self/fdinfo/${name}`, 'utf8').catch(noneIfAbsent(''))
      const flags = /^flags:\s*([0-7]+)$/m.exec(text)?.[1]
      return flags === undefined || Number.parseInt(flags, 8) & closesOnExec ? [] : [Number(name)]
    }),
  )
  return found.flat()
}

/** Turns the error of something that isn't there into `none`. @throws any other error. */
function noneIfAbsent<T>(none: T): (error: unknown) => T {
  return (error) => {
    if (hasCode(error, 'ENOENT')) return none
    throw error
  }
}
