/** The mail to an address that an unproven account claims. */
import type { Store } from '../../../stores/db/store.ts'
import type { Hourly } from '../../mail/hourly.ts'
import type { Mail } from '../../mail/smtp.ts'
import { insertLink, linkUrl, resetLifetimeMs } from '../links.ts'

type Context = {
  store: Store
  apiUrl: string
  nowMs: number
  send: (mail: Mail) => Promise<void>
  limit: Hourly
}

/** Sends a link that proves the address. @throws Error of the store or the mail server. */
export async function mailProof(
  { store, apiUrl, nowMs, send, limit }: Context,
  email: string,
): Promise<void> {
  if (!limit.take(email, nowMs)) return
  const { token } = await store.transact((tx) =>
    insertLink(tx, { email }, { lifetimeMs: resetLifetimeMs, nowMs }),
  )
  await send({ to: email, subject: 'Is this your address?', text: textOf(apiUrl, linkUrl(apiUrl, token)) })
}

const textOf = (apiUrl: string, link: string) => `Somebody joined a team with your address at
${apiUrl}

If it was you, prove that the address is yours. Open this in the browser
where you are signed in; it works once, for one hour:
${link}

If it wasn't you, do nothing: that account gets nothing else of yours. With
the link you can make an account of your own, which takes the address.
`
