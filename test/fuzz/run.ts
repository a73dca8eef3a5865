/**
 * One sequence of generated calls: sends them one after another, checks each response, and reports the
 * smallest failing one.
 */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import pLimit from 'p-limit'
import { isShort } from '../support/short.ts'
import type { Sent } from './calls.ts'
import type { Answer } from './client.ts'

/** The seed of this run; another one with `FUZZ_SEED`. */
export const seed = Number(process.env.FUZZ_SEED ?? 1)

/** The seed of one of the sequences. */
export function seedOf(name: string): number {
  return createHash('sha256').update(`${seed} ${name}`).digest().readInt32BE()
}

/** How many calls each sequence has: more with `FUZZ_RUNS`, an eighth in `npm test`. */
export function runsOf(usual: number, share = 1): number {
  return Math.ceil(Number(process.env.FUZZ_RUNS ?? (isShort ? usual / 8 : usual)) * share)
}

/** Longer than any call may take that doesn't wait. */
const slowMs = 2_000

/** The time that an idle node takes to report that it is ready. */
const calmMs = 200

export type Sequence<T> = {
  /** Distinguishes it from the others of a run, which generate something else. */
  name: string
  drawn: fc.Arbitrary<T>
  runs: number
  /** Builds the request as it is then sent. */
  prepare(drawn: T): Sent
  send(sent: Sent): Promise<Answer>
  /** The violations in the response. */
  judge(sent: Sent, answer: Answer): string[]
  learn?(sent: Sent, answer: Answer): Promise<void>
}

export type Result = {
  calls: number
  statuses: Map<number, number>
  slowestMs: number
  failure: string | undefined
}

/** With more at once, a busy machine would refuse calls because others wait. */
const limit = pLimit(16)

/** Sends the whole sequence; if a call fails, sends smaller ones until none fails that is smaller still. */
export function run<T>(sequence: Sequence<T>): Promise<Result> {
  return limit(() => send(sequence))
}

async function send<T>(sequence: Sequence<T>): Promise<Result> {
  const result: Result = { calls: 0, statuses: new Map(), slowestMs: 0, failure: undefined }
  let last: { sent: Sent; answer: Answer | undefined; calls: number } | undefined

  async function fails(drawn: T): Promise<void> {
    const sent = sequence.prepare(drawn)
    const note = (answer: Answer | undefined) => {
      last = { sent, answer, calls: last?.calls ?? result.calls }
    }
    result.calls += 1
    let answer: Answer
    try {
      answer = await sequence.send(sent)
    } catch (error) {
      note(undefined)
      throw error
    }
    const { status, tookMs } = answer
    result.statuses.set(status, (result.statuses.get(status) ?? 0) + 1)
    result.slowestMs = Math.max(result.slowestMs, tookMs)
    const problems = sequence.judge(sent, answer)
    if (tookMs > slowMs && (await isSlow(sequence.send, sent)))
      problems.push(`it took ${Math.round(tookMs)} ms`)
    if (problems.length > 0) {
      note(answer)
      throw new Error(problems.join('; '))
    }
    await sequence.learn?.(sent, answer)
  }

  const details = await fc.check(fc.asyncProperty(sequence.drawn, fails), {
    seed: seedOf(sequence.name),
    numRuns: sequence.runs,
  })
  if (details.failed) {
    const { sent, answer, calls } = last ?? {}
    result.failure = [
      `${sequence.name} with FUZZ_SEED=${seed}: ` +
        `call ${calls ?? result.calls} fails, and after ${details.numShrinks} steps the smallest is`,
      sent ? curlOf(sent) : 'one that was never sent',
      String(details.errorInstance),
      answer ? `${answer.status} ${answer.text.slice(0, 2_000)}` : 'There is no answer.',
    ].join('\n')
  }
  return result
}

/** The request for a shell that supports `$'…'`. */
function curlOf({ method, path, headers, body }: Sent): string {
  const fields = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const data = body ? [`--data-binary ${quoted(body.toString('latin1'))}`] : []
  return [
    'curl -i --path-as-is',
    method === 'HEAD' ? '-I' : `-X ${method}`,
    ...fields,
    ...data,
    quoted(`$API${path}`),
  ].join(' ')
}

function quoted(text: string): string {
  const escaped = text.replaceAll(
    /[^ !-&(-[\]-~]/g,
    (each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  const cut = escaped.length > 4_000 ? `${escaped.slice(0, 4_000)}…` : escaped
  return `$'${cut.replaceAll('$API', "'$API'")}'`
}

/**
 * Whether the call is slow three more times while the node and its stores are fast: a busy machine is slow in
 * general.
 */
async function isSlow(send: (sent: Sent) => Promise<Answer>, sent: Sent): Promise<boolean> {
  const { authorization } = sent.headers
  const headers = { ...(authorization !== undefined && { authorization }) }
  let slow = 0
  for (let attempt = 0; attempt < 6 && slow < 3; attempt += 1) {
    // Queries the stores each time, as readiness doesn't.
    const before = await send({ method: 'GET', path: '/v1/projects?limit=1', headers, body: undefined })
    const { tookMs } = await send(sent)
    if (tookMs <= slowMs) return false
    if (before.tookMs <= calmMs) slow += 1
  }
  return slow === 3
}
