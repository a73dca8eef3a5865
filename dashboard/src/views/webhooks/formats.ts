/** The formats of webhooks, as people know them. */
import type { Outputs } from '@/lib/api'
import type { EventType } from '../../../../src/lib/names/event-types.ts'
import { noticeEvents } from '../../../../src/lib/notice-events.ts'

type WebhookRecord = Outputs['webhooks']['list']['data'][number]

export type Format = WebhookRecord['format']

type Described = {
  name: string
  /** The label and hint of the address; undefined where there is none. */
  address?: { label: string; placeholder: string; hint: string }
  note: string
  /** The types of events that are chosen at first. */
  events: readonly EventType[]
}

const kept = 'It is kept like a password: nobody can read it here again.'

export const formats: Record<Format, Described> = {
  standard: {
    name: 'Signed requests',
    note: 'For a program of yours (Standard Webhooks).',
    address: {
      label: 'Address',
      placeholder: 'https://example.com/webhooks',
      hint: 'https, on port 443 or 8443. A ping is sent there at once.',
    },
    events: ['deployment.ready', 'deployment.error'],
  },
  slack: {
    name: 'Slack',
    note: 'Messages in a channel of Slack, Mattermost or Rocket.Chat.',
    address: {
      label: 'Address of the incoming webhook',
      placeholder: 'https://hooks.slack.com/services/…',
      hint: `Make one in the settings of your workspace. ${kept} A test message is sent at once.`,
    },
    events: noticeEvents,
  },
  discord: {
    name: 'Discord',
    note: 'Messages in a channel of Discord.',
    address: {
      label: 'Address of the webhook',
      placeholder: 'https://discord.com/api/webhooks/…',
      hint:
        `Make one in the settings of the channel, under Integrations. ${kept} ` +
        'A test message is sent at once.',
    },
    events: noticeEvents,
  },
  mail: {
    name: 'Mail',
    note: 'Mails to the members who choose them: each for themselves, under Mails to you.',
    events: noticeEvents,
  },
}

/** Its name in lists and titles: the whole address, or its service and host. */
export function nameOf({ format, url }: Pick<WebhookRecord, 'format' | 'url'>): string {
  if (format === 'standard') return url
  return format === 'mail' ? 'Mail' : `${formats[format].name}, ${hostOf({ format, url })}`
}

/** Where it leads, without a path. */
export function hostOf({ format, url }: Pick<WebhookRecord, 'format' | 'url'>): string {
  return format === 'mail' ? 'Mail' : new URL(url).host
}
