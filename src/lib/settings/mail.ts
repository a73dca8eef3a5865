/** Types of the settings of mail; each message completes "<name> should be …". */
import { isIP } from 'node:net'
import { z } from 'zod'
import { parseUrl } from '../names/parse-url.ts'

/** A server that takes mail; without `user` nobody signs in there. */
export type SmtpServer = {
  host: string
  port: number
  /** TLS from the first byte; otherwise STARTTLS. */
  isSecure: boolean
  user: string | undefined
  password: string | undefined
}

/** Who mails are from. */
export type Sender = { name: string; address: string }

/** Also a single label, as in the networks of containers. */
const namePattern = /^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?$/i

const defaultPorts: Record<string, number> = { 'smtps:': 465, 'smtp:': 587 }

/** The address of a server; never part of a message, since it contains the password. */
export const smtpServer = z.string().transform((text, { addIssue }) => {
  const server = parseServer(text)
  if (server) return server
  addIssue(
    'an address such as smtps://user:password@mail.example.com:465, or smtp://...:587 for STARTTLS, with ' +
      'special characters of user and password encoded (@ is %40), and without a path or query',
  )
  return z.NEVER
})

function parseServer(text: string): SmtpServer | undefined {
  const url = parseUrl(text)
  if (!url) return undefined
  const defaultPort = defaultPorts[url.protocol]
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isHost = isIP(host) !== 0 || namePattern.test(host)
  if (defaultPort === undefined || !isHost || !['', '/'].includes(url.pathname) || url.search || url.hash)
    return undefined
  const [user, password] = [decoded(url.username), decoded(url.password)]
  if ((user === undefined) !== (password === undefined)) return undefined
  return {
    host,
    port: url.port === '' ? defaultPort : Number(url.port),
    isSecure: url.protocol === 'smtps:',
    user,
    password,
  }
}

/** Undefined for an empty text. What isn't encoded properly is taken as it is. */
function decoded(text: string): string | undefined {
  if (text === '') return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const senderPattern =
  /^(?:"?([^"<>\p{Cc}]{0,100}?)"? *<([^\s@,<>"]+@[^\s@,<>"]+)>|([^\s@,<>"]+@[^\s@,<>"]+))$/u

/** `svc <svc@example.com>`, or the address alone. */
export const sender = z.string().transform((text, { addIssue }): Sender => {
  const [, name = '', named, plain] = senderPattern.exec(text.trim()) ?? []
  const address = named ?? plain
  if (address !== undefined) return { name, address }
  addIssue('a sender such as svc <svc@example.com>')
  return z.NEVER
})
