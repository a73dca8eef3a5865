/** Tries out the server of a build, so that what can't run is refused. */
import { setTimeout as wait } from 'node:timers/promises'
import { describeEnd } from './failed-start.ts'
import { requestHealth } from './health-request.ts'
import { createLastLines } from './last-lines.ts'
import { maxListenMs, startServer } from './process.ts'
import { type ServerDeps, type ServerProcess, type ServerStart, StartFailed } from './server-process.ts'

/** A server to try out; `healthPath`, where there is one, has to be answered with a status below 400. */
export type Trial = ServerStart & { healthPath: string | undefined; host: string }

/** Why a server can't run: a sentence for the deployer, and its last lines. */
export type TrialProblem = { message: string; excerpt?: string[] }

/** How long a server may take to listen, to answer, and to end, in milliseconds. */
export type TrialTimes = { listenMs: number; answerMs: number; endMs: number }

const trialTimes: TrialTimes = { listenMs: maxListenMs, answerMs: 30_000, endMs: 10_000 }

/** A server that has cut a connection may be about to end: so long that is waited for. */
const endSeenMs = 1_000

/**
 * Starts the server, sends it one request and ends it; undefined if it can run.
 * @throws the reason of `signal` once that aborts; Error where no sandbox can be made here.
 */
export async function tryServer(
  deps: ServerDeps,
  trial: Trial,
  signal: AbortSignal,
  times: TrialTimes = trialTimes,
): Promise<TrialProblem | undefined> {
  signal.throwIfAborted()
  const lines = createLastLines(trial)
  const start = { ...trial, env: { ...trial.env, SVC_TRIAL: '1' }, onLine: lines.onLine }
  const server = await startServer(deps, start, times.listenMs)
  signal.addEventListener('abort', server.kill)
  // The signal may have aborted while the sandbox was set up.
  if (signal.aborted) server.kill()
  try {
    const message = await findProblem(server, trial, signal, times)
    // A server that doesn't run well is not given time to end in order.
    if (message !== undefined) server.kill()
    await server.stop(times.endMs)
    signal.throwIfAborted()
    return message === undefined ? undefined : { message, ...lines.excerpt() }
  } finally {
    signal.removeEventListener('abort', server.kill)
    server.kill()
    await server.ended
  }
}

async function findProblem(
  server: ServerProcess,
  trial: Trial,
  signal: AbortSignal,
  { answerMs }: TrialTimes,
): Promise<string | undefined> {
  try {
    await server.listening
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof StartFailed) return error.message
    throw error
  }
  const problem = await checkAnswer(server, trial, AbortSignal.any([signal, AbortSignal.timeout(answerMs)]))
  signal.throwIfAborted()
  return problem
}

/** Without a path of its own any answer does, and none: the connection counts. */
async function checkAnswer(
  { socketPath, ended }: ServerProcess,
  { healthPath, host, memoryBytes }: Trial,
  signal: AbortSignal,
): Promise<string | undefined> {
  const answer = await requestHealth(socketPath, { path: healthPath ?? '/', host }, signal).then(
    (status) => ({ status }),
    () => undefined,
  )
  if (healthPath === undefined) return undefined
  const named = `\`GET ${healthPath}\` (\`health_path\`)`
  if (answer) {
    return answer.status < 400
      ? undefined
      : `${named} was answered with status ${answer.status}, not below 400.`
  }
  if (signal.aborted) return `${named} was not answered in time.`
  const ending = await Promise.race([ended, wait(endSeenMs, undefined, { ref: false })])
  return ending
    ? describeEnd(ending, memoryBytes, `before it answered ${named}`)
    : `${named} was not answered.`
}
