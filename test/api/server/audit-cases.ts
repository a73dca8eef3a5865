/**
 * For every mutation: the lines that it leaves in the audit trail, or why it leaves none. Ids in lines stand
 * as `dpl_…`; `web` is the project, `web.com` the domain, and `acme` the team.
 */

import type { inferRouterInputs } from '@trpc/server'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import type { AppRouter } from '../../../src/api/routers/index.ts'
import { newId } from '../../../src/lib/ids.ts'
import type { AdminRequest } from '../../../src/stores/data-dir/admin-protocol.ts'
import { forgeDeliveries } from '../../../src/stores/db/schema/project-repositories.ts'
import { users } from '../../../src/stores/db/schema/teams.ts'
import { deliveries, webhooks } from '../../../src/stores/db/schema/webhooks.ts'
import { newCertificate } from '../../support/certificate.ts'
import type { DnsServer } from '../../support/dns-server.ts'
import type { TestNode } from '../../support/node.ts'
import { newSession } from '../../support/session.ts'
import type { Fixture, ProcedureName } from './every-procedure.ts'

type Inputs = inferRouterInputs<AppRouter>

/** A team with one of everything, at a node whose forge answers, and somebody whom it has invited. */
export type Own = Fixture & {
  node: TestNode
  resolver: DnsServer
  /** The address of a repository at a forge. */
  repository: string
  /** The address of whoever has a session of their own. */
  email: string
  /** The result of another call by an owner. */
  call: <N extends keyof Inputs & string, P extends keyof Inputs[N] & string>(
    name: `${N}.${P}`,
    input: Inputs[N][P],
    // biome-ignore lint/suspicious/noExplicitAny: each case knows what it called.
  ) => Promise<any>
}

type Step = {
  /** A call that succeeds, by an owner with a key. */
  input: (own: Own) => object | Promise<object>
  /** Its lines, in order. */
  says: unknown[]
  /** Who did it, where that isn't the owner: whoever has the session, or nobody for the team to know. */
  by?: 'person' | 'nobody'
}

/** What a mutation says, call by call. */
export type Steps = Step[]

/** Why a mutation leaves no line. */
export type Untold = { untold: string }

const ofAccount: Untold = { untold: 'an account is of a person, and of no team' }

/** Texts that no line may hold. */
export const secrets = {
  value: 'the-value-of-a-variable',
  password: 'the-password-of-a-site',
  bypass: 'the-secret-that-bypasses-the-protection',
  token: 'the-token-of-a-forge',
  secret: 'the-secret-of-a-forges-hook',
  path: 'the-secret-path-of-a-webhook',
}

const owner = { email: null, role: 'owner' as const }

const project = ({ project: { name } }: Own) => ({ project: name })
const webhook = ({ webhook: { id } }: Own) => ({ webhook: id })
const domain = ({ domain: { domain: name } }: Own) => ({ domain: name })

/** A domain whose proof can be seen. */
async function published({ domain: { domain: name }, call, resolver }: Own): Promise<string> {
  const { domain, verification } = await call('domains.put', { domain: `proven-${name}` })
  resolver.set(verification[0].name, 'TXT', [verification[0].value])
  return domain
}

async function proven(own: Own): Promise<{ name: string }> {
  const name = await published(own)
  await own.call('domains.verify', { domain: name })
  return { name }
}

const inDays = (days: number) => Date.now() + days * 86_400_000

/** Accepts the invitation. */
async function joinAs(node: TestNode, team: { slug: string }, email: string): Promise<void> {
  const [user] = await node.installation.store.db.select().from(users).where(eq(users.email, email))
  const session = await newSession(node, user?.id ?? '')
  await session.api('POST', '/trpc/teams.acceptInvitation', { team: team.slug })
}

/** The team, which has invited whoever has the session. */
async function invited({ team: { slug }, email, call }: Own) {
  await call('teams.put', { team: slug, members: [owner, { email, role: 'member' }] })
  return { team: slug }
}

const waiting = {
  id: newId('forgeDelivery', 1),
  forgeId: 'one',
  event: 'pull_request',
  status: 'waiting',
  commit: 'c'.repeat(40),
  pullRequest: 7,
  receivedMs: 1,
  dueMs: 1,
} as const

