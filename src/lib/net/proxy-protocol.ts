/**
 * The PROXY protocol, versions 1 and 2 (haproxy.org, proxy-protocol.txt): a proxy says whose connection it
 * passes on.
 */
import { isIP, type Server, type Socket } from 'node:net'
import { peek } from './peek.ts'

/** `client` is undefined where the proxy speaks for itself, as in its health checks. */
type ProxyHeader = { client: string | undefined; length: number }

/** A header; `more` where it isn't whole yet, `invalid` where it is none. */
export type Parsed = ProxyHeader | 'more' | 'invalid'

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const maxLineBytes = 107
const fixedBytes = 16

/** More than all addresses and the fields that follow them. */
const maxBytes = 4_096

/** The header at the beginning of a connection. */
export function parseProxyHeader(bytes: Buffer): Parsed {
  const isBinary = bytes[0] === signature[0]
  return isBinary ? parseBinary(bytes) : parseLine(bytes)
}

function parseLine(bytes: Buffer): Parsed {
  const beginning = Buffer.from('PROXY ').subarray(0, bytes.length)
  if (!bytes.subarray(0, beginning.length).equals(beginning)) return 'invalid'
  const end = bytes.indexOf('\r\n')
  if (end === -1 || end + 2 > maxLineBytes) return bytes.length < maxLineBytes ? 'more' : 'invalid'
  const [, family, source = '', target = '', ...ports] = bytes.toString('latin1', 0, end).split(' ')
  const length = end + 2
  if (family === 'UNKNOWN') return { client: undefined, length }
  const version = family === 'TCP4' ? 4 : family === 'TCP6' ? 6 : undefined
  const isValid =
    isIP(source) === version && isIP(target) === version && ports.length === 2 && ports.every(isPort)
  return isValid ? { client: source, length } : 'invalid'
}

function isPort(text: string): boolean {
  return /^(?:0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535
}

function parseBinary(bytes: Buffer): Parsed {
  const known = Math.min(bytes.length, signature.length)
  if (!bytes.subarray(0, known).equals(signature.subarray(0, known))) return 'invalid'
  if (bytes.length < fixedBytes) return 'more'
  const [command, family] = [bytes.readUInt8(12), bytes.readUInt8(13) >> 4]
  const length = fixedBytes + bytes.readUInt16BE(14)
  if (command >> 4 !== 2 || (command & 15) > 1 || length > maxBytes) return 'invalid'
  if (bytes.length < length) return 'more'
  if ((command & 15) === 0 || family === 0) return { client: undefined, length }
  const client = addressIn(bytes.subarray(fixedBytes, length), family)
  return client === undefined ? 'invalid' : { client, length }
}

/** The source's address; undefined for a family that is no IP, or too few bytes. */
function addressIn(addresses: Buffer, family: number): string | undefined {
  if (family === 1 && addresses.length >= 12) return [...addresses.subarray(0, 4)].join('.')
  if (family !== 2 || addresses.length < 36) return undefined
  const groups = Array.from({ length: 8 }, (_, at) => addresses.readUInt16BE(2 * at).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

/** Reads the header of a connection from a proxy; undefined for one from elsewhere, which has none. */
export type ReadProxyHeader = (
  socket: Socket,
) => Promise<{ isValid: boolean; client: string | undefined }> | undefined

/** How long a header may take, in milliseconds. */
const limitMs = 5_000

/** Connections from trusted addresses must begin with a header; others are as they were. */
export function createReadProxyHeader(isTrusted: (address: string) => boolean): ReadProxyHeader {
  return (socket) => {
    if (!isTrusted(socket.remoteAddress ?? '')) return undefined
    return peek(socket, lookAt, limitMs).then((header) => ({
      isValid: header !== undefined,
      client: header?.client,
    }))
  }
}

function lookAt(bytes: Buffer) {
  const parsed = parseProxyHeader(bytes)
  if (parsed === 'more') return { isEnough: false, found: undefined }
  if (parsed === 'invalid') return { isEnough: true, found: undefined }
  return { isEnough: true, found: parsed, used: parsed.length }
}

/** Makes the client's address that of the connection, for whoever reads it from now on. */
export function setClient(socket: Socket, client: string): void {
  Object.defineProperty(socket, 'remoteAddress', { value: client })
}

/** A listener of connections that hands them to `server` once their headers are read. */
export function passOn(server: Server, read: ReadProxyHeader): (socket: Socket) => void {
  return (socket) => {
    const reading = read(socket)
    if (!reading) {
      server.emit('connection', socket)
      return
    }
    void reading.then(({ isValid, client }) => {
      if (!isValid) {
        socket.destroy()
        return
      }
      if (client !== undefined) setClient(socket, client)
      server.emit('connection', socket)
    })
  }
}
