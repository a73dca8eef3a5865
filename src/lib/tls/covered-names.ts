/** The names that a certificate is for (RFC 9525, section 6.3). */
import type { X509Certificate } from 'node:crypto'

/** Whether a name, which may be a wildcard, is among them. A wildcard stands for one label. */
export function coversName({ subjectAltName = '' }: X509Certificate, name: string): boolean {
  const names = [...subjectAltName.matchAll(/(?:^|, )DNS:([^,]+)/g)].map(([, each = '']) =>
    each.toLowerCase(),
  )
  return names.includes(name) || names.includes(`*${name.slice(name.indexOf('.'))}`)
}
