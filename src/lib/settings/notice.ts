/** The types of the settings of notices to the operator; each message completes "<name> should be …". */
import { z } from 'zod'
import { parseUrl } from '../names/parse-url.ts'

/** Where notices go: a mailbox, or an address that takes webhooks. */
export type NoticeTarget = { kind: 'mail'; to: string } | { kind: 'webhook'; url: string }

const mailbox = /^mailto:([^\s@,?<>"]+@[^\s@,?<>"]+)$/i

/** One address, without the fields that a `mailto:` may have (RFC 6068), or a URL. */
export const noticeTarget = z.string().transform((text, { addIssue }): NoticeTarget => {
  const [, to] = mailbox.exec(text) ?? []
  if (to !== undefined) return { kind: 'mail', to }
  const url = parseUrl(text)
  if (url && ['https:', 'http:'].includes(url.protocol)) return { kind: 'webhook', url: text }
  addIssue('mailto: with one address, such as mailto:ops@example.com, or an https address')
  return z.NEVER
})

const leastBytes = 16
const prefixed = /^whsec_([A-Za-z0-9+/]+={0,2})$/

/** A secret of Standard Webhooks; any other text counts by its bytes. */
export const noticeSecret = z.string().refine((text) => {
  const [, base64] = prefixed.exec(text) ?? []
  if (text.startsWith('whsec_') && base64 === undefined) return false
  return Buffer.from(base64 ?? text, base64 === undefined ? 'utf8' : 'base64').length >= leastBytes
}, 'whsec_ and at least 16 random bytes in base64, as `echo whsec_$(openssl rand -base64 32)` prints')
