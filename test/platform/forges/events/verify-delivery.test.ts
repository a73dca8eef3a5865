/** Which deliveries are taken for those of a forge that has the secret. */
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import {
  type Delivery,
  type DeliveryHeaders,
  verifyDelivery,
} from '../../../../src/platform/forges/events/verify-delivery.ts'
import { newSecret } from '../../../../src/platform/webhooks/secret.ts'

const nowMs = 1_790_000_000_000
const body: Buffer = Buffer.from('{"zen":"Keep it logically awesome."}')
const secret = newSecret()

function hex(key: string = secret, bytes = body): string {
  return createHmac('sha256', key).update(bytes).digest('hex')
}

function verify(provider: Delivery['provider'], headers: DeliveryHeaders, others: Partial<Delivery> = {}) {
  return verifyDelivery({ provider, headers, body, secret, nowMs, ...others })
}

const refused = (why: string) => ({
  ok: false,
  why: expect.stringContaining(why),
  kind: expect.any(String),
})

const github = () => ({
  'x-github-event': 'push',
  'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
  'x-hub-signature-256': `sha256=${hex()}`,
})

describe('GitHub', () => {
  it('accepts the example of its documentation', () => {
    const signature = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    const headers = { ...github(), 'x-hub-signature-256': `sha256=${signature}` }
    const example = { secret: "It's a Secret to Everybody", body: Buffer.from('Hello, World!') }
    expect(verify('github', headers, example)).toEqual({
      ok: true,
      id: '72d3162e-cc78-11e3-81ab-4c9367dc0958',
      event: 'push',
    })
  })

  it('accepts bytes that are no text', () => {
    const bytes = Buffer.from([0xff, 0, 0xfe])
    const headers = { ...github(), 'x-hub-signature-256': `sha256=${hex(secret, bytes)}` }
    expect(verify('github', headers, { body: bytes }).ok).toBe(true)
  })

  it.each<[string, DeliveryHeaders, Partial<Delivery>, string]>([
    ['another body', {}, { body: Buffer.from('{}') }, 'not one by'],
    ['one byte more', {}, { body: Buffer.concat([body, Buffer.from(' ')]) }, 'not one by'],
    ['another secret', {}, { secret: newSecret() }, 'not one by'],
    ['no secret of ours', { 'x-hub-signature-256': `sha256=${hex('')}` }, { secret: '' }, 'no secret'],
    [
      'a secret without bytes',
      { 'x-hub-signature-256': `sha256=${hex('')}` },
      { secret: 'whsec_' },
      'no secret',
    ],
    ['no signature', { 'x-hub-signature-256': undefined }, {}, 'has no x-hub-signature-256'],
    ['an empty signature', { 'x-hub-signature-256': '' }, {}, 'not one by'],
    ['no digest', { 'x-hub-signature-256': 'sha256=' }, {}, 'not one by'],
    ['the digest alone', { 'x-hub-signature-256': hex() }, {}, 'not one by'],
    ['the start of the digest', { 'x-hub-signature-256': `sha256=${hex().slice(0, 10)}` }, {}, 'not one by'],
    [
      'the signature by SHA-1 alone',
      {
        'x-hub-signature-256': undefined,
        'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
      },
      {},
      'has no x-hub-signature-256',
    ],
    [
      'the signature twice',
      { 'x-hub-signature-256': [`sha256=${hex('other')}`, `sha256=${hex()}`] },
      {},
      'x-hub-signature-256 is there more than once',
    ],
    [
      'the signature twice, joined',
      { 'x-hub-signature-256': `sha256=${hex('other')}, sha256=${hex()}` },
      {},
      'not one by',
    ],
    ['no event', { 'x-github-event': undefined }, {}, 'names no event'],
    ['two events', { 'x-github-event': 'push, delete' }, {}, 'names no event'],
    ['the event twice', { 'x-github-event': ['push', 'push'] }, {}, 'x-github-event is there more than once'],
    ['two ids', { 'x-github-delivery': 'a, b' }, {}, 'id of the delivery'],
  ])('refuses %s', (_what, headers, others, why) => {
    expect(verify('github', { ...github(), ...headers }, others)).toEqual(refused(why))
  })

  it("refuses another forge's way to sign", () => {
    expect(verify('github', { 'x-github-event': 'push', 'x-gitea-signature': hex() }).ok).toBe(false)
    expect(verify('github', { 'x-github-event': 'push', 'x-gitlab-token': secret }).ok).toBe(false)
  })

  it('gives a delivery without an id that of its body', () => {
    const of = (bytes: Buffer) => {
      const signature = `sha256=${hex(secret, bytes)}`
      const headers = { 'x-github-event': 'push', 'x-hub-signature-256': signature }
      const verified = verify('github', headers, { body: bytes })
      return verified.ok ? verified.id : undefined
    }
    expect(of(body)).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(of(body)).toBe(of(Buffer.from(body)))
    expect(of(body)).not.toBe(of(Buffer.from('{}')))
  })
})