export const cases: Partial<Record<ProcedureName, Steps | Untold>> = {
  'projects.put': [
    {
      input: (own) => ({ ...project(own), spa: true, preview_ttl_days: 7 }),
      says: ['changed project web: preview_ttl_days (none → 7), spa (false → true)'],
    },
    {
      input: (own) => ({
        ...project(own),
        env: [{ key: 'KEY', value: secrets.value, target: ['preview'] }],
        password: secrets.password,
        bypass_secret: secrets.bypass,
      }),
      says: [
        'changed project web: bypass_secret (none → (secret)), password (none → (secret)), ' +
          'env (none → KEY preview)',
      ],
    },
    {
      input: (own) => ({
        ...project(own),
        env: [{ key: 'KEY', value: 'other', target: ['preview'] }],
        protection: 'all',
      }),
      says: ['changed project web: protection (none → all), env (KEY preview → KEY preview)'],
    },
    {
      input: (own) => ({ ...project(own), env: null, password: null, build: { build_command: 'make' } }),
      says: [
        'changed project web: build.build_command (none → make), password ((secret) → none), ' +
          'env (KEY preview → none)',
      ],
    },
    {
      input: (own) => ({
        ...project(own),
        start: 'node server.mjs',
        runtime: { memory_bytes: 256 * 1024 * 1024, health_path: '/up' },
      }),
      says: [
        'changed project web: runtime.memory_bytes (536870912 → 268435456), ' +
          'runtime.health_path (none → /up), start (none → node server.mjs)',
      ],
    },
    {
      input: (own) => ({
        ...project(own),
        git: {
          url: 'https://github.com/ada/site',
          token: secrets.token,
          secret: secrets.secret,
          production_branch: 'main',
        },
      }),
      says: [
        'changed project web: git.production_branch (none → main), ' +
          'git.production_branch_by (none → owner), git.provider (none → github), ' +
          'git.url (none → https://github.com/ada/site), git.skip_unchanged (none → true), and 4 more',
      ],
    },
    {
      input: (own) => ({ ...project(own), git: null }),
      says: [
        'changed project web: git.production_branch (main → none), ' +
          'git.production_branch_by (owner → none), git.url (https://github.com/ada/site → none)',
      ],
    },
    {
      input: (own) => ({ ...project(own), name: `${own.project.name}-2` }),
      says: ['changed project web-2: name (web → web-2)'],
    },
    {
      input: (own) => ({ project: `${own.project.name}-3`, hsts: true }),
      says: ['created project web-3: hsts (false → true)'],
    },
  ],
  'domains.put': [
    {
      input: (own) => ({ ...domain(own), redirect: { to: 'evil.example.com' } }),
      says: ['changed domain web.com: redirect (none → 308 to evil.example.com)'],
    },
    {
      input: (own) => ({ ...domain(own), redirect: null, ...project(own) }),
      says: ['changed domain web.com: project (none → web), redirect (308 to evil.example.com → none)'],
    },
    {
      input: async (own) => {
        await own.call('projects.put', { project: `${own.project.name}-2` })
        return { ...domain(own), project: `${own.project.name}-2` }
      },
      says: ['changed domain web.com: project (web → web-2)'],
    },
    {
      input: (own) => ({ ...domain(own), project: null }),
      says: ['changed domain web.com: project (web-2 → none)'],
    },
    {
      input: (own) => ({ domain: `b.${own.domain.domain}`, redirect: { to: 'c.example.com', status: 302 } }),
      says: ['claimed b.web.com: redirect (none → 302 to c.example.com)'],
    },
    {
      input: async (own) => {
        const { name } = await proven(own)
        const { cert, key } = await newCertificate(name, -3_600_000)
        return { domain: name, certificate: { chain: cert, key } }
      },
      says: [
        expect.stringMatching(/^changed domain proven-web.com: certificate \(none → own, until \d.*Z\)$/),
      ],
    },
    {
      input: (own) => ({ domain: `proven-${own.domain.domain}`, certificate: null }),
      says: [
        expect.stringMatching(/^changed domain proven-web.com: certificate \(own, until \d.*Z → none\)$/),
      ],
    },
  ],
  'teams.put': [
    {
      input: ({ team }) => ({ team: team.slug, name: 'Acme Inc.' }),
      says: ['changed team acme: name (acme → Acme Inc.)'],
    },
    {
      input: ({ team, email }) => ({ team: team.slug, members: [owner, { email, role: 'member' }] }),
      says: ['changed team acme: members', 'invited ada@example.com as member'],
    },
    {
      input: ({ team, email }) => ({ team: team.slug, members: [owner, { email, role: 'owner' }] }),
      says: ['changed team acme: members', 'changed ada@example.com: member → owner'],
    },
    {
      input: ({ team, email, project: { name } }) => ({
        team: team.slug,
        members: [owner, { email, role: 'member', projects: [name] }],
      }),
      says: ['changed team acme: members', 'changed ada@example.com: owner → member of web'],
    },
    {
      input: async ({ node, team, email }) => {
        await joinAs(node, team, email)
        return { team: team.slug, members: [owner, { email, role: 'member', projects: [] }] }
      },
      says: ['changed team acme: members', 'changed ada@example.com: member of web → member of no project'],
    },
    {
      input: ({ team, email }) => ({ team: team.slug, members: [owner, { email, role: 'owner' }] }),
      says: ['changed team acme: members', 'changed ada@example.com: member of no project → owner'],
    },
    {
      input: ({ team }) => ({ team: team.slug, members: [owner] }),
      says: ['changed team acme: members', 'removed ada@example.com'],
    },
  ],
  'links.create': [
    {
      input: (own) => ({ ...project(own), expires_ms: inDays(1) }),
      says: [expect.stringMatching(/^made share link lnk_… to web\.localhost of web until \d.*Z$/)],
    },
  ],
  'links.revoke': [
    {
      input: async (own) => ({ ...project(own), id: (await own.call('links.create', project(own))).id }),
      says: ['revoked share link lnk_… to web.localhost of web'],
    },
  ],
  'invitationLinks.create': [
    {
      input: async (own) => ({ ...(await invited(own)), email: own.email }),
      says: ['made invitation link inv_… for ada@example.com as member'],
    },
  ],
  'invitationLinks.revoke': [
    {
      input: async (own) => {
        const { team } = await invited(own)
        const { id } = await own.call('invitationLinks.create', { team, email: own.email })
        return { team, id }
      },
      says: ['revoked invitation link inv_… for ada@example.com as member'],
    },
  ],
  'webhooks.create': [
    {
      input: () => ({ url: 'https://hooks.example.com/svc', events: ['project.created'] }),
      says: [
        'created webhook hook_… at hooks.example.com for project.created',
        'pinged hook_… at https://hooks.example.com',
      ],
    },
    {
      input: () => ({ format: 'slack', url: `https://hooks.slack.com/${secrets.path}` }),
      says: [
        expect.stringMatching(/^created webhook hook_… at hooks\.slack\.com for deployment\.ready, /),
        'pinged hook_… at https://hooks.slack.com',
      ],
    },
  ],
  'webhooks.enable': [
    {
      input: async (own) => {
        const disabled = { enabled: false, disabledReason: 'gone' }
        await own.node.installation.store.db.update(webhooks).set(disabled)
        return webhook(own)
      },
      says: [
        'changed webhook hook_… at hooks.example.com: enabled (false → true), disabled_reason (gone → none)',
      ],
    },
    { input: webhook, says: [] },
  ],
  'webhooks.redeliver': [
    {
      input: async (own) => {
        const { db } = own.node.installation.store
        const ofWebhook = eq(deliveries.webhookId, own.webhook.id)
        const [sent] = await db.update(deliveries).set({ status: 'failed' }).where(ofWebhook).returning()
        return { ...webhook(own), delivery: sent?.id }
      },
      says: ['sent evt_… again to webhook hook_… at hooks.example.com'],
    },
  ],
  'webhooks.delete': [{ input: webhook, says: ['deleted webhook hook_… at hooks.example.com'] }],

  'deployments.create': [
    {
      input: (own) => ({ ...project(own), files: [{ path: 'index.html', content: 'a' }], target: 'preview' }),
      says: ['created dpl_… for preview of web', 'dpl_… of web is ready'],
    },
  ],
  'deployments.missing': { untold: 'it says which files to send, and changes nothing' },
  'deployments.promote': [
    {
      input: ({ deployment: { id } }) => ({ deployment: id }),
      says: ['promoted dpl_… to production of web'],
    },
    {
      input: async (own) => {
        const made = await own.call('deployments.create', {
          ...project(own),
          files: [{ path: 'index.html', content: 'b' }],
          target: 'preview',
        })
        return { deployment: made.id }
      },
      says: ['promoted dpl_… to production of web'],
    },
    {
      input: ({ deployment: { id } }) => ({ deployment: id }),
      says: ['rolled back to dpl_… in production of web'],
    },
  ],
  'deployments.delete': [
    {
      input: async (own) => {
        const made = await own.call('deployments.create', {
          ...project(own),
          files: [{ path: 'index.html', content: 'c' }],
          target: 'preview',
        })
        return { deployment: made.id }
      },
      says: ['deleted dpl_… of web'],
    },
  ],
  'projects.delete': [{ input: project, says: ['deleted project web'] }],
  'domains.delete': [{ input: domain, says: ['gave up web.com'] }],
  'domains.verify': [
    {
      input: async (own) => ({ domain: await published(own) }),
      says: ['proven-web.com is verified'],
    },
  ],
  'dns.create': [
    {
      input: (own) => ({ ...domain(own), name: 'a', type: 'TXT', value: 'one' }),
      says: ['added record TXT a of web.com'],
    },
  ],
  'dns.put': [
    {
      input: (own) => ({ ...domain(own), record: own.record.id, value: 'two' }),
      says: [expect.stringMatching(/^changed record TXT www of web\.com: value \(text-\w+ → two\)$/)],
    },
  ],
  'dns.delete': [
    {
      input: (own) => ({ ...domain(own), record: own.record.id }),
      says: ['removed record TXT www of web.com'],
    },
  ],
  'dns.importZone': [
    {
      input: (own) => ({ ...domain(own), zone: 'a 300 TXT x' }),
      says: ['removed record TXT www of web.com', 'added record TXT a of web.com'],
    },
  ],
  'webhooks.test': [
    {
      // The first one isn't sent here.
      input: async (own) => {
        await own.node.installation.store.db.update(deliveries).set({ status: 'failed' })
        return webhook(own)
      },
      says: ['pinged hook_… at https://hooks.example.com'],
    },
  ],
  'webhooks.subscribe': { untold: 'people choose which mails they get themselves' },
  'webhooks.unsubscribe': { untold: 'people choose which mails they get themselves' },
  'teams.delete': { untold: "the trail is the team's, and goes with it" },
  'teams.requireSecondFactor': [
    {
      input: ({ team }) => ({ team: team.slug, required: true }),
      says: ['changed team acme: second_factor_required (false → true)'],
    },
  ],
  'teams.acceptInvitation': [
    { by: 'person', input: invited, says: ['joined with ada@example.com as member'] },
  ],
  'teams.declineInvitation': [{ by: 'nobody', input: invited, says: ['removed ada@example.com'] }],
  'tokens.createKey': [{ input: () => ({ name: 'ci' }), says: ['made member key ci (svc_…)'] }],
  'tokens.createLimitedKey': [
    {
      input: ({ project }) => ({ name: 'ci', projects: [project.id], read_only: true }),
      says: ['made member key ci (svc_…)', 'limited key ci (svc_…) to reading, to web'],
    },
  ],
  'tokens.revokeKey': [{ input: ({ key }) => ({ key: key.id }), says: ['revoked key a key (svc_…)'] }],
  'tokens.mint': { untold: 'the same rights in another form, for hours; what it does leaves lines' },
  'ps.restart': [{ input: project, says: ['restarted the servers of web'] }],
  'hooks.create': [
    { input: (own) => ({ ...project(own), name: 'cms' }), says: ['made deploy hook cms of web'] },
  ],
  'hooks.revoke': [
    {
      input: async (own) => {
        const { id } = await own.call('hooks.create', { ...project(own), name: 'cms' })
        return { ...project(own), id }
      },
      says: ['revoked deploy hook cms of web'],
    },
  ],
  'trust.create': [
    {
      input: (own) => ({ ...project(own), issuer: 'https://gitlab.com', claims: { project_id: '1' } }),
      says: ['made trust policy tp_… of web for https://gitlab.com'],
    },
  ],
  'trust.revoke': [
    {
      input: async (own) => {
        const claims = { project_id: '1' }
        const { id } = await own.call('trust.create', {
          ...project(own),
          issuer: 'https://gitlab.com',
          claims,
        })
        return { ...project(own), id }
      },
      says: ['revoked trust policy tp_… of web for https://gitlab.com'],
    },
  ],
  'git.inspect': { untold: 'it looks at a repository, and changes nothing' },
  'git.deploy': { untold: 'the deployment that comes of it says who had it made' },
  'git.registerHook': [
    {
      input: async (own) => {
        const git = { url: own.repository, provider: 'github' as const, token: secrets.token }
        await own.call('projects.put', { ...project(own), git })
        return project(own)
      },
      says: ['changed project web: git.secret (none → (secret))'],
    },
  ],
  'git.retry': [
    {
      input: async (own) => {
        const git = { url: own.repository, provider: 'github' as const }
        await own.call('projects.put', { ...project(own), git })
        const work = {
          kind: 'deploy',
          meta: {},
          from: { address: '192.0.2.1', requestId: newId('request', 1) },
        }
        const of = { teamId: own.team.id, projectId: own.project.id, work }
        const failed = {
          ...waiting,
          id: newId('forgeDelivery', 2),
          forgeId: 'two',
          status: 'failed' as const,
        }
        await own.node.installation.store.db
          .insert(forgeDeliveries)
          .values({ ...failed, branch: 'main', ...of })
        return { ...project(own), delivery: failed.id }
      },
      says: ['had delivery fdl_… (pull_request) of web tried again'],
    },
  ],
  'git.approve': [
    {
      input: async (own) => {
        const git = { url: own.repository, provider: 'github' as const, forks: 'approve' as const }
        await own.call('projects.put', { ...project(own), git })
        const work = {
          kind: 'deploy_fork',
          meta: {},
          from: { address: '192.0.2.1', requestId: newId('request', 1) },
        }
        const of = { teamId: own.team.id, projectId: own.project.id, work }
        await own.node.installation.store.db.insert(forgeDeliveries).values({ ...waiting, ...of })
        return { ...project(own), delivery: waiting.id, commit: waiting.commit }
      },
      says: ['approved commit cccccccccc of pull request 7 from a fork for web'],
    },
  ],
  'account.update': ofAccount,
  'account.proveAddress': ofAccount,
  'account.changePassword': ofAccount,
  'account.startSecondFactor': ofAccount,
  'account.confirmSecondFactor': ofAccount,
  'account.renewRecoveryCodes': ofAccount,
  'account.stopSecondFactor': ofAccount,
  'account.startPasskey': ofAccount,
  'account.addPasskey': ofAccount,
  'account.renamePasskey': ofAccount,
  'account.removePasskey': ofAccount,
  'account.startPasskeyProof': ofAccount,
  'account.endSession': ofAccount,
  'account.endOtherSessions': ofAccount,
}

