/** How long the main thread of a program was busy at a stretch, which keeps every other request waiting. */
import { appendFile, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'

const blockSchema = z.object({ ms: z.number(), requests: z.array(z.string()) })

/** A stretch of processor time without a turn for others, and the requests under way in it. */
export type Block = z.infer<typeof blockSchema>

/** What a test of no particular size may take of the processor at a stretch, on the reference machine. */
const longestMs = 250

/** What the reference machine takes for the work that `slowness` does. */
const referenceMs = 45

/** What a program needs in its environment to write its blocks into `file`; Linux tells a thread's processor time. */
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

/** @throws where the program whose blocks are in `file` kept others waiting for too long; the message names the requests. */
export async function refuseBlocks(file: string): Promise<void> {
  const [longest] = await readBlocks(file)
  if (!longest || longest.ms <= longestMs || longest.ms <= longestMs * slowness()) return
  const requests = longest.requests.join(', ') || 'no request'
  throw new Error(`The program computed for ${longest.ms} ms at a stretch while it answered ${requests}.`)
}

/** How many times slower this machine computes than the one that limits are for; at least 1. */
export function slowness(): number {
  const start = process.cpuUsage()
  for (let round = 0; round < 10; round += 1) {
    JSON.parse(JSON.stringify(Array.from({ length: 50_000 }, String)))
  }
  return Math.max(1, process.cpuUsage(start).user / 1_000 / referenceMs)
}
