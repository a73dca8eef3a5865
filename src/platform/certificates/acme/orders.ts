/** An order of a certificate, as the authority describes it (RFC 8555, sections 7.1.3 to 7.1.5). */
import { z } from 'zod'
import { type AcmeClient, parseResponse } from './client.ts'

const identifierSchema = z.object({ type: z.string(), value: z.string() })
const problem = z.unknown().optional()

const orderSchema = z.object({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  expires: z.string().optional(),
  authorizations: z.array(z.url()),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: problem,
})

export type Order = z.infer<typeof orderSchema> & { url: string; retryAfterMs: number | undefined }

export const challengeTypes = ['http-01', 'tls-alpn-01', 'dns-01'] as const

export type ChallengeType = (typeof challengeTypes)[number]

const challengeSchema = z.object({
  type: z.string(),
  url: z.url(),
  status: z.enum(['pending', 'processing', 'valid', 'invalid']),
  token: z
    .string()
    .regex(/^[\w-]{1,256}$/)
    .optional(),
  error: problem,
})

const authorizationSchema = z.object({
  status: z.enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  identifier: identifierSchema,
  challenges: z.array(challengeSchema),
  wildcard: z.boolean().optional(),
})

export type Authorization = z.infer<typeof authorizationSchema> & {
  url: string
  retryAfterMs: number | undefined
}

/** An account at an authority. */
export type Account = { client: AcmeClient; url: string }

/**
 * `replaces`: the id of the certificate that this one renews (RFC 9773, section 5), where the authority has
 * renewal info.
 */
export async function createOrder(
  { client, url: accountUrl }: Account,
  names: string[],
  replaces: string | undefined,
): Promise<Order> {
  const { newOrder } = await client.directory()
  const payload = {
    identifiers: names.map((value) => ({ type: 'dns', value })),
    ...(replaces !== undefined && { replaces }),
  }
  const { body, location = newOrder, retryAfterMs } = await client.send(newOrder, accountUrl, payload)
  return { ...parseResponse(orderSchema, body, newOrder), url: location, retryAfterMs }
}

export async function readOrder({ client, url: accountUrl }: Account, url: string): Promise<Order> {
  const { body, retryAfterMs } = await client.send(url, accountUrl)
  return { ...parseResponse(orderSchema, body, url), url, retryAfterMs }
}

export async function readAuthorization(
  { client, url: accountUrl }: Account,
  url: string,
): Promise<Authorization> {
  const { body, retryAfterMs } = await client.send(url, accountUrl)
  return { ...parseResponse(authorizationSchema, body, url), url, retryAfterMs }
}

/** Has the authority look at what the challenge at `url` shows. */
export async function beginValidation({ client, url: accountUrl }: Account, url: string): Promise<void> {
  await client.send(url, accountUrl, {})
}

/** `csr`: DER. */
export async function finalizeOrder(
  { client, url: accountUrl }: Account,
  order: Order,
  csr: Buffer,
): Promise<void> {
  await client.send(order.finalize, accountUrl, { csr: csr.toString('base64url') })
}

/** The certificate and its issuers, PEM. */
export async function downloadChain({ client, url: accountUrl }: Account, url: string): Promise<string> {
  return (await client.send(url, accountUrl)).text
}
