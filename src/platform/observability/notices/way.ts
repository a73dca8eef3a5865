/** The way of notices to the operator: a mail, or a signed request. */
import { z } from 'zod'
import type { NoticeTarget } from '../../../lib/settings/notice.ts'
import { type SmtpRoute, sendMail } from '../../mail/smtp.ts'
import type { Sender } from '../../webhooks/delivery/attempt.ts'
import { bodyOf, type Notice, noticeId, subjectOf, textOf } from './notice.ts'

/** Sends a notice; resolves to why it was not taken, without an address or a secret, undefined if it was. */
export type SendNotice = (notice: Notice, nowMs: number) => Promise<string | undefined>

type Deps = {
  target: NoticeTarget
  /** Signs webhooks. */
  secret: string | undefined
  sender: Sender
  /** Undefined where no mail can be sent. */
  route: SmtpRoute | undefined
  stopping: AbortSignal
}

/** For all of a mail. */
const mailMs = 60_000

/** Redirects are not followed, and no answer is read. */
export function createNoticeWay({ target, secret, sender, route, stopping }: Deps): SendNotice {
  async function post(url: string, notice: Notice, nowMs: number): Promise<string | undefined> {
    const message = { url, secret: secret ?? null, id: noticeId(notice), body: bodyOf(notice, nowMs) }
    const answer = await sender.send({ ...message, sentMs: nowMs }, stopping)
    if (!answer) return 'The node stopped.'
    if ('failure' in answer) return answer.failure
    return answer.status >= 200 && answer.status < 300 ? undefined : `Status ${answer.status}.`
  }

  async function mail(to: string, notice: Notice): Promise<string | undefined> {
    if (!route) return 'The server sends no mails.'
    try {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(mailMs)])
      await sendMail(route, { to, subject: subjectOf(notice), text: textOf(notice) }, signal)
      return undefined
    } catch (error) {
      return failureOf(error)
    }
  }

  return (notice, nowMs) =>
    target.kind === 'mail' ? mail(target.to, notice) : post(target.url, notice, nowMs)
}

/** The fields of nodemailer's errors that are read: their texts may have the address. */
const errorSchema = z.object({ code: z.string().optional(), responseCode: z.int().optional() }).catch({})

function failureOf(error: unknown): string {
  const { code, responseCode } = errorSchema.parse(error)
  if (responseCode !== undefined) return `The mail server answered ${responseCode}.`
  return `The mail server did not take it${code === undefined ? '' : ` (${code})`}.`
}
