/**
 * The files that certificate authorities look for on a host: HTTP-01 challenges (RFC 8555, section 8.3), and
 * files of other ones.
 */
import type { PendingChallenges } from '../../platform/certificates/pending.ts'
import type { SiteResponse } from './responses/response.ts'
import type { SiteRequest } from './wire/read-request.ts'
import type { Target } from './wire/target.ts'

const directory = '.well-known/acme-challenge/'

/**
 * For proofs that an authority agrees on with a person (CA/Browser Forum's Baseline Requirements,
 * 3.2.2.4.18).
 */
const agreedDirectory = '.well-known/pki-validation/'

/** Whether what is at the path proves to an authority whose the host is. */
export function isProofPath({ path }: Target): boolean {
  return path.startsWith(directory) || path.startsWith(agreedDirectory)
}

/** Whether a certificate authority may be looking for a challenge, of ours or of somebody else's. */
export function isChallengePath({ path }: Target): boolean {
  return path.startsWith(directory)
}

/** The response for a challenge under way; undefined if there is none. */
export async function challengeResponse(
  { host, target }: SiteRequest,
  challenges: PendingChallenges,
): Promise<SiteResponse | undefined> {
  const token = target.path.slice(directory.length)
  const pending = await challenges.of('http-01')
  const challenge = pending.find((each) => each.name === host && each.token === token)
  if (!challenge) return undefined
  const text = challenge.keyAuthorization
  const headers = [
    'Content-Type',
    'text/plain',
    'Content-Length',
    String(text.length),
    'Cache-Control',
    'no-store',
  ]
  return { status: 200, headers, body: [text] }
}
