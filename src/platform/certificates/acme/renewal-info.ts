/** When the authority wants a certificate to be renewed (ARI, RFC 9773). */
import { z } from 'zod'
import { type AcmeClient, parseResponse } from './client.ts'

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))

const renewalInfoSchema = z.object({ suggestedWindow: z.object({ start: time, end: time }) })

export type RenewalInfo = {
  startMs: number
  endMs: number
  /** When to look again, in milliseconds from now; undefined where the authority leaves that open. */
  retryAfterMs: number | undefined
}

/** Undefined where the authority has no such information. `certificateId` as in section 4.1. */
export async function readRenewalInfo(
  client: AcmeClient,
  certificateId: string,
): Promise<RenewalInfo | undefined> {
  const { renewalInfo } = await client.directory()
  if (renewalInfo === undefined) return undefined
  const url = `${renewalInfo.replace(/\/$/, '')}/${certificateId}`
  const { body, retryAfterMs } = await client.read(url)
  const { suggestedWindow } = parseResponse(renewalInfoSchema, body, url)
  return { startMs: suggestedWindow.start, endMs: suggestedWindow.end, retryAfterMs }
}