describe('Gitea and Forgejo', () => {
  it.each([
    ['gitea', { 'x-gitea-signature': hex(), 'x-gitea-event': 'push', 'x-gitea-delivery': 'f6266f16' }],
    [
      'forgejo',
      { 'x-forgejo-signature': hex(), 'x-forgejo-event': 'push', 'x-forgejo-delivery': 'f6266f16' },
    ],
    ["github's headers", { ...github(), 'x-github-delivery': 'f6266f16' }],
    [
      'all of them',
      {
        ...github(),
        'x-gitea-signature': hex(),
        'x-forgejo-signature': hex(),
        'x-gitea-event': 'push',
        'x-gitea-delivery': 'f6266f16',
      },
    ],
  ])('are verified by %s', (_what, headers) => {
    expect(verify('gitea', headers)).toEqual({ ok: true, id: 'f6266f16', event: 'push' })
  })

  it.each<[string, DeliveryHeaders]>([
    ['nothing', { 'x-gitea-signature': undefined }],
    ['an empty one', { 'x-gitea-signature': '' }],
    ["another secret's", { 'x-gitea-signature': hex('other') }],
    ['one of two', { 'x-gitea-signature': hex(), 'x-forgejo-signature': hex('other') }],
    ["one with GitHub's prefix", { 'x-gitea-signature': `sha256=${hex()}` }],
    ['the token of GitLab', { 'x-gitea-signature': undefined, 'x-gitlab-token': secret }],
  ])('are refused with %s', (_what, headers) => {
    const usual = { 'x-gitea-event': 'push', 'x-gitea-signature': hex() }
    expect(verify('gitea', { ...usual, ...headers }).ok).toBe(false)
  })
})

