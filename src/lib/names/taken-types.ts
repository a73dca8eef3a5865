/** Media types by extension that browsers and systems ask for where the table of `mime` has another. */

const javascript = 'text/javascript'
const jpeg = 'image/jpeg'

const types = new Map([
  // With nosniff, scripts and workers need a type of JavaScript (Fetch, X-Content-Type-Options), and Node's
  // own, for .cjs, is none. RFC 9239, section 6, keeps one, also for .es; Firefox has .jsm.
  ['cjs', javascript],
  ['es', javascript],
  ['jsm', javascript],
  // iOS installs a profile for its type alone (Apple, Over-the-Air Profile Delivery), and takes passes,
  // orders and scenes by theirs (Apple, Wallet Passes and Wallet Orders; WebKit, MIMETypeRegistry).
  ['mobileconfig', 'application/x-apple-aspen-config'],
  ['pkpasses', 'application/vnd.apple.pkpasses'],
  ['order', 'application/vnd.apple.order'],
  ['reality', 'model/vnd.reality'],
  // Chromium wants the version, and nosniff (Loading Signed Exchanges); the table has an old OpenOffice.
  ['sxg', 'application/signed-exchange;v=b3'],
  // Other names of JPEGs, which Windows and Chrome write, and icons (Firefox, nsExternalHelperAppService).
  ['jfif', jpeg],
  ['pjpeg', jpeg],
  ['pjp', jpeg],
  ['cur', 'image/vnd.microsoft.icon'],
  // Registered since (RFC 6350, section 10.1; RFC 9639, section 12.1).
  ['vcf', 'text/vcard'],
  ['flac', 'audio/flac'],
])

/** The type for an extension, in any case and without its dot, if it is one of these. */
export function takenType(extension: string): string | undefined {
  return types.get(extension.toLowerCase())
}
