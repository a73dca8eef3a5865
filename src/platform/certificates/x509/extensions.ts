/** Extensions of certificates and of requests for them (RFC 5280, section 4.2). */
import { type Node, octets, oid, sequence, taggedText, toDer, truth } from './asn1.ts'

/** The names that a certificate is for. */
export function subjectAltNames(names: string[]): Node {
  const dnsName = 2
  return extension('2.5.29.17', sequence(...names.map((name) => taggedText(dnsName, name))))
}

export function extension(id: string, content: Node, isCritical = false): Node {
  return sequence(oid(id), ...(isCritical ? [truth()] : []), octets(toDer(content)))
}
