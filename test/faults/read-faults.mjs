/** Reads the faults of `table`. */
import { readdir } from 'node:fs/promises'

const table = new URL('table/', import.meta.url)

/**
 * All faults: `what` says in one sentence what goes wrong; `find` in `file` is replaced by `replace`; `tests`
 * are expected to catch it. `built`: the tests run the built program. `slow`: may be caught by `npm run
 * test:all` only.
 */
export async function readFaults() {
  const names = (await readdir(table)).sort()
  const files = await Promise.all(names.map((name) => import(new URL(name, table).href)))
  return files.flatMap(({ faults }) => faults)
}
