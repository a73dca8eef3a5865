/** Reads what a client offers, before TLS does (RFC 8446, section 4.1.2; RFC 7301; RFC 6066). */

/** `isWhole` is false where more bytes have to come. */
export type ClientHello = { isWhole: boolean; protocols: string[] }

const handshake = 22
const clientHello = 1
const protocolNegotiation = 16

/** Larger than any client sends; what is longer is left to TLS. */
const maxHelloBytes = 16 * 1024

/** The first bytes of a connection. What is no ClientHello offers nothing, and is left to TLS. */
export function parseClientHello(bytes: Buffer): ClientHello {
  const nothing = { isWhole: true, protocols: [] }
  if (bytes.length < 5) return { isWhole: bytes.length > 0 && bytes[0] !== handshake, protocols: [] }
  if (bytes[0] !== handshake) return nothing
  const end = 5 + bytes.readUInt16BE(3)
  // One in several records is left to TLS, too.
  if (end > maxHelloBytes) return nothing
  if (bytes.length < end) return { isWhole: false, protocols: [] }
  try {
    return { isWhole: true, protocols: protocolsIn(bytes.subarray(5, end)) }
  } catch {
    return nothing
  }
}

/** @throws RangeError where a length leads beyond the end. */
function protocolsIn(message: Buffer): string[] {
  if (message.readUInt8(0) !== clientHello) return []
  // Type and length, version, random.
  let at = 4 + 2 + 32
  at += 1 + message.readUInt8(at)
  at += 2 + message.readUInt16BE(at)
  at += 1 + message.readUInt8(at)
  const end = at + 2 + message.readUInt16BE(at)
  at += 2
  while (at + 4 <= end) {
    const length = message.readUInt16BE(at + 2)
    if (message.readUInt16BE(at) === protocolNegotiation) {
      return namesIn(message.subarray(at + 6, at + 4 + length))
    }
    at += 4 + length
  }
  return []
}

function namesIn(list: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at < list.length; at += 1 + list.readUInt8(at)) {
    names.push(list.toString('latin1', at + 1, at + 1 + list.readUInt8(at)))
  }
  return names
}
