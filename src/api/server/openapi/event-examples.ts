/** An example of each webhook event; the types check them against the schemas. */
import type { EventType } from '../../../lib/names/event-types.ts'
import type { EventData } from '../../../stores/events/types.ts'

const id = (prefix: string) => `${prefix}_019aa5d3d1c0a4b2f60d93c2e8175b64`

const deployment: EventData<'deployment.created'>['deployment'] = {
  id: id('dpl'),
  project: 'web',
  target: 'production',
  state: 'ready',
  url: 'https://web-5e1f0a9c37d2.svc.site',
  source: { kind: 'api', name: 'deploy from CI' },
  meta: { branch: 'main', commit: '4f0c2d1' },
  error: null,
  created_by: id('usr'),
  created_ms: 1_790_000_002_000,
}

const project = { id: id('prj'), name: 'web' }

const domain = { id: id('dom'), domain: 'www.example.com', project: 'web', verified: true }

const record = {
  id: id('rec'),
  domain: 'example.com',
  name: '@',
  type: 'MX',
  value: 'mail.example.com',
  ttl: 300,
  priority: 10,
  weight: null,
  port: null,
}

const key: EventData<'key.created'>['key'] = {
  id: id('key'),
  name: 'deploy from CI',
  prefix: 'svc_Ab3dE6…',
  role: 'member',
}

const hook: EventData<'hook.created'>['hook'] = {
  id: id('dhk'),
  name: 'Articles',
  project: 'web',
  branch: null,
}

const policy: EventData<'trust.created'>['policy'] = {
  id: id('tp'),
  project: 'web',
  issuer: 'https://token.actions.githubusercontent.com',
  claims: { repository_id: '123456789', ref: 'refs/heads/main' },
  targets: ['preview', 'production'],
  bind_branch: true,
}

const team = { id: id('team'), slug: 'acme', name: 'Acme' }

const member: EventData<'member.added'>['member'] = {
  user: null,
  email: 'grace@example.com',
  role: 'member',
}

const invitationLink: EventData<'invitation_link.created'>['invitation_link'] = {
  id: id('inv'),
  email: 'grace@example.com',
  role: 'member',
}

const shareLink: EventData<'share_link.created'>['share_link'] = {
  id: id('lnk'),
  project: 'web',
  host: 'web-5e1f0a9c37d2.svc.site',
  expires_ms: 1_790_604_802_000,
}

const webhook: EventData<'webhook.created'>['webhook'] = {
  id: id('hook'),
  format: 'standard',
  host: 'ci.example.com',
  events: ['deployment.ready'],
}

const failed = {
  reason: 'build_failed',
  message: 'npm run build ended with 1.',
  excerpt: ["src/index.ts(3,1): error TS2304: Cannot find name 'cart'."],
}

const refused = {
  reason: 'validation_failed',
  message: 'The authority did not find what it looked for (http-01) at www.example.com: connection refused.',
}

const data: { [T in EventType]: EventData<T> } = {
  'deployment.created': { deployment: { ...deployment, state: 'queued' } },
  'deployment.ready': { deployment },
  'deployment.error': { deployment: { ...deployment, state: 'error', error: failed } },
  'deployment.canceled': { deployment: { ...deployment, state: 'canceled' } },
  'deployment.promoted': {
    deployment,
    previous: 'dpl_019aa5d0c2b17e5f90a83d64c1f2b7e9',
    rollback: false,
  },
  'deployment.deleted': { deployment },
  'project.created': { project },
  'project.updated': {
    project,
    changed: ['protection', 'env'],
    changes: [
      { field: 'protection', before: 'none', after: 'preview' },
      { field: 'env', before: null, after: 'API_URL preview, API_URL production' },
    ],
  },
  'project.deleted': { project },
  'domain.created': { domain: { ...domain, verified: false } },
  'domain.updated': {
    domain,
    changes: [{ field: 'redirect', before: null, after: '308 to example.com' }],
  },
  'domain.verified': { domain },
  'domain.unverified': { domain: { ...domain, verified: false } },
  'domain.certificate_issued': {
    domain,
    certificate: { not_after_ms: 1_797_776_000_000, renewal: false },
  },
  'domain.certificate_failed': { domain, error: refused },
  'domain.deleted': { domain },
  'record.created': { record },
  'record.updated': {
    record: { ...record, ttl: 3_600 },
    changes: [{ field: 'ttl', before: '300', after: '3600' }],
  },
  'record.deleted': { record },
  'key.created': { key },
  'key.revoked': { key },
  'hook.created': { hook },
  'hook.revoked': { hook },
  'trust.created': { policy },
  'trust.revoked': { policy },
  'git.approved': {
    pull_request: { project: 'web', number: 7, commit: '6dcb09b5b57875f334f61aebed695e2e4193db5e' },
  },
  'git.retried': {
    delivery: {
      id: 'fdl_018f3a4d2e1c7b8a9f0e1d2c3b4a5968',
      project: 'web',
      event: 'push',
      branch: 'main',
      commit: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
      pull_request: null,
    },
  },
  'git.branch_deleted': { branch: { project: 'web', name: 'next' } },
  'team.created': { team },
  'team.updated': {
    team,
    changed: ['name'],
    changes: [{ field: 'name', before: 'acme', after: 'Acme' }],
  },
  'member.added': { member },
  'member.updated': {
    member: { ...member, role: 'owner', limited: null },
    before: { role: 'member', limited: ['web'] },
  },
  'member.removed': { member },
  'invitation_link.created': { invitation_link: invitationLink },
  'invitation_link.revoked': { invitation_link: invitationLink },
  'share_link.created': { share_link: shareLink },
  'share_link.revoked': { share_link: shareLink },
  'webhook.created': { webhook },
  'webhook.updated': { webhook, changes: [{ field: 'enabled', before: 'false', after: 'true' }] },
  'webhook.redelivered': { webhook, delivery: { id: id('dlv'), event: id('evt') } },
  'webhook.deleted': { webhook },
  'webhook.ping': { webhook: { id: id('hook'), url: 'https://ci.example.com' } },
}

/** The body of a webhook's request. */
export function eventExample(type: EventType) {
  return { id: id('evt'), type, created_ms: 1_790_000_003_000, team: 'acme', data: data[type] }
}
