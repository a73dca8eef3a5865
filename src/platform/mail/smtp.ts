/** Sends a mail to the server of the settings (RFC 5321), as plain text. */
import type { Sender, SmtpServer } from '../../lib/settings/mail.ts'

/** `to` is one address, `subject` one line that no user chose. */
export type Mail = { to: string; subject: string; text: string }

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
export async function sendMail({ server, from }: SmtpRoute, mail: Mail, signal: AbortSignal): Promise<void> {
  const { host, port, isSecure, user, password } = server
  const ended = AbortSignal.any([signal, AbortSignal.timeout(totalMs)])
  const [{ default: SmtpConnection }, message] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    compose(from, mail),
  ])
  ended.throwIfAborted()
  const isOwn = ownHosts.includes(host)
  const connection = new SmtpConnection({
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
  try {
    await new Promise<void>((resolve, reject) => {
      const isFailed = (error: Error | null | undefined) => {
        if (error) reject(error)
        return Boolean(error)
      }
      const send = () =>
        connection.send(
          { from: from.address, to: [mail.to] },
          message,
          (error) => isFailed(error) || resolve(),
        )
      const signIn = () =>
        user === undefined
          ? send()
          : connection.login({ user, pass: password }, (error) => isFailed(error) || send())
      connection.on('error', reject)
      connection.on('end', () => reject(new Error('The connection ended.')))
      ended.addEventListener('abort', () => reject(ended.reason))
      connection.connect((error) => isFailed(error) || signIn())
    })
  } finally {
    connection.close()
  }
}

/** The message (RFC 5322). `Auto-Submitted` keeps programs from answering it (RFC 3834, section 5). */
async function compose(from: Sender, { to, subject, text }: Mail): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from,
    to: { name: '', address: to },
    subject,
    text,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}
