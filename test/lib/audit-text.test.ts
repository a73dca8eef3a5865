import { describe, expect, it } from 'vitest'
import { auditText } from '../../src/lib/audit-text.ts'
import { type EventType, eventTypes } from '../../src/lib/names/event-types.ts'

/** The message of each type, as the log has it, and the text for people. */
const texts: Record<EventType, [message: string, text: string]> = {
  'deployment.created': ['created dpl_1 for preview of web', 'Ada created dpl_1 for preview of web'],
  'deployment.ready': ['dpl_1 of web is ready', 'Ada: dpl_1 of web is ready'],
  'deployment.error': ['dpl_1 of web failed: no reason', 'Ada: dpl_1 of web failed: no reason'],
  'deployment.canceled': ['canceled dpl_1 of web', 'Ada canceled dpl_1 of web'],
  'deployment.promoted': [
    'rolled back to dpl_1 in production of web',
    'Ada rolled back to dpl_1 in production of web',
  ],
  'deployment.deleted': ['deleted dpl_1 of web', 'Ada deleted dpl_1 of web'],
  'project.created': ['created project web', 'Ada created project web'],
  'project.updated': ['changed project web: spa', 'Ada changed project web: spa'],
  'project.deleted': ['deleted project web', 'Ada deleted project web'],
  'domain.created': ['claimed a.example', 'Ada claimed a.example'],
  'domain.updated': [
    'changed domain a.example: redirect (none → 308 to b.example)',
    'Ada changed domain a.example: redirect (none → 308 to b.example)',
  ],
  'domain.verified': ['a.example is verified', 'Ada: a.example is verified'],
  'domain.unverified': ['a.example is no longer verified', 'Ada: a.example is no longer verified'],
  'domain.certificate_issued': [
    'the certificate for a.example was renewed, until 2026-12-20',
    'Ada: the certificate for a.example was renewed, until 2026-12-20',
  ],
  'domain.certificate_failed': [
    'no certificate for a.example: gone',
    'Ada: no certificate for a.example: gone',
  ],
  'domain.deleted': ['gave up a.example', 'Ada gave up a.example'],
  'record.created': ['added record A www of a.example', 'Ada added record A www of a.example'],
  'record.updated': ['changed record A www of a.example', 'Ada changed record A www of a.example'],
  'record.deleted': ['removed record A www of a.example', 'Ada removed record A www of a.example'],
  'key.created': ['made member key ci (svc_Ab…)', 'Ada made member key ci (svc_Ab…)'],
  'key.revoked': ['revoked key ci (svc_Ab…)', 'Ada revoked key ci (svc_Ab…)'],
  'hook.created': ['made deploy hook cms of web', 'Ada made deploy hook cms of web'],
  'trust.created': [
    'made trust policy tp_1 of web for https://gitlab.com',
    'Ada made trust policy tp_1 of web for https://gitlab.com',
  ],
  'trust.revoked': [
    'revoked trust policy tp_1 of web for https://gitlab.com',
    'Ada revoked trust policy tp_1 of web for https://gitlab.com',
  ],
  'git.approved': [
    'approved commit 6dcb09b5b5 of pull request 7 from a fork for web',
    'Ada approved commit 6dcb09b5b5 of pull request 7 from a fork for web',
  ],
  'git.retried': [
    'had delivery fdl_018f3a4d2e1c7b8a9f0e1d2c3b4a5968 (push) of web tried again',
    'Ada had delivery fdl_018f3a4d2e1c7b8a9f0e1d2c3b4a5968 (push) of web tried again',
  ],
  'git.branch_deleted': ['deleted branch next of web', 'Ada deleted branch next of web'],
  'hook.revoked': ['revoked deploy hook cms of web', 'Ada revoked deploy hook cms of web'],
  'team.created': ['created team acme', 'Ada created team acme'],
  'team.updated': ['changed team acme: name', 'Ada changed team acme: name'],
  'member.added': ['joined with grace@example.com as owner', 'Ada joined with grace@example.com as owner'],
  'member.updated': [
    'changed grace@example.com: member → owner',
    'Ada changed grace@example.com: member → owner',
  ],
  'invitation_link.created': [
    'made invitation link inv_1 for grace@example.com as owner',
    'Ada made invitation link inv_1 for grace@example.com as owner',
  ],
  'invitation_link.revoked': [
    'revoked invitation link inv_1 for grace@example.com as owner',
    'Ada revoked invitation link inv_1 for grace@example.com as owner',
  ],
  'share_link.created': ['made share link lnk_1 to a of web', 'Ada made share link lnk_1 to a of web'],
  'share_link.revoked': ['revoked share link lnk_1 to a of web', 'Ada revoked share link lnk_1 to a of web'],
  'webhook.created': ['created webhook whk_1 at a.example', 'Ada created webhook whk_1 at a.example'],
  'webhook.updated': ['changed webhook whk_1 at a.example', 'Ada changed webhook whk_1 at a.example'],
  'webhook.redelivered': [
    'sent evt_1 again to webhook whk_1 at a.example',
    'Ada sent evt_1 again to webhook whk_1 at a.example',
  ],
  'webhook.deleted': ['deleted webhook whk_1 at a.example', 'Ada deleted webhook whk_1 at a.example'],
  'member.removed': ['removed grace@example.com', 'Ada removed grace@example.com'],
  'webhook.ping': ['pinged whk_1 at https://a.example', 'Ada pinged whk_1 at https://a.example'],
}

describe('the text of an audit line begins with who did it', () => {
  it.each(eventTypes)('%s', (type) => {
    const [message, text] = texts[type]
    expect(auditText({ kind: 'audit', message, fields: { type, actor_name: 'Ada' } })).toBe(text)
  })

  it('of a type that is not known, too', () => {
    const line = {
      kind: 'audit',
      message: 'site.painted',
      fields: { type: 'site.painted', actor_name: 'Ada' },
    }
    expect(auditText(line)).toBe('Ada: site.painted')
  })
})

describe('it is the message alone', () => {
  const message = 'created project web'

  it.each([[null], [undefined], ['']])('where the name is %j', (actor_name) => {
    expect(auditText({ kind: 'audit', message, fields: { actor_name } })).toBe(message)
  })

  it('of a line of another kind, whatever its fields are', () => {
    expect(auditText({ kind: 'build', message, fields: { actor_name: 'Ada' } })).toBe(message)
  })
})
