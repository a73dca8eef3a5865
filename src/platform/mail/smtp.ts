/** Sends a mail to the server of the settings (RFC 5321), as plain text. */
import type SmtpConnection from 'nodemailer/lib/smtp-connection'
import { within } from '../../lib/async/within.ts'
import type { Sender, SmtpServer } from '../../lib/settings/mail.ts'

/**
 * `to` is one address, `subject` one line that no user chose. `stopUrl` ends such mails: with one click of
 * the mail program over https (RFC 8058).
 */
export type Mail = { to: string; subject: string; text: string; stopUrl?: string }

export type SmtpRoute = { server: SmtpServer; from: Sender }

const connectMs = 10_000
const silenceMs = 15_000
const totalMs = 60_000

/** This machine's own server often has no certificate, and nobody is on the way there. */
const ownHosts = ['localhost', '127.0.0.1', '::1']

/**
 * Sends one mail over a connection of its own, and gives up after a minute, or when `signal` aborts. The
 * certificate is verified, and over `smtp` STARTTLS is required (RFC 3207), except on this machine.
 * @throws Error of nodemailer, whose `message` and `response` may contain the address.
 */
export async function sendMail(route: SmtpRoute, mail: Mail, signal: AbortSignal): Promise<void> {
  const message = await compose(route.from, mail)
  const connection = await newConnection(route.server)
  signal.throwIfAborted()
  const stop = () => connection.close()
  signal.addEventListener('abort', stop)
  try {
    const sent = converse(connection, route, { to: mail.to, message })
    await within(totalMs, sent, () => Promise.reject(new Error('The server took too long.')))
  } finally {
    signal.removeEventListener('abort', stop)
    connection.close()
  }
}

async function newConnection({ host, port, isSecure }: SmtpServer): Promise<SmtpConnection> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const isOwn = ownHosts.includes(host)
  return new Connection({
    host,
    port,
    secure: isSecure,
    requireTLS: !isSecure && !isOwn,
    ignoreTLS: !isSecure && isOwn,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    socketCloseTimeout: 0,
  })
}

/** Connects, signs in, sends; rejects also when the connection ends before that, for instance by `close`. */
function converse(
  connection: SmtpConnection,
  { server: { user, password }, from }: SmtpRoute,
  { to, message }: { to: string; message: Buffer },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const after = (next: () => void) => (error?: Error | null) => (error ? reject(error) : next())
    const send = () => connection.send({ from: from.address, to: [to] }, message, after(resolve))
    const signIn = () =>
      user === undefined ? send() : connection.login({ user, pass: password }, after(send))
    connection.on('error', reject)
    connection.on('end', () => reject(new Error('The connection ended.')))
    connection.connect(after(signIn))
  })
}

/** The message (RFC 5322). `Auto-Submitted` keeps programs from answering it (RFC 3834, section 5). */
async function compose(from: Sender, { to, subject, text, stopUrl }: Mail): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from,
    to: { name: '', address: to },
    subject,
    text,
    headers: { 'Auto-Submitted': 'auto-generated', ...(stopUrl !== undefined && stopHeaders(stopUrl)) },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

/** RFC 2369, section 3.2, and RFC 8058, section 3.1. */
function stopHeaders(url: string): Record<string, string> {
  const way = { 'List-Unsubscribe': `<${url}>` }
  return url.startsWith('https:') ? { ...way, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : way
}
