/** Mails an event to the members who chose it. */
import pLimit from 'p-limit'
import { z } from 'zod'
import type { Store } from '../../../stores/db/store.ts'
import { createHourly } from '../../mail/hourly.ts'
import { type Mail, type SmtpRoute, sendMail } from '../../mail/smtp.ts'
import type { Job } from '../delivery/claim-delivery.ts'
import { titleOf } from '../formats/notice.ts'
import { type Recipient, recipientsOf } from './recipients.ts'
import { stopUrl } from './stop-link.ts'

/** Connections of a node to the mail server, for all teams. */
const maxAtOnce = 8

/** For all mails of an attempt, below the lease of its delivery: the rest is for the next attempt. */
const attemptMs = 20_000

/** Within any hour. */
const mostToPerson = 30
const mostOfTeam = 500

/** The results of an event's mails so far; numbers are of people. */
export type Mailed = {
  /** The ids of those who have got it, also in earlier attempts. */
  sentTo: string[]
  /** Refused for good. */
  refused: number
  /** Kept back by the limits. */
  leftOut: number
  /** Why some are to be tried again; without anybody's address. */
  failure: string | null
}

export type Mailer = {
  /** Sends the text to all who haven't got it; undefined where the node stops. */
  send(
    job: Job,
    message: { secret: string; body: string },
    stopping: AbortSignal,
  ): Promise<Mailed | undefined>
}

type Options = {
  store: Store
  /** Undefined where no mail can be sent. */
  route: SmtpRoute | undefined
  /** Where the links of mails lead; undefined where that is unknown. */
  apiUrl: () => string | undefined
  nowMs: () => number
}

type End = 'sent' | 'refused' | 'leftOut' | { failure: string }

/** Mails wait for one another in this process, which also counts them for the limits. */
export function createMailer({ store, route, apiUrl, nowMs }: Options): Mailer {
  const turns = pLimit(maxAtOnce)
  const limits = { ofTeam: createHourly(mostOfTeam), toPerson: createHourly(mostToPerson) }

  async function mail(to: SmtpRoute, message: Mail, signal: AbortSignal): Promise<End> {
    try {
      await turns(async () => {
        signal.throwIfAborted()
        await sendMail(to, message, signal)
      })
      return 'sent'
    } catch (error) {
      return endOf(error)
    }
  }

  return {
    async send(job, { secret, body }, stopping) {
      const before = job.sentTo ?? []
      const recipients = await recipientsOf(store.db, job)
      const left = recipients.filter(({ userId }) => !before.includes(userId))
      const api = apiUrl()
      const problem = route ? (api === undefined ? withoutUrl : undefined) : 'The server sends no mails.'
      if (problem !== undefined && left.length > 0) return { ...nothing, sentTo: before, failure: problem }
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(attemptMs)])
      const toOne = ({ userId, email }: Recipient): Promise<End> | End => {
        const isWithin = limits.ofTeam.take(job.teamId, nowMs()) && limits.toPerson.take(userId, nowMs())
        if (!route || api === undefined || !isWithin) return 'leftOut'
        const url = stopUrl(api, secret, { webhook: job.webhookId, user: userId })
        const message = {
          to: email,
          subject: titleOf(job),
          text: withEnd(body, url, `${api}/${job.team}/~/webhooks`),
          stopUrl: url,
        }
        return mail(route, message, signal)
      }
      const ends = await Promise.all(left.map(toOne))
      const sent = left.filter((_, index) => ends[index] === 'sent').map(({ userId }) => userId)
      if (stopping.aborted && sent.length === 0 && left.length > 0) return undefined
      return {
        sentTo: [...before, ...sent],
        refused: ends.filter((end) => end === 'refused').length,
        leftOut: ends.filter((end) => end === 'leftOut').length,
        failure: ends.flatMap((end) => (typeof end === 'object' ? [end.failure] : []))[0] ?? null,
      }
    },
  }
}

/** Each mail has a link by which its reader stops them. */
const withoutUrl = 'The node that sends mails needs SVC_URL, for their links.'

const nothing = { refused: 0, leftOut: 0 }

/** A line of two hyphens and a space begins what belongs to every mail. */
function withEnd(body: string, url: string, page: string): string {
  return `${body}

-- 
You chose these mails of your team. To get no more of them:
${url}
All mails that you can choose:
${page}
`
}

/** The fields of nodemailer's errors that are read: command and answer. Their texts may have the address. */
const errorSchema = z.object({ command: z.string().optional(), responseCode: z.int().optional() }).catch({})

/** Commands of which a permanent refusal (RFC 5321, section 4.2.1) concerns this mail alone. */
const ofMail = ['RCPT TO', 'DATA']

function endOf(error: unknown): End {
  const { command = '', responseCode } = errorSchema.parse(error)
  if (responseCode === undefined) return { failure: 'The mail server did not take it.' }
  if (responseCode >= 500 && ofMail.includes(command)) return 'refused'
  return { failure: `The mail server answered ${responseCode}.` }
}
