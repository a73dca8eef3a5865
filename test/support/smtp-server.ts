/** An SMTP server (RFC 5321) on a real socket, which keeps what it was sent, or misbehaves. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { knowSecret } from './kept-logs.ts'

type ReceivedMail = {
  from: string
  to: string[]
  /** Header lines by name in lower case, unfolded; a name that occurs twice has both. */
  headers: Map<string, string[]>
  text: string
}

/** `silent` says nothing, `closing` hangs up within the message, `refusing` takes no recipient. */
type Manner = 'polite' | 'silent' | 'closing' | 'refusing'

export type SmtpServer = {
  port: number
  /** The settings of a node that sends its mails here. */
  settings: { SVC_SMTP_URL: string; SVC_SMTP_FROM: string }
  mails: ReceivedMail[]
  /** Every command, in order. */
  commands: string[]
  manner: Manner
  /** How many connections are open. */
  open(): number
  /** The text of the last mail to this address. */
  textTo(address: string): string | undefined
  close(): Promise<void>
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    serve(socket, smtp)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = Object(server.address()).port
  const smtp: SmtpServer = {
    port,
    settings: {
      SVC_SMTP_URL: `smtp://svc:${encodeURIComponent(smtpPassword)}@127.0.0.1:${port}`,
      SVC_SMTP_FROM: 'svc <svc@example.com>',
    },
    mails: [],
    commands: [],
    manner: 'polite',
    open: () => sockets.size,
    textTo: (address) => smtp.mails.findLast(({ to }) => to.includes(address))?.text,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return smtp
}

export const smtpPassword = 'p@ss:word/of the server'

function serve(socket: Socket, smtp: SmtpServer): void {
  if (smtp.manner === 'silent') return
  const say = (line: string) => socket.write(`${line}\r\n`)
  let envelope: { from: string; to: string[] } = { from: '', to: [] }
  let message: string[] | undefined
  say('220 test ESMTP')
  createInterface({ input: socket, crlfDelay: Infinity }).on('line', (line) => {
    if (message) {
      if (smtp.manner === 'closing') socket.destroy()
      else if (line !== '.') message.push(line.replace(/^\.\./, '.'))
      else {
        const parsed = parse(message)
        knowSecret("a link's token", linkIn(parsed.text).token)
        smtp.mails.push({ ...envelope, ...parsed })
        message = undefined
        say('250 kept')
      }
      return
    }
    smtp.commands.push(line)
    const [, verb = '', path = ''] = /^(\w+)[^<]*(?:<([^>]*)>)?/.exec(line) ?? []
    if (verb === 'EHLO') say('250-test\r\n250 AUTH PLAIN')
    else if (verb === 'AUTH') say('235 welcome')
    else if (verb === 'MAIL') {
      envelope = { from: path, to: [] }
      say('250 yes')
    } else if (verb === 'RCPT' && smtp.manner === 'refusing') say(`550 5.1.1 <${path}>: no such mailbox`)
    else if (verb === 'RCPT') {
      envelope.to.push(path)
      say('250 yes')
    } else if (verb === 'DATA') {
      message = []
      say('354 go on')
    } else say(verb === 'QUIT' ? '221 bye' : '500 what')
  })
}

/** The address of a one-time link in a text, and its token; both empty without one. */
export function linkIn(text = ''): { url: string; token: string } {
  const [url = '', token = ''] = /^http\S+\/auth\/link\?token=(\S+)$/m.exec(text) ?? []
  return { url, token }
}

/** One part of plain text, as it is or as quoted-printable (RFC 2045, section 6.7). */
function parse(lines: string[]): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = lines.indexOf('')
  const headers = new Map<string, string[]>()
  for (const line of lines.slice(0, end).join('\n').replaceAll(/\n\s+/g, ' ').split('\n')) {
    const [name = '', value = ''] = line.split(/: ?(.*)/s)
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value])
  }
  const body = lines.slice(end + 1).join('\n')
  const isQuoted = headers.get('content-transfer-encoding')?.[0] === 'quoted-printable'
  return { headers, text: isQuoted ? unquoted(body) : body }
}

function unquoted(body: string): string {
  const bytes = body
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
