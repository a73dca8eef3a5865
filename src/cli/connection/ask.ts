/** Asks a server for JSON, and tells in a sentence where there is none. */
import { exitCodes } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { exchange } from './exchange.ts'

/** Longer than the server takes for any call: it gives up after a minute. */
const timeoutMs = 70_000

type Question = Omit<Parameters<typeof exchange>[1], 'signal'> & { stops: AbortSignal[] }

/**
 * The JSON that the API at `url` answers in time, whatever its status.
 * @throws Failure (6) where nothing or something else answers; the reason of whichever of `stops` aborts.
 */
export async function ask(url: string, address: string, { stops, ...question }: Question): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([timeout, ...stops])
  const answer = await exchange(address, { ...question, signal }).catch((error: unknown) => {
    for (const stop of stops) stop.throwIfAborted()
    throw away(
      timeout.aborted ? `${url} gave no answer in time. Try again in a moment.` : unreached(url, error),
      error,
    )
  })
  const { location = '', 'content-type': type } = answer.headers
  if (answer.status >= 300 && answer.status < 400 && URL.canParse(location, url)) {
    // Not followed: no other server is sent the key.
    throw away(`${url} leads elsewhere: set SVC_URL (or --url) to ${new URL(location, url).origin}.`)
  }
  if (type?.startsWith('application/json')) return answer.text
  throw away(`What answers at ${url} is not svc. Set SVC_URL (or --url) to the address of its API.`)
}

/** Why there was no answer at all; Node names what is wrong with a certificate as OpenSSL does. */
function unreached(url: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /CERT|^UNABLE_TO_/.test(code)
    ? `The certificate of ${url} can't be trusted (${code}). Where it should be, name its file in NODE_EXTRA_CA_CERTS.`
    : `No svc answers at ${url}. Start it, or set SVC_URL (or --url) to where it is.`
}

function away(message: string, cause?: unknown): Failure {
  return new Failure(exitCodes.unavailable, { reason: 'server_away', message }, cause)
}
