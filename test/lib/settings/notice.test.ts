import { expect, it } from 'vitest'
import { parseSettings } from '../../../src/lib/settings/parse.ts'

const smtp = { SVC_SMTP_URL: 'smtps://mail.example.com', SVC_SMTP_FROM: 'svc@example.com' }
const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZg=='
const url = 'https://alerts.example.com/svc?team=1'

it('a mailbox, or an address with a secret', () => {
  expect(parseSettings({ ...smtp, SVC_OPERATOR_NOTICE: 'mailto:ops@example.com' })).toMatchObject({
    SVC_OPERATOR_NOTICE: { kind: 'mail', to: 'ops@example.com' },
  })
  expect(parseSettings({ SVC_OPERATOR_NOTICE: url, SVC_OPERATOR_NOTICE_SECRET: secret })).toMatchObject({
    SVC_OPERATOR_NOTICE: { kind: 'webhook', url },
    SVC_OPERATOR_NOTICE_SECRET: secret,
  })
})

it.each<[string, Record<string, string>, string]>([
  ['a mailbox without a server', { SVC_OPERATOR_NOTICE: 'mailto:a@b.com' }, 'set SVC_SMTP_URL'],
  ['an address without a secret', { SVC_OPERATOR_NOTICE: url }, 'SVC_OPERATOR_NOTICE_SECRET is required'],
  [
    'a secret for a mailbox',
    { ...smtp, SVC_OPERATOR_NOTICE: 'mailto:a@b.com', SVC_OPERATOR_NOTICE_SECRET: secret },
    'without an https address',
  ],
  ['a secret alone', { SVC_OPERATOR_NOTICE_SECRET: secret }, 'without an https address'],
  ['two mailboxes', { ...smtp, SVC_OPERATOR_NOTICE: 'mailto:a@b.com,c@d.com' }, 'should be mailto: with one'],
  ['fields', { ...smtp, SVC_OPERATOR_NOTICE: 'mailto:a@b.com?cc=c@d.com' }, 'should be mailto: with one'],
  ['a bare address', { ...smtp, SVC_OPERATOR_NOTICE: 'a@b.com' }, 'should be mailto: with one'],
  [
    'a short secret',
    { SVC_OPERATOR_NOTICE: url, SVC_OPERATOR_NOTICE_SECRET: 'whsec_MTIz' },
    'whsec_ and at least',
  ],
  [
    'no base64',
    { SVC_OPERATOR_NOTICE: url, SVC_OPERATOR_NOTICE_SECRET: 'whsec_!!!!' },
    'whsec_ and at least',
  ],
])('not %s', (_, environment, message) => {
  expect(() => parseSettings(environment)).toThrow(message)
})
