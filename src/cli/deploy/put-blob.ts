/** Uploads one blob, with retries: it is named by its digest, and safe to send again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { nextWaitMs } from '../../api/client/next-wait.ts'
import { Failure, failed } from '../command-failure.ts'
import { foreignAt, tooLargeFor } from '../connection/foreign-answer.ts'
import type { Through } from '../connection/proxy/find-proxy.ts'
import { exitCodes } from '../exit-codes.ts'
import type { HashedFile } from './hash-files.ts'
import { changed } from './open-found.ts'
import { type Agents, type Refused, sendUpload, serverAgents } from './request-upload.ts'
import type { Direct } from './upload-places.ts'

/** After this much silence a server or network counts as gone. */
const silenceMs = 60_000

/** The same for a place that another can stand in for. */
const shortSilenceMs = 5_000

/**
 * Uploads the file to `url`, at the server, possibly through a proxy; resolves once that confirms that it is
 * durable.
 * @throws Failure if the server refuses it, or stays unreachable.
 */
export async function putBlob(
  file: HashedFile,
  { url, through }: { url: string; through: Through | undefined },
  signal: AbortSignal,
): Promise<void> {
  const target = { url, headers: {}, agents: serverAgents, silenceMs, through }
  let waitedMs = 0
  for (let attempts = 1; ; attempts += 1) {
    signal.throwIfAborted()
    const outcome = await sendUpload(file, target, signal).catch((error: Error) => error)
    signal.throwIfAborted()
    if (outcome === 'done') return
    const after = outcome instanceof Error ? undefined : outcome.retryAfterMs
    // The server has responded to the call that returned the address.
    const tried = { attempts, waitedMs, isKnown: true, retryAfterMs: after }
    const waitMs = mayPass(outcome) ? nextWaitMs(tried, Math.random()) : undefined
    if (waitMs === undefined) throw refusal(file, new URL(url).origin, outcome)
    waitedMs += waitMs
    await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

/** Uploads the file to a bucket, which may not be reachable; false unless it arrived. */
export async function tryBlob(
  file: HashedFile,
  direct: Direct & { agents: Agents },
  signal: AbortSignal,
): Promise<boolean> {
  const target = { ...direct, silenceMs: shortSilenceMs }
  const outcome = await sendUpload(file, target, signal).catch((error: Error) => error)
  signal.throwIfAborted()
  return outcome === 'done'
}

function mayPass(outcome: Refused | Error): boolean {
  if (!(outcome instanceof Error)) return outcome.status >= 500 || [408, 429].includes(outcome.status)
  // Errors of the file are not retried.
  return !(outcome instanceof Failure) && !('path' in outcome)
}

function refusal({ path, size }: HashedFile, server: string, outcome: Refused | Error): Failure {
  if (outcome instanceof Failure) return outcome
  if (
    !(outcome instanceof Error) &&
    ['digest_mismatch', 'size_mismatch', 'body_too_large'].includes(outcome.reason)
  ) {
    return changed(path)
  }
  if (outcome instanceof Error && 'path' in outcome) return failed(outcome.message, outcome)
  const message = foreign(server, size, outcome)
  return new Failure(exitCodes.unavailable, {
    reason: 'server_away',
    message: message === undefined ? passing(path, outcome) : `${path} could not be uploaded. ${message}`,
  })
}

/** About what another upload would get as well, since it isn't the API's. */
function foreign(server: string, bytes: number, outcome: Refused | Error): string | undefined {
  if (outcome instanceof Error || outcome.reason !== '') return undefined
  if (outcome.status === 413) return tooLargeFor(server, bytes)
  return outcome.status >= 400 && !mayPass(outcome) ? foreignAt(server, outcome.status) : undefined
}

function passing(path: string, outcome: Refused | Error): string {
  const why = outcome instanceof Error ? outcome.message : outcome.message || `status ${outcome.status}`
  return `${path} could not be uploaded (${why}). Deploy again: uploaded files are not sent twice.`
}
