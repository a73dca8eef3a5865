/** How long an identity token may stand for, in all that is minted with it. */

const lifetimeMs = 60 * 60_000

/** By so much an issuer's clock may be ahead. */
export const leewayMs = 60_000

/**
 * When everything ends that is minted with a token of that time. It depends on nothing else, so that showing
 * the token again gains nothing; and however far ahead the issuer's clock is, it is within an hour.
 */
export function identityEndMs(issuedMs: number): number {
  return issuedMs + lifetimeMs - leewayMs
}