const ofSession: Untold = { untold: 'signing in and out is of a person, and of no team' }

const ofProcedures = { lines: 'those of the procedures' }
const ofDeployments = { lines: 'those of the deployments that it makes, by whom it acts for' }

/** What changes something beside procedures: each route but those of a GET, as `src/api/server` adds it. */
export const routes: Record<string, Untold | { lines: string }> = {
  'auth/code-page.ts codePagePath': ofSession,
  'auth/forgot-page.ts forgotPath': ofAccount,
  'auth/join-page.ts acceptPath': { lines: 'as teams.acceptInvitation: tried below' },
  'auth/join-page.ts joinPath': { lines: 'as teams.acceptInvitation: tried below' },
  'auth/keep-account.ts keepPath': {
    lines: 'of the teams that an account leaves: invitation-links/proof.test.ts',
  },
  'auth/link-page.ts linkPath': {
    lines: 'of the teams that an account leaves: invitation-links/proof.test.ts',
  },
  'auth/mount-auth.ts {': ofSession,
  'auth/sign-in-page.ts providerPath': ofSession,
  'auth/sign-in-page.ts signInPath': ofSession,
  'auth/sign-in-page.ts signOutPath': ofSession,
  'auth/stop-mails-page.ts stopPath': { untold: 'people choose which mails they get themselves' },
  'calls/rest.ts {': ofProcedures,
  'calls/rpc.ts {': ofProcedures,
  'calls/uploads.ts uploadPath': { untold: 'bytes of files, which nobody sees before a deployment has them' },
  "git/mount-git.ts '/git/:team/:repository/git-receive-pack'": ofDeployments,
  "git/mount-git.ts '/git/:team/:repository/git-upload-pack'": {
    untold: 'refused: nothing is fetched from here',
  },
  'hooks/mount-forge.ts `${forgeHookPath}/:project`': ofDeployments,
  'hooks/mount-hooks.ts `${deployHookPath}/:secret`': ofDeployments,
}

/** The requests of `svc admin`. */
export const ofOperator: Record<AdminRequest, Untold | { says: string }> = {
  createOwnerKey: { says: 'made owner key operator key (svc_…) as the operator' },
  createPersonLink: ofAccount,
  setPlan: { says: 'changed team acme: plan (free → pro) as the operator' },
  sweepBlobs: { untold: 'it moves files that no team has any more' },
  acceptClock: { untold: 'it is about the clock of the machine, and of no team' },
  holdCollection: { untold: 'it holds up the collection of files, and changes nothing of a team' },
  copyDatabase: { untold: 'it copies' },
}
