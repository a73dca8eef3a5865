/**
 * `npm run fuzz`: the tests of this folder, round after round with another seed, until one fails or
 * `--minutes N` are over; without that, until it is interrupted. `FUZZ_RUNS` says how many calls to each
 * operation a round sends.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: 'Infinity' } } })
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error('--minutes takes a number above 0.')
const overMs = performance.now() + minutes * 60_000

let code = 0
do {
  const seed = randomInt(2 ** 31)
  process.stdout.write(`FUZZ_SEED=${seed}\n`)
  const env = { FUZZ_RUNS: '200', ...process.env, FUZZ_SEED: String(seed) }
  const round = spawn('npx', ['vitest', 'run', 'test/fuzz'], { env, stdio: 'inherit' })
  const [status, signal] = await once(round, 'exit')
  code = signal ? 1 : status
} while (code === 0 && performance.now() < overMs)
process.exitCode = code
