/** An authenticator in software (WebAuthn, section 6), which says whatever a test wants it to say. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What an assertion claims; by default the truth. */
export type Claims = {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  counter?: number
  verified?: boolean
  present?: boolean
  userHandle?: string | null
  credentialId?: string
}

export type Authenticator = {
  credentialId: string
  counter: number
  /** The answer to creation options, as a browser's JSON. */
  create(options: CreationOptions, claims?: Claims & { format?: 'none' | 'packed' }): Attestation
  /** The answer to request options; the counter rises. */
  get(options: RequestOptions, claims?: Claims): Assertion
}

type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } }
type RequestOptions = { challenge: string; rpId: string }

type Attestation = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; attestationObject: string; transports: string[] }
}

type Assertion = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string }
}

const flags = { present: 1, verified: 4, attested: 64 }

/** One of a browser at `origin`, with one passkey. */
export function newAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let userHandle: string | undefined
  const authenticator: Authenticator = {
    credentialId: randomBytes(32).toString('base64url'),
    counter: 0,
    create({ challenge, rp, user }, claims = {}) {
      userHandle = user.id
      const id = claims.credentialId ?? authenticator.credentialId
      const data = dataOf(rp.id, claims.counter ?? authenticator.counter, claims)
      const authData = Buffer.concat([data, attested(id, publicKey)])
      authData[32] = (authData[32] ?? 0) | flags.attested
      const clientDataJSON = clientData('webauthn.create', { origin, challenge, ...claims })
      const statement =
        claims.format === 'packed' ? selfSigned(privateKey, authData, clientDataJSON) : unsigned
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON,
          attestationObject: attestationObject(authData, statement),
          transports: ['internal', 'of the future'],
        },
      }
    },
    get({ challenge, rpId }, claims = {}) {
      authenticator.counter += 1
      const authData = dataOf(rpId, claims.counter ?? authenticator.counter, claims)
      const clientDataJSON = clientData('webauthn.get', { origin, challenge, ...claims })
      const id = claims.credentialId ?? authenticator.credentialId
      const handle = claims.userHandle === undefined ? userHandle : claims.userHandle
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON,
          authenticatorData: authData.toString('base64url'),
          signature: signed(privateKey, authData, clientDataJSON).toString('base64url'),
          ...(handle !== null && handle !== undefined && { userHandle: handle }),
        },
      }
    },
  }
  return authenticator
}

function clientData(type: string, { type: said = type, ...claims }: Claims): string {
  const { origin, challenge } = claims
  const text = JSON.stringify({ type: said, challenge, origin, crossOrigin: false })
  return Buffer.from(text).toString('base64url')
}

/** Authenticator data without a credential (WebAuthn, section 6.1). */
function dataOf(rpId: string, counter: number, { present = true, verified = true, ...claims }: Claims) {
  const head = Buffer.alloc(5)
  head[0] = (present ? flags.present : 0) | (verified ? flags.verified : 0)
  head.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(claims.rpId ?? rpId), head])
}

/** The credential within authenticator data (WebAuthn, section 6.5.1), its key as COSE_Key for ES256. */
function attested(credentialId: string, publicKey: KeyObject): Buffer {
  const id = Buffer.from(credentialId, 'base64url')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = [
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]
  return Buffer.concat([Buffer.alloc(16), length, id, ...cose])
}

type Statement = { fmt: 'none' } | { fmt: 'packed'; signature: Buffer }

const unsigned: Statement = { fmt: 'none' }

function selfSigned(key: KeyObject, authData: Buffer, clientDataJSON: string): Statement {
  return { fmt: 'packed', signature: signed(key, authData, clientDataJSON) }
}

/** The attestation object (WebAuthn, section 6.5.4) in CBOR (RFC 8949). */
function attestationObject(authData: Buffer, statement: Statement): string {
  const attStmt =
    statement.fmt === 'none'
      ? Buffer.of(0xa0)
      : Buffer.concat([
          Buffer.of(0xa2),
          text('alg'),
          Buffer.of(0x26),
          text('sig'),
          bytes(statement.signature),
        ])
  const parts = [
    text('fmt'),
    text(statement.fmt),
    text('attStmt'),
    attStmt,
    text('authData'),
    bytes(authData),
  ]
  return Buffer.concat([Buffer.of(0xa3), ...parts]).toString('base64url')
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)])
}

function bytes(value: Buffer): Buffer {
  const head = Buffer.of(0x59, 0, 0)
  head.writeUInt16BE(value.length, 1)
  return Buffer.concat([head, value])
}

function signed(key: KeyObject, authData: Buffer, clientDataJSON: string): Buffer {
  const hash = sha256(Buffer.from(clientDataJSON, 'base64url'))
  return sign('sha256', Buffer.concat([authData, hash]), key)
}

function sha256(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest()
}
