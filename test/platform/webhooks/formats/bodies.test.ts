/** Events as messages for people: what they say, and that nobody's text is more than text. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eventExample } from '../../../../src/api/server/openapi/event-examples.ts'
import { type EventType, eventTypes } from '../../../../src/lib/names/event-types.ts'
import type { DeliveredEvent } from '../../../../src/platform/webhooks/delivered-event.ts'
import { deliveryBody } from '../../../../src/platform/webhooks/delivery/body.ts'
import { plainLine } from '../../../../src/platform/webhooks/formats/plain-line.ts'

const apiUrl = 'https://svc.example.com'

type Given = Partial<Pick<DeliveredEvent, 'actor' | 'data' | 'team'>>

function eventOf(type: EventType, given: Given = {}): DeliveredEvent {
  const { id, created_ms, team, data } = eventExample(type)
  return { eventId: id, type, createdMs: created_ms, team, data, actor: 'Ada', ...given }
}

const markup = z.object({
  type: z.literal('mrkdwn'),
  text: z.string().min(1).max(3_000),
  verbatim: z.literal(true),
})

/** Block Kit, as far as these messages use it. */
const slackSchema = z.strictObject({
  text: z.string().max(40_000),
  blocks: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('section'), text: markup }),
        z.strictObject({ type: z.literal('context'), elements: z.array(markup).max(10) }),
      ]),
    )
    .max(50),
  unfurl_links: z.literal(false),
  unfurl_media: z.literal(false),
})

/** Discord's limits of an embed. */
const discordSchema = z.strictObject({
  embeds: z
    .array(
      z.strictObject({
        title: z.string().min(1).max(256),
        url: z.url(),
        description: z.string().min(1).max(4_096),
        color: z.int().max(0xffffff),
        timestamp: z.iso.datetime(),
      }),
    )
    .length(1),
  allowed_mentions: z.strictObject({ parse: z.array(z.string()).length(0) }),
})

const slackAt = (event: DeliveredEvent, at: string | undefined) =>
  slackSchema.parse(JSON.parse(deliveryBody('slack', event, at)))
const slack = (event: DeliveredEvent) => slackAt(event, apiUrl)

function discord(event: DeliveredEvent) {
  const [embed] = discordSchema.parse(JSON.parse(deliveryBody('discord', event, apiUrl))).embeds
  if (!embed) throw new Error('There is no embed.')
  return embed
}

const mail = (event: DeliveredEvent) => deliveryBody('mail', event, apiUrl)

describe.each(eventTypes)('%s', (type) => {
  it('is a message in each format, with a link to the dashboard', () => {
    const event = eventOf(type)
    expect(slack(event).text).toContain(`<${apiUrl}/acme`)
    expect(discord(event).url).toMatch(`${apiUrl}/acme`)
    expect(mail(event)).toContain(`${apiUrl}/acme`)
  })

  it('has no such link, and nothing empty in its place, where the dashboard has no known address', () => {
    const event = eventOf(type)
    expect(slackAt(event, undefined).text).not.toContain('/acme')
    expect(deliveryBody('discord', event, undefined)).not.toContain('/acme')
    expect(deliveryBody('mail', event, undefined)).not.toContain('/acme')
  })

  it.skipIf(type === 'webhook.ping')('of another version is one, too', () => {
    const event = eventOf(type, { data: { another: true }, actor: null })
    expect(slack(event).text).toContain(type)
    expect(discord(event).description).toContain(type)
    expect(mail(event)).toContain(type)
  })
})

/** The event of a build that failed, with these fields of its error, and of the deployment. */
function failedWith(
  error: object,
  { actor = 'Ada', ...fields }: { actor?: string; [key: string]: unknown } = {},
) {
  const { deployment } = z
    .object({ deployment: z.record(z.string(), z.unknown()) })
    .parse(eventExample('deployment.error').data)
  const data = { deployment: { ...deployment, ...fields, error: { reason: 'build_failed', ...error } } }
  return eventOf('deployment.error', { actor, data })
}

