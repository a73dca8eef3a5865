/** Mails over a real socket, to servers that take them and to servers that don't. */

import { once } from 'node:events'
import { createServer } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { parseSettings } from '../../../src/lib/settings/parse.ts'
import { openOutboxes } from '../../../src/platform/mail/open-mail.ts'
import type { Outbox } from '../../../src/platform/mail/outbox.ts'
import { newCertificate } from '../../support/certificate.ts'
import { createTestLog } from '../../support/kept-logs.ts'
import { type SmtpServer, smtpPassword, startSmtpServer } from '../../support/smtp-server.ts'

const to = 'ada@example.com'
const mail = {
  to,
  subject: 'A new password',
  text: 'The first line\n.\nLänger: https://svc.test/?token=secret',
}

let smtp: SmtpServer
let logged: string[]

beforeEach(async () => {
  smtp = await startSmtpServer()
  logged = []
})

afterEach(() => smtp.close())

function openOutbox(url = smtp.settings.SVC_SMTP_URL): Outbox {
  const settings = parseSettings({ ...smtp.settings, SVC_SMTP_URL: url })
  const outboxes = openOutboxes(settings, createTestLog(logged))
  if (!outboxes) return expect.unreachable('the settings name a server')
  onTestFinished(() => outboxes.close())
  return outboxes.passwords
}

const failure = () => expect.poll(() => logged.join('')).toContain('A mail was not sent.')

describe('a mail', () => {
  it('is plain text from the configured sender, and says that nobody answers', async () => {
    openOutbox().add(to, (send) => send(mail))
    await expect.poll(() => smtp.mails).toHaveLength(1)
    const [{ from, to: recipients, headers, text } = { headers: new Map() }] = smtp.mails
    expect({ from, recipients, text }).toEqual({ from: 'svc@example.com', recipients: [to], text: mail.text })
    const header = (name: string) => headers.get(name)
    expect(header('from')).toEqual(['svc <svc@example.com>'])
    expect(header('to')).toEqual([to])
    expect(header('subject')).toEqual([mail.subject])
    expect(header('content-type')).toEqual(['text/plain; charset=utf-8'])
    expect(header('auto-submitted')).toEqual(['auto-generated'])
  })

  it('is sent after signing in with the password of the settings', async () => {
    openOutbox().add(to, (send) => send(mail))
    await expect.poll(() => smtp.mails).toHaveLength(1)
    const sent = Buffer.from(`\0svc\0${smtpPassword}`).toString('base64')
    expect(smtp.commands.find((line) => line.startsWith('AUTH'))).toBe(`AUTH PLAIN ${sent}`)
  })

  it.each([
    ['subject', { subject: 'Hello\r\nBcc: eve@evil.test\r\n\r\nAnother text' }],
    ['address', { to: 'ada@example.com\r\nBcc: eve@evil.test' }],
    ['list of addresses', { to: 'ada@example.com, eve@evil.test' }],
  ])('gets no further header or recipient from its %s', async (_, changed) => {
    const outbox = openOutbox()
    outbox.add(to, (send) => send({ ...mail, ...changed }))
    outbox.add(to, (send) => send({ ...mail, to: 'last@example.com' }))
    await expect.poll(() => smtp.textTo('last@example.com')).toBeDefined()
    await outbox.close()
    expect(smtp.mails.flatMap(({ headers }) => headers.get('bcc') ?? [])).toEqual([])
    expect(smtp.mails.flatMap((each) => each.to)).not.toContain('eve@evil.test')
  })

  it('begins after the request that adds it', async () => {
    let isStarted = false
    openOutbox().add(to, async () => {
      isStarted = true
    })
    await Promise.resolve()
    expect(isStarted).toBe(false)
    await expect.poll(() => isStarted).toBe(true)
  })

  it('arrives after those that were added before for the same mailbox', async () => {
    const outbox = openOutbox()
    const send20 = (mailbox: string) =>
      Array.from({ length: 20 }, (_, i) =>
        outbox.add(mailbox, (send) => send({ ...mail, to: mailbox, text: `${i}` })),
      )
    send20(to)
    send20('grace@example.com')
    await expect.poll(() => smtp.mails).toHaveLength(40)
    const textsTo = (mailbox: string) => smtp.mails.filter((each) => each.to.includes(mailbox))
    for (const mailbox of [to, 'grace@example.com'])
      expect(textsTo(mailbox).map(({ text }) => Number(text))).toEqual([...Array(20).keys()])
  })

  it('is dropped where four are under way and 500 wait', async () => {
    smtp.manner = 'silent'
    const outbox = openOutbox()
    let started = 0
    for (let i = 0; i < 600; i += 1) {
      outbox.add(`${i}@example.com`, async (send) => {
        started += 1
        await send(mail)
      })
    }
    expect(logged.filter((line) => line.includes('dropped'))).toHaveLength(96)
    await outbox.close()
    expect(started).toBe(4)
  })
})

describe('a failure is logged without address, text and password', () => {
  it.each(['refusing', 'closing'] as const)('of a server that is %s', async (manner) => {
    smtp.manner = manner
    openOutbox().add(to, (send) => send(mail))
    await failure()
    expect(logged.join('')).not.toMatch(/ada@|token|secret|p@ss/)
    expect(smtp.mails).toEqual([])
  })

  it('of a server that is away', async () => {
    await smtp.close()
    openOutbox().add(to, (send) => send(mail))
    await failure()
    expect(logged.join('')).not.toMatch(/ada@|token|secret|p@ss/)
  })

  it('of an errand, and the next one is run', async () => {
    const outbox = openOutbox()
    outbox.add(to, () => Promise.reject(new Error(`Failed query: ... params: ${to},secret`)))
    outbox.add(to, (send) => send(mail))
    await expect.poll(() => smtp.mails).toHaveLength(1)
    await failure()
    expect(logged.join('')).not.toMatch(/ada@|secret/)
  })
})

describe('a stop', () => {
  it('lets what is under way be sent', async () => {
    const outbox = openOutbox()
    for (let i = 0; i < 10; i += 1) outbox.add(to, (send) => send(mail))
    await outbox.close()
    expect(smtp.mails).toHaveLength(10)
  })

  it('gives up a server that says nothing, and leaves no connection', async () => {
    smtp.manner = 'silent'
    const outbox = openOutbox()
    outbox.add(to, (send) => send(mail))
    await expect.poll(() => smtp.open()).toBe(1)
    const startedMs = performance.now()
    await outbox.close()
    expect(performance.now() - startedMs).toBeLessThan(10_000)
    await expect.poll(() => smtp.open()).toBe(0)
    outbox.add(to, () => expect.unreachable('an errand after the stop'))
    await outbox.close()
  })
})

describe('TLS', () => {
  it('is required by smtp, except for this machine: without it no password is sent', async () => {
    openOutbox(`smtp://svc:password@[::ffff:127.0.0.1]:${smtp.port}`).add(to, (send) => send(mail))
    await failure()
    expect(smtp.commands.map((line) => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS'])
  })

  it('is refused with a certificate that nobody trusts, before the password', async () => {
    const received: string[] = []
    const server = createServer(await newCertificate('localhost'), (socket) => {
      socket.on('data', (data) => received.push(data.toString())).on('error', () => {})
      socket.write('220 test ESMTP\r\n')
    })
    server.on('tlsClientError', () => {}).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    openOutbox(`smtps://svc:password@localhost:${Object(server.address()).port}`).add(to, (send) =>
      send(mail),
    )
    await failure()
    expect(received).toEqual([])
  })
})
