/** The structures of X.509 in DER, by node-forge, which is loaded when the first is made. */
import forge from 'node-forge'

export type Node = forge.asn1.Asn1

const { asn1 } = forge
const { Class, Type } = asn1

export function sequence(...nodes: Node[]): Node {
  return asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, nodes)
}

export function set(...nodes: Node[]): Node {
  return asn1.create(Class.UNIVERSAL, Type.SET, true, nodes)
}

/** An object identifier in dotted notation. */
export function oid(text: string): Node {
  return asn1.create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(text).getBytes())
}

/** A non-negative integer. */
export function integer(bytes: Buffer): Node {
  const isNegative = (bytes[0] ?? 0) > 127
  const positive = isNegative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes
  return asn1.create(Class.UNIVERSAL, Type.INTEGER, false, positive.toString('binary'))
}

export function octets(content: Buffer): Node {
  return asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, content.toString('binary'))
}

/** Whole bytes. */
export function bits(content: Buffer): Node {
  return asn1.create(Class.UNIVERSAL, Type.BITSTRING, false, `\0${content.toString('binary')}`)
}

export function truth(): Node {
  return asn1.create(Class.UNIVERSAL, Type.BOOLEAN, false, '\xff')
}

export function utcTime(timeMs: number): Node {
  return asn1.create(Class.UNIVERSAL, Type.UTCTIME, false, asn1.dateToUtcTime(new Date(timeMs)))
}

export function utf8(text: string): Node {
  return asn1.create(Class.UNIVERSAL, Type.UTF8, false, Buffer.from(text).toString('binary'))
}

/** `[number]` around other structures. */
export function tagged(number: number, ...nodes: Node[]): Node {
  return asn1.create(Class.CONTEXT_SPECIFIC, number, true, nodes)
}

/** `[number]` instead of the type of a text. */
export function taggedText(number: number, text: string): Node {
  return asn1.create(Class.CONTEXT_SPECIFIC, number, false, text)
}

export function toDer(node: Node): Buffer {
  return Buffer.from(asn1.toDer(node).getBytes(), 'binary')
}

/** @throws Error for what isn't DER. */
export function fromDer(bytes: Buffer): Node {
  return asn1.fromDer(bytes.toString('binary'))
}

/** The parts of a structure; undefined for a value. */
export function partsOf(node: Node | undefined): Node[] | undefined {
  return Array.isArray(node?.value) ? node.value : undefined
}

/** The bytes of a value; undefined for a structure. */
export function bytesOf(node: Node | undefined): Buffer | undefined {
  return typeof node?.value === 'string' ? Buffer.from(node.value, 'binary') : undefined
}

/** The dotted notation of an object identifier. */
export function oidText(node: Node | undefined): string | undefined {
  return typeof node?.value === 'string' ? asn1.derToOid(node.value) : undefined
}
