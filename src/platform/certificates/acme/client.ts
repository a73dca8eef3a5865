/**
 * Requests to a certificate authority (ACME, RFC 8555): signed, bounded in time and size, with fresh nonces.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, FlattenedSign, type JWK } from 'jose'
import { Agent, type Dispatcher, request } from 'undici'
import { z } from 'zod'
import { readRetryAfter } from '../../../lib/net/retry-after.ts'
import { version } from '../../../lib/version.ts'
import { AcmeError, AcmeUnavailableError, parseProblem } from './problem.ts'

export type AcmeClient = {
  directory(): Promise<Directory>
  /** Creates the account of the key, or finds it. Resolves to its URL. */
  openAccount(account: NewAccount): Promise<string>
  /** A signed request by the account; without a payload it only reads (POST-as-GET). */
  send(url: string, accountUrl: string, payload?: object): Promise<AcmeResponse>
  /** An unsigned request for what is public. */
  read(url: string): Promise<AcmeResponse>
  /** The text that a challenge shows for its token (section 8.1). */
  keyAuthorization(token: string): Promise<string>
  close(): Promise<void>
}

type AcmeResponse = {
  body: unknown
  text: string
  location: string | undefined
  retryAfterMs: number | undefined
}

export type NewAccount = { email: string | undefined; binding: ExternalBinding | undefined }

/** An account that exists at the authority already (section 7.3.4). */
type ExternalBinding = { kid: string; hmacKey: Buffer }

type Options = {
  directoryUrl: string
  /** PEM, instead of the certificates that are usually trusted. */
  ca: string | undefined
  /** The key of the account: PKCS #8 PEM, P-256. */
  accountKey: string
  /** Aborts the requests under way. */
  stopping: AbortSignal
  nowMs: () => number
}

const directorySchema = z.object({
  newNonce: z.url(),
  newAccount: z.url(),
  newOrder: z.url(),
  renewalInfo: z.url().optional(),
  meta: z
    .object({
      externalAccountRequired: z.boolean().optional(),
      caaIdentities: z.array(z.string()).optional(),
    })
    .optional(),
})

type Directory = z.infer<typeof directorySchema>

const timeoutMs = 30_000
const maxBodyBytes = 256 * 1024

/** A nonce may be too old for the authority; the refusal has a new one. */
const maxNonceAttempts = 10

/** At most; each is good for one request. */
const maxNonces = 10

/** Opens no connection before the first request. */
export function createAcmeClient({ directoryUrl, ca, accountKey, stopping, nowMs }: Options): AcmeClient {
  const agent = new Agent({
    connect: { ...(ca !== undefined && { ca }), timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  const privateKey = createPrivateKey(accountKey)
  const nonces: string[] = []
  let known: Promise<Directory> | undefined

  async function exchange(url: string, options: { method: Dispatcher.HttpMethod; body?: string }) {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)])
    try {
      const response = await request(url, {
        ...options,
        dispatcher: agent,
        signal,
        headers: {
          'user-agent': `svc/${version}`,
          ...(options.body !== undefined && { 'content-type': 'application/jose+json' }),
        },
      })
      const nonce = response.headers['replay-nonce']
      if (typeof nonce === 'string' && nonces.length < maxNonces) nonces.push(nonce)
      return { response, text: await readText(response.body) }
    } catch (cause) {
      throw new AcmeUnavailableError(`${new URL(url).host} can't be reached: ${reasonOf(cause)}.`, cause)
    }
  }

  async function call(
    url: string,
    options: { method: Dispatcher.HttpMethod; body?: string },
  ): Promise<AcmeResponse> {
    const { response, text } = await exchange(url, options)
    const { statusCode, headers } = response
    const body = parseJson(text)
    const retryAfterMs = readRetryAfter(headers['retry-after'], nowMs())
    if (statusCode >= 400) throw new AcmeError(parseProblem(body), statusCode, retryAfterMs)
    const location = headers.location
    return { body, text, location: typeof location === 'string' ? location : undefined, retryAfterMs }
  }

  const directory = () => {
    known ??= call(directoryUrl, { method: 'GET' })
      .then(({ body }) => parseResponse(directorySchema, body, directoryUrl))
      .catch((error: unknown) => {
        known = undefined
        throw error
      })
    return known
  }

  async function takeNonce(): Promise<string> {
    const kept = nonces.pop()
    if (kept !== undefined) return kept
    const { newNonce } = await directory()
    await exchange(newNonce, { method: 'HEAD' })
    const fresh = nonces.pop()
    if (fresh === undefined) throw new AcmeUnavailableError(`${newNonce} has no nonce in its response.`)
    return fresh
  }

  async function signed(url: string, signer: { kid: string } | { jwk: JWK }, payload?: object) {
    const bytes = new TextEncoder().encode(payload === undefined ? '' : JSON.stringify(payload))
    for (let attempt = 1; ; attempt += 1) {
      const header = { alg: 'ES256', nonce: await takeNonce(), url, ...signer }
      const jws = await new FlattenedSign(bytes).setProtectedHeader(header).sign(privateKey)
      try {
        return await call(url, { method: 'POST', body: JSON.stringify(jws) })
      } catch (error) {
        const isStale = error instanceof AcmeError && error.type === 'badNonce'
        if (!isStale || attempt === maxNonceAttempts) throw error
      }
    }
  }

  return {
    directory,
    async openAccount({ email, binding }) {
      const { newAccount: url, meta } = await directory()
      const jwk = await publicJwk(privateKey)
      if (meta?.externalAccountRequired && !binding) {
        throw new AcmeError({ type: 'externalAccountRequired', detail: bindingRequired }, 403)
      }
      const payload = {
        termsOfServiceAgreed: true,
        ...(email !== undefined && { contact: [`mailto:${email}`] }),
        ...(binding && { externalAccountBinding: await bind(url, jwk, binding) }),
      }
      const { location } = await signed(url, { jwk }, payload)
      if (location === undefined) throw new AcmeUnavailableError(`${url} names no account in its response.`)
      return location
    },
    send: (url, accountUrl, payload) => signed(url, { kid: accountUrl }, payload),
    read: (url) => call(url, { method: 'GET' }),
    async keyAuthorization(token) {
      return `${token}.${await calculateJwkThumbprint(await publicJwk(privateKey))}`
    },
    close: () => agent.destroy(),
  }
}

const bindingRequired =
  'This certificate authority wants an account that exists already: ' +
  'set SVC_ACME_EAB_KID and SVC_ACME_EAB_HMAC.'

/** @throws AcmeUnavailableError when the response is not what the RFC says. */
export function parseResponse<S extends z.ZodType>(schema: S, body: unknown, url: string): z.output<S> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new AcmeUnavailableError(`The response of ${url} is none of ACME: ${z.prettifyError(parsed.error)}.`)
}

async function publicJwk(privateKey: KeyObject): Promise<JWK> {
  return exportJWK(createPublicKey(privateKey))
}

function bind(url: string, jwk: JWK, { kid, hmacKey }: ExternalBinding) {
  return new FlattenedSign(new TextEncoder().encode(JSON.stringify(jwk)))
    .setProtectedHeader({ alg: 'HS256', kid, url })
    .sign(hmacKey)
}

async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  let text = ''
  for await (const chunk of body.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > maxBodyBytes) throw new Error('the response is too large')
  }
  return text
}

/** Undefined for what isn't JSON, such as certificates. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.name === 'TimeoutError' ? 'it does not respond' : cause.message
}
