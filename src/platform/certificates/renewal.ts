/** When a certificate is renewed. */
import { createHash } from 'node:crypto'
import type { AcmeClient } from './acme/client.ts'
import { readRenewalInfo } from './acme/renewal-info.ts'
import type { Validity } from './chain.ts'
import { renewalIdOf } from './x509/renewal-id.ts'

/**
 * How often the authority's advice is read where it doesn't say that itself, and the bounds of what it says.
 */
const usualLookMs = 6 * 60 * 60_000
const minLookMs = 60 * 60_000
const maxLookMs = 24 * 60 * 60_000

/** `isDue`: now. Else `lookMs` is when to decide again. */
export type Renewal = { isDue: true } | { isDue: false; lookMs: number }

/** By the authority's window (RFC 9773), else after two thirds of the lifetime, which suits any lifetime. */
export async function decideRenewal(
  client: AcmeClient,
  chain: string,
  validity: Validity,
  nowMs: number,
): Promise<Renewal> {
  const id = renewalIdOf(chain)
  const usualMs = usualRenewalMs(validity)
  // Advice that can't be read is no reason to wait for it; it is read again.
  const info = id === undefined ? undefined : await readRenewalInfo(client, id).catch(() => 'unread' as const)
  if (info === undefined || info === 'unread') {
    if (nowMs >= usualMs) return { isDue: true }
    return { isDue: false, lookMs: info ? Math.min(usualMs, nowMs + usualLookMs) : usualMs }
  }
  const renewMs = info.startMs + fractionOf(chain) * Math.max(0, info.endMs - info.startMs)
  if (nowMs >= renewMs) return { isDue: true }
  const lookInMs = Math.min(Math.max(info.retryAfterMs ?? usualLookMs, minLookMs), maxLookMs)
  return { isDue: false, lookMs: Math.min(Math.round(renewMs), nowMs + lookInMs) }
}

/** When to decide about a certificate for the first time. */
export async function firstLookMs(client: AcmeClient, validity: Validity, nowMs: number): Promise<number> {
  const { renewalInfo } = await client.directory()
  const usualMs = usualRenewalMs(validity)
  return renewalInfo === undefined ? usualMs : Math.min(usualMs, nowMs + usualLookMs)
}

export function usualRenewalMs({ notBeforeMs, notAfterMs }: Validity): number {
  return Math.round(notBeforeMs + ((notAfterMs - notBeforeMs) * 2) / 3)
}

/** From 0 to 1, the same for a certificate whoever decides: those issued together aren't renewed together. */
function fractionOf(chain: string): number {
  return createHash('sha256').update(chain).digest().readUInt32BE(0) / 2 ** 32
}
