import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { appRouter } from '../../../src/api/routers/index.ts'
import { createOpenApiDocument } from '../../../src/api/server/openapi/document.ts'

/** The public REST API, by category: the contract with clients. */
const operations: Record<string, Record<string, string>> = {
  Deployments: {
    'POST /v1/deployments': 'deployments.create',
    'GET /v1/deployments': 'deployments.list',
    'GET /v1/deployments/{deployment}': 'deployments.get',
    'POST /v1/deployments/{deployment}/promote': 'deployments.promote',
    'DELETE /v1/deployments/{deployment}': 'deployments.delete',
  },
  Projects: {
    'GET /v1/projects': 'projects.list',
    'GET /v1/projects/{project}': 'projects.get',
    'PUT /v1/projects/{project}': 'projects.put',
    'DELETE /v1/projects/{project}': 'projects.delete',
  },
  Domains: {
    'GET /v1/domains': 'domains.list',
    'GET /v1/domains/{domain}': 'domains.get',
    'PUT /v1/domains/{domain}': 'domains.put',
    'POST /v1/domains/{domain}/verify': 'domains.verify',
    'DELETE /v1/domains/{domain}': 'domains.delete',
  },
  DNS: {
    'GET /v1/domains/{domain}/records': 'dns.list',
    'POST /v1/domains/{domain}/records': 'dns.create',
    'GET /v1/domains/{domain}/records/{record}': 'dns.get',
    'PUT /v1/domains/{domain}/records/{record}': 'dns.put',
    'DELETE /v1/domains/{domain}/records/{record}': 'dns.delete',
  },
  Webhooks: {
    'GET /v1/webhooks': 'webhooks.list',
    'POST /v1/webhooks': 'webhooks.create',
    'GET /v1/webhooks/{webhook}': 'webhooks.get',
    'DELETE /v1/webhooks/{webhook}': 'webhooks.delete',
  },
  Teams: {
    'GET /v1/teams': 'teams.list',
    'GET /v1/teams/{team}': 'teams.get',
    'PUT /v1/teams/{team}': 'teams.put',
    'DELETE /v1/teams/{team}': 'teams.delete',
  },
  'Tokens & API keys': {
    'POST /v1/apikeys': 'tokens.createKey',
    'GET /v1/apikeys': 'tokens.listKeys',
    'DELETE /v1/apikeys/{key}': 'tokens.revokeKey',
    'POST /v1/token': 'tokens.mint',
  },
  Observability: {
    'GET /v1/overview': 'observability.overview',
    'GET /v1/logs': 'observability.logs',
    'GET /v1/metrics': 'observability.metrics',
  },
}

/** Procedures that only first-party programs call, through RPC. */
const withoutOperation = [
  'account.get',
  'account.update',
  'account.changePassword',
  'account.sessions',
  'account.endSession',
  'account.endOtherSessions',
  'account.proveAddress',
  'account.startSecondFactor',
  'account.confirmSecondFactor',
  'account.renewRecoveryCodes',
  'account.stopSecondFactor',
  'account.passkeys',
  'account.startPasskey',
  'account.addPasskey',
  'account.renamePasskey',
  'account.removePasskey',
  'account.startPasskeyProof',
  'invitationLinks.create',
  'invitationLinks.list',
  'invitationLinks.revoke',
  'links.create',
  'links.list',
  'links.revoke',
  'hooks.create',
  'hooks.list',
  'hooks.revoke',
  'ps.list',
  'ps.restart',
  'trust.create',
  'trust.list',
  'trust.revoke',
  'git.deliveries',
  'git.inspect',
  'git.deploy',
  'git.registerHook',
  'git.retry',
  'git.approve',
  'teams.leaving',
  'teams.requireSecondFactor',
  'tokens.createLimitedKey',
  'tokens.keyDetails',
  'projects.summaries',
  'deployments.files',
  'deployments.compare',
  'deployments.missing',
  'webhooks.deliveries',
  'webhooks.test',
  'dns.check',
  'dns.exportZone',
  'dns.importZone',
  'webhooks.redeliver',
  'webhooks.enable',
  'webhooks.mails',
  'webhooks.subscribe',
  'webhooks.unsubscribe',
  'teams.invitations',
  'teams.acceptInvitation',
  'teams.declineInvitation',
  'events.follow',
]

const procedureSchema = z.object({
  type: z.enum(['query', 'mutation', 'subscription']),
  inputs: z.array(z.instanceof(z.ZodType)).length(1),
  output: z.instanceof(z.ZodType),
})

const definitionSchema = procedureSchema.extend({
  meta: z.object({
    openapi: z.object({
      method: z.enum(['GET', 'PUT', 'POST', 'DELETE']),
      path: z.string(),
      tags: z.array(z.string()).length(1),
      summary: z.string().min(1),
      successDescription: z.string().min(1),
      // The document derives them from the kind of the procedure, and from its reasons.
      errorResponses: z.undefined().optional(),
    }),
  }),
})

const definitions = z.record(
  z.string(),
  z.custom<{ _def: unknown }>((value) => typeof value === 'function' && '_def' in value),
)

const procedures = Object.entries(definitions.parse(appRouter._def.procedures)).map(([name, { _def }]) => ({
  name,
  definition: _def,
}))

describe('the REST API', () => {
  it('is 34 operations in 8 categories', () => {
    const counts = Object.values(operations).map((each) => Object.keys(each).length)
    expect(counts).toEqual([5, 4, 5, 5, 4, 4, 4, 3])
    expect(counts.reduce((sum, each) => sum + each)).toBe(34)
  })

  it('has all of them', () => {
    const names = Object.values(operations).flatMap((each) => Object.values(each))
    const made = procedures.map(({ name }) => name).filter((name) => !withoutOperation.includes(name))
    expect(made.sort()).toEqual(names.sort())
  })

  it('has no other operation', () => {
    const known = new Map(Object.values(operations).flatMap((each) => Object.entries(each)))
    for (const { name, definition } of procedures) {
      if (withoutOperation.includes(name)) continue
      const { method, path, tags } = definitionSchema.parse(definition).meta.openapi
      expect(known.get(`${method} ${path}`)).toBe(name)
      expect(operations[tags[0] ?? '']).toHaveProperty([`${method} ${path}`])
    }
  })

  it('matches the document', () => {
    const { paths = {} } = createOpenApiDocument('https://api.svc.test', '1')
    const documented = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => [
        `${method.toUpperCase()} ${path}`,
        operationId,
      ]),
    )
    const made = procedures.flatMap(({ name, definition }) => {
      const { success, data } = definitionSchema.safeParse(definition)
      return success
        ? [[`${data.meta.openapi.method} ${data.meta.openapi.path}`, name.replace('.', '-')]]
        : []
    })
    expect(documented.sort()).toEqual(made.sort())
  })
})

describe('every procedure', () => {
  it.each(procedures)('$name has one strict input, and an output', ({ definition }) => {
    const { inputs } = procedureSchema.parse(definition)
    const found = inputs[0]?.safeParse({ nonsense: 1 }).error?.issues.map(({ code }) => code)
    expect(found).toContain('unrecognized_keys')
  })

  it.each(procedures.filter(({ name }) => !withoutOperation.includes(name)))(
    '$name has a place in the REST API',
    ({ definition }) => {
      const { type, meta } = definitionSchema.parse(definition)
      expect(type === 'query').toBe(meta.openapi.method === 'GET')
    },
  )
})
