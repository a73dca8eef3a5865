/**
 * For every mutation: the lines that it leaves in the audit trail, or why it leaves none. Ids in lines stand
 * as `dpl_…`; `web` is the project, `web.com` the domain, and `acme` the team.
 */
import type { inferRouterInputs } from '@trpc/server'
import type { AppRouter } from '../../../src/api/routers/index.ts'
import { newId } from '../../../src/lib/ids.ts'
import type { AdminRequest } from '../../../src/stores/data-dir/admin-protocol.ts'
import { forgeDeliveries } from '../../../src/stores/db/schema/project-repositories.ts'
import { deliveries } from '../../../src/stores/db/schema/webhooks.ts'
import type { DnsServer } from '../../support/dns-server.ts'
import type { TestNode } from '../../support/node.ts'
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
  says: string[]
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

/** Mutations that leave no line, or one that doesn't say what changed, from what to what. */
export const holes: ProcedureName[] = [
  'domains.put',
  'invitationLinks.create',
  'invitationLinks.revoke',
  'links.create',
  'links.revoke',
  'projects.put',
  'teams.put',
  'webhooks.create',
  'webhooks.delete',
  'webhooks.enable',
  'webhooks.redeliver',
]

const project = ({ project: { name } }: Own) => ({ project: name })
const webhook = ({ webhook: { id } }: Own) => ({ webhook: id })
const domain = ({ domain: { domain: name } }: Own) => ({ domain: name })

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
      input: async (own) => {
        const name = `proven-${own.domain.domain}`
        const { verification } = await own.call('domains.put', { domain: name })
        own.resolver.set(verification[0].name, 'TXT', [verification[0].value])
        return { domain: `proven-${own.domain.domain}` }
      },
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
      says: ['changed record TXT www of web.com'],
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
      says: ['pinged hook_… at https://hooks.example.com/'],
    },
  ],
  'webhooks.subscribe': { untold: 'people choose which mails they get themselves' },
  'webhooks.unsubscribe': { untold: 'people choose which mails they get themselves' },
  'teams.delete': { untold: "the trail is the team's, and goes with it" },
  'teams.requireSecondFactor': [
    {
      input: ({ team }) => ({ team: team.slug, required: true }),
      says: ['changed team acme: second_factor_required'],
    },
  ],
  'teams.acceptInvitation': [{ by: 'person', input: invited, says: ['added ada@example.com as member'] }],
  'teams.declineInvitation': [{ by: 'nobody', input: invited, says: ['removed ada@example.com'] }],
  'tokens.createKey': [{ input: () => ({ name: 'ci' }), says: ['made member key ci (svc_…)'] }],
  'tokens.revokeKey': [{ input: ({ key }) => ({ key: key.id }), says: ['revoked key a key (svc_…)'] }],
  'tokens.mint': { untold: 'the same rights in another form, for hours; what it does leaves lines' },
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
  'git.registerHook': [
    {
      input: async (own) => {
        const git = { url: own.repository, provider: 'github' as const, token: secrets.token }
        await own.call('projects.put', { ...project(own), git })
        return project(own)
      },
      says: ['changed project web: git'],
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
  'auth/mount.ts {': ofSession,
  'auth/sign-in-page.ts providerPath': ofSession,
  'auth/sign-in-page.ts signInPath': ofSession,
  'auth/sign-in-page.ts signOutPath': ofSession,
  'auth/stop-mails-page.ts stopPath': { untold: 'people choose which mails they get themselves' },
  'calls/rest.ts {': ofProcedures,
  'calls/rpc.ts {': ofProcedures,
  'calls/uploads.ts uploadPath': { untold: 'bytes of files, which nobody sees before a deployment has them' },
  "git/mount.ts '/git/:team/:repository/git-receive-pack'": ofDeployments,
  "git/mount.ts '/git/:team/:repository/git-upload-pack'": {
    untold: 'refused: nothing is fetched from here',
  },
  'hooks/mount-forge.ts `${forgeHookPath}/:project`': ofDeployments,
  'hooks/mount.ts `${deployHookPath}/:secret`': ofDeployments,
}

/** The requests of `svc admin`. */
export const ofOperator: Record<AdminRequest, Untold | { says: string }> = {
  createOwnerKey: { untold: 'MISSING: it leaves none yet' },
  createPersonLink: ofAccount,
  setPlan: { untold: 'MISSING: it leaves none yet' },
  sweepBlobs: { untold: 'it moves files that no team has any more' },
  acceptClock: { untold: 'it is about the clock of the machine, and of no team' },
  holdCollection: { untold: 'it holds up the collection of files, and changes nothing of a team' },
  copyDatabase: { untold: 'it copies' },
}