describe('a failed build', () => {
  const excerpt = ['src/index.ts(3,1): error TS2304: no <name>', 'src/cart.ts(7,5): error TS2304: no total']
  const failed = failedWith({ message: 'npm run build ended with 1.', excerpt })

  it('to Slack says whose, of what, why, and where', () => {
    const [head, problem, advice, links] = slack(failed).blocks.map((block) =>
      block.type === 'section' ? block.text.text : block.elements[0]?.text,
    )
    expect(head).toBe('*Deployment failed*\n`web` · production · `Ada` · `main` · `4f0c2d1`')
    expect(problem).toBe(
      '```npm run build ended with 1.\nsrc/index.ts(3,1): error TS2304: no &lt;name&gt;\n' +
        'src/cart.ts(7,5): error TS2304: no total```',
    )
    expect(advice).toContain('has the whole log')
    const [page = '', site] = links?.split(' · ') ?? []
    expect(page).toMatch(/^<https:\/\/svc\.example\.com\/acme\/web\/deployments\/dpl_\w+\|Deployment>$/)
    expect(site).toBe('<https://web-5e1f0a9c37d2.svc.site/|web-5e1f0a9c37d2.svc.site>')
  })

  it('to Discord is the same', () => {
    const { title, description, url, color } = discord(failed)
    expect(title).toBe('Deployment failed')
    expect(url).toMatch(/^https:\/\/svc\.example\.com\/acme\/web\/deployments\/dpl_\w+$/)
    expect(color).toBe(0xc62828)
    expect(description).toContain('`web` · production · `Ada` · `main` · `4f0c2d1`\n```\nnpm run build')
    expect(description).toContain('error TS2304: no <name>\nsrc/cart.ts(7,5): error TS2304: no total\n```')
    expect(description).toContain('[web-5e1f0a9c37d2.svc.site](https://web-5e1f0a9c37d2.svc.site/)')
  })

  it('by mail is plain text', () => {
    const [head, problem] = mail(failed).split('\n\n')
    expect(head).toBe('Deployment failed\nweb · production · Ada · main · 4f0c2d1')
    expect(problem).toMatch(/^ {4}npm run build ended with 1\.\n {4}src\/index\.ts.*\n {4}src\/cart\.ts/)
  })
})

it.each([
  ['deployment.promoted', 'In production'],
  ['domain.unverified', 'Domain no longer verified'],
  ['domain.certificate_issued', 'Certificate issued'],
  ['domain.certificate_failed', 'No certificate for a domain'],
  ['webhook.ping', 'Test message'],
  ['key.created', 'Key created'],
] as const)('%s is titled %s', (type, title) => {
  expect(discord(eventOf(type)).title).toBe(title)
  expect(slack(eventOf(type)).text).toContain(`*${title}*`)
  expect(mail(eventOf(type))).toMatch(`${title}\n`)
})

const hostile = [
  '@everyone @here <!channel> <!here|x> <@U123> <@&1> <#C1>',
  '[forged](https://evil.example) <https://evil.example|forged>',
  '`*bold*` ```\n# heading\n> quote ~~s~~ ||spoiler|| __u__',
  '"}],"text":"injected',
  'a\u202eb\u200b\u0000\u001b[31m\nc\r\n\n\n',
  '`'.repeat(500),
  '<'.repeat(5_000),
  '😀'.repeat(5_000),
  '\ud800 alone',
  '',
]

describe.each(hostile.map((text) => ({ name: text.slice(0, 60), text })))('the text $name', ({ text }) => {
  const meta = { branch: text, commit: text, message: text }
  const event = failedWith({ message: text, excerpt: [text, text] }, { actor: text, project: text, meta })
  const renamed = eventOf('key.created', {
    actor: text,
    data: { key: { id: 'key_1', name: text, prefix: text, role: 'member' } },
  })

  it.each([
    ['a build', event],
    ['anything else', renamed],
  ])('in %s is nothing but text', (_which, each) => {
    const { text: fallback, blocks } = slack(each)
    const texts = [
      fallback,
      ...blocks.flatMap((block) => (block.type === 'section' ? [block.text.text] : [])),
    ]
    for (const one of texts) {
      // What remains without links of ours has no markup of Slack's.
      const rest = one.replaceAll(
        /<https:\/\/(?:svc\.example\.com|web-5e1f0a9c37d2\.svc\.site)[^|>]*\|[\w .-]+>/g,
        '',
      )
      expect(rest).not.toMatch(/[<>]|@(?:everyone|here|channel)/)
      expect(outsideCode(rest)).not.toMatch(/evil|bold|injected|heading/)
    }
    const { description } = discord(each)
    expect(description).not.toMatch(/@(?:everyone|here)/)
    expect(outsideCode(description)).not.toMatch(/evil|bold|injected|heading|spoiler|<@/)
    expect(mail(each)).not.toMatch(/evil\.example\/|https:\/\/evil|@everyone|\u202e/)
    expect(mail(each)).not.toMatch(/^[>#]/m)
  })
})

/** The text without what is in code: blocks, then spans, neither of which ends early. */
function outsideCode(text: string): string {
  const left = text.replaceAll(/```[^`]*```/g, '').replaceAll(/`[^`\n]+`/g, '')
  expect(left).not.toContain('`')
  return left
}

it.each([
  ['@everyone', '@\u200beveryone'],
  ['mail ada@example.com', 'mail ada@example.com'],
  ['a@here', 'a@\u200bhere'],
  ['.@channel.', '.@\u200bchannel.'],
  ['a\n\tb', 'a b'],
])('%j becomes the line %j', (text, line) => {
  expect(plainLine(text)).toBe(line)
})

it('takes no longer for a text made to take long', () => {
  const begun = performance.now()
  plainLine(`@${'a.'.repeat(50_000)}`)
  plainLine('@'.repeat(100_000))
  expect(performance.now() - begun).toBeLessThan(1_000)
})
