/** Processes with their descendants, as the kernel knows them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The process and its descendants; none of those that have ended. */
export function treeOf(main: number): number[] {
  const parents = new Map<number, number[]>()
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [, parent] = /^PPid:\s+(\d+)/m.exec(readOf(Number(id), 'status')) ?? []
    if (parent !== undefined)
      parents.set(Number(parent), [...(parents.get(Number(parent)) ?? []), Number(id)])
  }
  const found: number[] = []
  const queue = [main]
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    found.push(next)
    queue.push(...(parents.get(next) ?? []))
  }
  return found
}

/** A file of `/proc` about it, such as `status`; empty once the process has ended. */
export function readOf(pid: number, file: string): string {
  try {
    return readFileSync(join('/proc', String(pid), file), 'utf8')
  } catch {
    return ''
  }
}
