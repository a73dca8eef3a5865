/** Requests JSON from a server, with errors for the user. */
import { BusyResponse, ForeignResponse, isBusy, type ResponseHead } from '../../api/client/retry-after.ts'
import { version } from '../../lib/version.ts'
import { Failure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { foreignAt, tooLargeFor, unavailableAt } from './foreign-answer.ts'
import { EndlessAnswerError, exchange } from './http-request.ts'
import { findThrough } from './proxy/find-proxy.ts'

/** Longer than the server's own deadline of a minute. */
const timeoutMs = 70_000

type Question = Omit<Parameters<typeof exchange>[1], 'signal' | 'through'> & {
  /** Says which proxy to use. */
  env: NodeJS.ProcessEnv
  stops: AbortSignal[]
}

/**
 * The JSON response of the API at `url`, whatever its status.
 * @throws Failure (6) if nothing or something else responds, (2) for a setting of a proxy that is none; the
 * reason of whichever of `stops` aborts.
 */
export async function ask(
  url: string,
  address: string,
  { env, stops, ...question }: Question,
): Promise<ResponseHead & { text: string; peer: string | undefined }> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([timeout, ...stops])
  const through = await findThrough(env, address)
  const headers = { 'user-agent': `svc/${version}`, ...question.headers }
  const answer = await exchange(address, { ...question, headers, signal, through }).catch(
    (error: unknown) => {
      for (const stop of stops) stop.throwIfAborted()
      if (error instanceof Error && error.name === 'ProxyError') throw away(error.message, error)
      if (error instanceof EndlessAnswerError) throw away(`${url} sent an answer without an end.`, error)
      throw away(
        timeout.aborted ? `${url} did not respond in time. Try again in a moment.` : unreached(url, error),
        error,
      )
    },
  )
  const { status, text, peer } = answer
  const { location = '', 'content-type': type } = answer.headers
  if (status >= 300 && status < 400 && URL.canParse(location, url)) {
    // Redirects aren't followed: no other server gets the key.
    throw away(`${url} redirects: set SVC_URL (or --url) to ${new URL(location, url).origin}.`)
  }
  const head = { status, headers: { get: (name: string) => answer.headers[name]?.toString() ?? null } }
  if (isBusy(head)) throw away(unavailableAt(url, status), new BusyResponse(head))
  if (type?.startsWith('application/json')) return { ...head, text, peer }
  const { body } = question
  const sentBytes = body === undefined ? undefined : Buffer.byteLength(body)
  const message = status === 413 ? tooLargeFor(url, sentBytes) : foreignAt(url, status)
  throw away(message, new ForeignResponse(head))
}

/** Why no response came; Node has OpenSSL's names for what is wrong with a certificate. */
function unreached(url: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /CERT|^UNABLE_TO_/.test(code)
    ? `The certificate of ${url} is not trusted (${code}). To trust it, set NODE_EXTRA_CA_CERTS to its file.`
    : `No server responds at ${url}. Start it, or set SVC_URL (or --url) to its address.`
}

function away(message: string, cause?: unknown): Failure {
  return new Failure(exitCodes.unavailable, { reason: 'server_away', message }, cause)
}
