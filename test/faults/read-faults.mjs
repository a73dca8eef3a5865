/** Reads the faults of `table`. */
import { readdir } from 'node:fs/promises'

const table = new URL('table/', import.meta.url)

/**
 * All faults: `what` is wrong then, in one sentence; `find` in `file` is replaced by `replace`; `tests` are expected to
 * catch it. `built`: they run what is built. `slow`: it may be left to `npm run test:all`.
 */
export async function readFaults() {
  const names = (await readdir(table)).sort()
  const files = await Promise.all(names.map((name) => import(new URL(name, table).href)))
  return files.flatMap(({ faults }) => faults)
}
