/** Where an issuer publishes its keys (OpenID Connect Discovery 1.0, section 4). */
import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { issuer as issuerAddress } from '../../../lib/settings/kinds.ts'

const documentSchema = z.object({ issuer: z.string(), jwks_uri: issuerAddress })

/** An issuer that doesn't respond by then is away. */
const timeoutMs = 5_000

/**
 * The address of the issuer's keys. Issuers are those of the node's settings, so their addresses need no
 * guard; a redirect is followed nowhere.
 * @throws AppError `issuer_unavailable`.
 */
export async function keySetAddress(issuer: string): Promise<URL> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(address, {
      redirect: 'error',
      signal,
      headers: { accept: 'application/json' },
    })
    if (!response.ok) throw new Error(`${address} responded with ${response.status}.`)
    const document = documentSchema.parse(await response.json())
    if (document.issuer !== issuer) throw new Error(`${address} is of ${document.issuer}.`)
    return new URL(document.jwks_uri)
  } catch (cause) {
    const message = `The issuer of the identity token, ${issuer}, can't be reached now. Try again.`
    throw new AppError('issuer_unavailable', message, { cause })
  }
}
