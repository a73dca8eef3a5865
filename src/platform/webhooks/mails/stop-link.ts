/** Links in mails that end the mails of a webhook to one person, without signing in. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { basePath } from '../../people/paths.ts'

/** The path of the page, and where its form and mail programs send theirs. */
export const stopPath = `${basePath}/mails/stop`

/** Whose mails of what end. */
export type Subscription = { webhook: string; user: string }

/** The link, which is valid as long as the webhook, whose secret signs it. */
export function stopUrl(apiUrl: string, secret: string, subscription: Subscription): string {
  const query = new URLSearchParams({ ...subscription, token: tokenOf(secret, subscription) })
  return `${apiUrl}${stopPath}?${query}`
}

/** Whether the token of a link is for this subscription. */
export function isStopToken(secret: string, subscription: Subscription, token: string): boolean {
  const [given, expected] = [Buffer.from(token), Buffer.from(tokenOf(secret, subscription))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function tokenOf(secret: string, { webhook, user }: Subscription): string {
  return createHmac('sha256', secret).update(`stop ${webhook} ${user}`).digest('base64url')
}
