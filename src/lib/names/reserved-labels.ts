/** Reserved labels: as a host's or a team's name they would mislead, or the platform needs them. */

/** Names that visitors would attribute to the platform, or that mail and name servers use. */
const reserved = new Set(
  `abuse account accounts admin administrator api app apps assets auth autoconfig autodiscover billing blog
  cdn console dashboard dev developer dns docs edge ftp git help home hostmaster id imap internal legal
  local localhost login mail metrics mta-sts mx noc oauth oidc openpgpkey pop pop3 postmaster private proxy
  public root security smtp ssl sso staging static status support svc system team test uploads webhook
  webhooks webmail webmaster wpad www www1 www2`.split(/\s+/),
)

/** First segments of the API's own paths, and of pages that belong to no team. */
const paths = new Set(
  '404 account auth docs git healthz hooks index new readyz robots trpc uploads v1'.split(' '),
)

/**
 * Whether a first path segment leads elsewhere than to a team's pages of the dashboard, so that no team can
 * have it.
 */
export function isReservedPath(segment: string): boolean {
  return paths.has(segment)
}

/** Whether a label is reserved. */
export function isReservedLabel(label: string): boolean {
  return reserved.has(label) || /^ns\d*$/.test(label)
}
