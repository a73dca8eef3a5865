/** Measures how long a program's main thread is busy without a pause, which delays every other request. */
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'

const blockSchema = z.object({ ms: z.number(), requests: z.array(z.string()) })

/** Processor time without a pause for other work, and the requests under way in it. */
export type Block = z.infer<typeof blockSchema>

/** The longest block that an ordinary test may cause, on the reference machine. */
const longestMs = 250

/** How long the reference machine takes for the work that `slowness` does. */
const referenceMs = 45

/**
 * The environment for a program that writes its blocks into `file`; empty where the system doesn't report a
 * thread's processor time.
 */
export function watchBusy(file: string): Record<string, string> {
  if (process.platform !== 'linux') return {}
  return { NODE_OPTIONS: `--import ${resolve('test/support/busy-watch.mjs')}`, BUSY_FILE: file }
}

/** The blocks in `file` so far, the longest first. */
export async function readBlocks(file: string): Promise<Block[]> {
  await appendFile(file, '')
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => blockSchema.parse(JSON.parse(line))).sort((a, b) => b.ms - a.ms)
}

/** @throws if the program whose blocks are in `file` blocked for too long; the message names the requests. */
export async function refuseBlocks(file: string): Promise<void> {
  const [longest] = await readBlocks(file)
  if (!longest || longest.ms <= longestMs || longest.ms <= longestMs * slowness()) return
  const requests = longest.requests.join(', ') || 'no request'
  throw new Error(`The program computed for ${longest.ms} ms at a stretch while it answered ${requests}.`)
}

/** The longest block, if over `maxMs`, in `file`, which is emptied; else undefined. */
export async function blockOver(maxMs: number, file: string): Promise<Block | undefined> {
  const [longest] = await readBlocks(file)
  await writeFile(file, '')
  return longest && longest.ms > maxMs && longest.ms > maxMs * slowness() ? longest : undefined
}

/** How many times slower this machine is than the reference machine; at least 1. */
function slowness(): number {
  const start = process.cpuUsage()
  for (let round = 0; round < 10; round += 1) {
    JSON.parse(JSON.stringify(Array.from({ length: 50_000 }, String)))
  }
  return Math.max(1, process.cpuUsage(start).user / 1_000 / referenceMs)
}