describe('GitLab with a signing token', () => {
  const seconds = nowMs / 1_000
  const signedBy = (key: string, atMs = nowMs, id = 'msg_1') => ({
    'x-gitlab-event': 'Push Hook',
    'webhook-id': id,
    'webhook-timestamp': String(atMs / 1_000),
    'webhook-signature': new Webhook(key).sign(id, new Date(atMs), body.toString()),
  })

  it('is verified as the library of Standard Webhooks signs', () => {
    expect(verify('gitlab', signedBy(secret))).toEqual({ ok: true, id: 'msg_1', event: 'Push Hook' })
  })

  it('is verified by one of several signatures', () => {
    const headers = signedBy(secret)
    const several = `${signedBy(newSecret())['webhook-signature']} v1a,xyz ${headers['webhook-signature']}`
    expect(verify('gitlab', { ...headers, 'webhook-signature': several }).ok).toBe(true)
  })

  it('is verified with a secret of another form', () => {
    const other = 'a secret that somebody made up'
    const headers = signedBy(Buffer.from(other).toString('base64'))
    expect(verify('gitlab', headers, { secret: other }).ok).toBe(true)
  })

  it.each([-299_000, 300_000])('is verified by a clock that differs by %i ms', (differenceMs) => {
    expect(verify('gitlab', signedBy(secret, nowMs + differenceMs)).ok).toBe(true)
  })

  it.each<[string, DeliveryHeaders, Partial<Delivery>, string]>([
    ['an old time', signedBy(secret, nowMs - 301_000), {}, '5 minutes'],
    ['a time to come', signedBy(secret, nowMs + 301_000), {}, '5 minutes'],
    ['a new time for an old signature', { 'webhook-timestamp': String(seconds - 1) }, {}, 'not one by'],
    ['another id', { 'webhook-id': 'msg_2' }, {}, 'not one by'],
    ['another body', {}, { body: Buffer.from('{}') }, 'not one by'],
    ['another secret', {}, { secret: newSecret() }, 'not one by'],
    ['no secret of ours', {}, { secret: '' }, 'no secret'],
    ['no time', { 'webhook-timestamp': undefined }, {}, 'no webhook-id or webhook-timestamp'],
    ['a time that is no number', { 'webhook-timestamp': '1e9' }, {}, 'no webhook-id or webhook-timestamp'],
    ['no id', { 'webhook-id': undefined }, {}, 'no webhook-id or webhook-timestamp'],
    ['the time twice', { 'webhook-timestamp': [String(seconds), String(seconds)] }, {}, 'more than once'],
    ['an empty signature', { 'webhook-signature': '' }, {}, 'not one by'],
    [
      'a wrong signature beside the token',
      { 'webhook-signature': 'v1,', 'x-gitlab-token': secret },
      {},
      'not one',
    ],
  ])('is refused with %s', (_what, headers, others, why) => {
    expect(verify('gitlab', { ...signedBy(secret), ...headers }, others)).toEqual(refused(why))
  })

  it('is refused where the secret has no bytes', () => {
    const signature = createHmac('sha256', '').update(`msg_1.${seconds}.`).update(body).digest('base64')
    const headers = { ...signedBy(secret), 'webhook-signature': `v1,${signature}` }
    expect(verify('gitlab', headers, { secret: 'whsec_' })).toEqual(refused('no secret'))
  })
})

describe('GitLab with a secret token', () => {
  const usual = { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret, 'idempotency-key': 'f5e5f430' }

  it('is verified by the secret itself', () => {
    expect(verify('gitlab', usual)).toEqual({ ok: true, id: 'f5e5f430', event: 'Push Hook' })
  })

  it.each<[string, DeliveryHeaders]>([
    ['no token', { 'x-gitlab-token': undefined }],
    ['an empty token', { 'x-gitlab-token': '' }],
    ['another token', { 'x-gitlab-token': newSecret() }],
    ['the start of the secret', { 'x-gitlab-token': secret.slice(0, -1) }],
    ['the token twice', { 'x-gitlab-token': [secret, secret] }],
    ['the token twice, joined', { 'x-gitlab-token': `${secret}, ${secret}` }],
  ])('is refused with %s', (_what, headers) => {
    expect(verify('gitlab', { ...usual, ...headers }).ok).toBe(false)
  })

  it('is refused without a token where there is no secret', () => {
    expect(verify('gitlab', { ...usual, 'x-gitlab-token': '' }, { secret: '' }).ok).toBe(false)
  })

  it('tells two branches of one push apart, which have the id of the event in common', () => {
    const headers = { ...usual, 'idempotency-key': undefined, 'x-gitlab-event-uuid': '13792a34' }
    const ids = [body, Buffer.from('{}')].map((each) => verify('gitlab', headers, { body: each }))
    expect(ids[0]).toEqual({
      ok: true,
      id: expect.stringMatching(/^13792a34:[0-9a-f]{64}$/),
      event: 'Push Hook',
    })
    expect(ids[0]).not.toEqual(ids[1])
  })
})
