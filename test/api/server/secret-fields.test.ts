/** Whatever is encrypted or hashed is marked as a secret in each schema that it passes through. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { appRouter } from '../../../src/api/routers/index.ts'
import { endpoints } from '../../../src/api/server/auth/endpoints.ts'
import { createOpenApiDocument } from '../../../src/api/server/openapi/document.ts'
import { definitionsOf } from '../../../src/api/trpc/definition.ts'
import { isRecord } from '../../../src/lib/is-record.ts'
import { asSecret, type Secret, secretField, secretFormat } from '../../../src/lib/secret.ts'
import type { hashToken } from '../../../src/platform/callers/token.ts'
import type { hashPassword } from '../../../src/platform/people/password.ts'
import type { seal } from '../../../src/stores/data-dir/seal.ts'

/** Columns of what is encrypted or hashed, with the fields that their values come from, or leave by. */
const columns: Record<string, string[] | { notOfClients: string }> = {
  'accounts.password_hash': [
    'account.changePassword input current_password',
    'account.changePassword input new_password',
    'account.startSecondFactor input current_password',
    'account.renewRecoveryCodes input current_password',
    'account.stopSecondFactor input current_password',
    'account.startPasskey input current_password',
    'account.removePasskey input current_password',
  ],
  'acme_accounts.key_sealed': { notOfClients: 'made by the node' },
  'api_keys.token_sha256': [
    'tokens.createKey output token',
    'tokens.createLimitedKey output token',
    'teams.put output api_key',
  ],
  'blobs.sha256': { notOfClients: 'a digest of published bytes' },
  'branch_env.sealed': ['projects.put input env[].value'],
  'certificates.key_sealed': ['domains.put input certificate.key'],
  'certificates.order_key_sealed': { notOfClients: 'made by the node' },
  'deploy_hooks.secret_sha256': ['hooks.create output url'],
  'direct_uploads.sha256': { notOfClients: 'a digest of published bytes' },
  'idempotency_keys.input_sha256': { notOfClients: 'a digest of the whole input' },
  'invitation_links.token_sha256': ['invitationLinks.create output url'],
  'own_uploads.sha256': { notOfClients: 'a digest of published bytes' },
  'person_links.token_sha256': { notOfClients: 'mailed, or printed to the operator' },
  'project_env.sealed': ['projects.put input env[].value'],
  'project_repositories.secret_sealed': ['projects.put input git.secret'],
  'project_repositories.token_sealed': ['projects.put input git.token'],
  'projects.bypass_sha256': ['projects.put input bypass_secret'],
  'projects.password_hash': ['projects.put input password'],
  'second_factors.recovery_sha256': [
    'account.confirmSecondFactor output recovery_codes[]',
    'account.renewRecoveryCodes output recovery_codes[]',
    'account.addPasskey output recovery_codes[]',
    'account.confirmSecondFactor input code',
    'account.startSecondFactor input code',
    'account.changePassword input code',
    'account.renewRecoveryCodes input code',
    'account.stopSecondFactor input code',
    'account.startPasskey input code',
    'account.removePasskey input code',
  ],
  'second_factors.secret_sealed': [
    'account.startSecondFactor output secret',
    'account.startSecondFactor output url',
  ],
  'sessions.token_sha256': { notOfClients: 'a cookie, and responses below /auth' },
  'share_links.secret_sha256': ['links.create output url'],
  'spent_challenges.challenge_sha256': { notOfClients: 'a number used once, which proves nothing by itself' },
  'ticket_keys.key_sealed': { notOfClients: 'made by the node' },
  'visit_codes.code_sha256': { notOfClients: 'in the address of a redirect' },
  'visit_codes.nonce_sha256': { notOfClients: 'a cookie' },
  'webhooks.sealed_secret': ['webhooks.create input url', 'webhooks.create output secret'],
}

/** Secrets that no column has. */
const unstored = ['git.inspect input git.token', 'tokens.mint input oidc_token', 'tokens.mint output token']

/** Names that sound like a secret's. */
const telling = /token(?!_type)|secret|password|passphrase|credential|private|(?:^|_)(?:code|pin|otp)s?$/i

type Field = { path: string; isSecret: boolean; isText: boolean }

/** The fields of a schema, each with its path, such as `env[].value`. */
function fieldsOf(schema: unknown, defs: Record<string, unknown>, path = '', within: string[] = []): Field[] {
  if (!isRecord(schema)) return []
  const name = typeof schema.$ref === 'string' ? schema.$ref.replace(/^#.*\//, '') : undefined
  if (name !== undefined) {
    return within.includes(name) ? [] : fieldsOf(defs[name], defs, path, [...within, name])
  }
  const of = (each: unknown, at: string) => fieldsOf(each, defs, at, within)
  const { type, format, anyOf, items, properties, additionalProperties } = schema
  return [
    { path, isSecret: format === secretFormat, isText: type === 'string' },
    ...(Array.isArray(anyOf) ? anyOf.flatMap((each) => of(each, path)) : []),
    ...of(items, `${path}[]`),
    ...of(additionalProperties, `${path}.*`),
    ...Object.entries(isRecord(properties) ? properties : {}).flatMap(([field, each]) =>
      of(each, path === '' ? field : `${path}.${field}`),
    ),
  ]
}

const jsonOf = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $defs = {}, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return fieldsOf(json, $defs)
}

const all = definitionsOf(appRouter).flatMap(({ name, input, output }) =>
  [jsonOf(input, 'input'), jsonOf(output, 'output')].flatMap((fields, index) =>
    fields.map((field) => ({ ...field, path: `${name} ${index === 0 ? 'input' : 'output'} ${field.path}` })),
  ),
)

const pathsOf = (fields: Field[]) => [...new Set(fields.map(({ path }) => path))].sort()
const secrets = pathsOf(all.filter(({ isSecret }) => isSecret))

describe('the fields that are marked', () => {
  it('are those that a column has encrypted or hashed, and secrets of others', () => {
    const known = Object.values(columns).flatMap((fields) => (Array.isArray(fields) ? fields : []))
    expect(secrets).toEqual([...new Set([...known, ...unstored])].sort())
  })

  it('are known for every column that sounds encrypted or hashed', () => {
    const [newest = ''] = readdirSync('drizzle/meta')
      .filter((name) => name.endsWith('_snapshot.json'))
      .sort()
      .reverse()
    const { tables } = z
      .object({ tables: z.record(z.string(), z.object({ columns: z.record(z.string(), z.unknown()) })) })
      .parse(JSON.parse(readFileSync(`drizzle/meta/${newest}`, 'utf8')))
    const found = Object.entries(tables).flatMap(([table, { columns: own }]) =>
      Object.keys(own)
        .filter((name) => /sealed|sha256|_hash$|secret|digest|cipher/.test(name))
        .map((name) => `${table.replace('public.', '')}.${name}`),
    )
    expect(found.sort()).toEqual(Object.keys(columns).sort())
  })

  it('are all texts whose name sounds like a secret', () => {
    const sounding = all.filter(({ path, isText }) => isText && telling.test(path.replace(/^.*[ .]/, '')))
    expect(sounding.length).toBeGreaterThan(20)
    expect(pathsOf(sounding).filter((path) => !secrets.includes(path))).toEqual([])
  })

  it('below /auth, too', () => {
    const found = endpoints.flatMap(({ path, body, output }) =>
      [body && jsonOf(body, 'input'), output && jsonOf(output, 'output')].flatMap((fields = []) =>
        fields.map((field) => ({ ...field, path: `${path} ${field.path}` })),
      ),
    )
    const sounding = found.filter(({ path, isText }) => isText && telling.test(path.replace(/^.*[ .]/, '')))
    expect(sounding.length).toBeGreaterThan(5)
    expect(pathsOf(sounding.filter(({ isSecret }) => !isSecret))).toEqual([])
  })
})

it('a text of no secret field reaches neither encryption nor hashes: it does not compile', () => {
  const input = z.object({ value: z.string(), key: secretField(z.string().nullable().optional()) })
  expectTypeOf<z.output<typeof input>>().toEqualTypeOf<{ value: string; key?: Secret | null | undefined }>()
  expectTypeOf<z.input<typeof input>>().toEqualTypeOf<{ value: string; key?: string | null | undefined }>()
  expectTypeOf<string>().not.toExtend<Parameters<typeof seal>[2]>()
  expectTypeOf<string>().not.toExtend<Parameters<typeof hashToken>[0]>()
  expectTypeOf<string>().not.toExtend<Parameters<typeof hashPassword>[0]>()
  expectTypeOf(asSecret('made')).toExtend<string>()
})

it('only what was made here, or is the credential of a request, becomes a secret by hand', () => {
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && /\basSecret\(/.test(readFileSync(`src/${file}`, 'utf8')),
  )
  expect(found.sort()).toEqual([
    'lib/secret.ts',
    'platform/callers/credential.ts',
    'platform/callers/token.ts',
    'platform/certificates/account.ts',
    'platform/certificates/order-certificate.ts',
    'platform/certificates/ticket-keys.ts',
    'platform/hooks/find-hook.ts',
    'platform/people/adapter-rows.ts',
    'platform/people/better-auth.ts',
    'platform/people/links.ts',
    'platform/people/second-factor/recovery-codes.ts',
    'platform/people/second-factor/totp.ts',
    'platform/people/sessions.ts',
    'platform/teams/invitation-links/find-invitation-link.ts',
    'platform/webhooks/secret.ts',
    'stores/data-dir/seal.ts',
  ])
})

it('no example of the document has a secret', () => {
  const document: unknown = createOpenApiDocument('http://svc.example', '1')
  const schemas = isRecord(document) && isRecord(document.components) ? document.components.schemas : {}
  const values = examplesIn(document).flatMap(({ schema, example }) => {
    const fields = fieldsOf(schema, isRecord(schemas) ? schemas : {})
    const paths = fields.filter(({ isSecret }) => isSecret).map(({ path }) => path)
    return textsIn(example).filter(({ path }) => paths.includes(path))
  })
  expect(values.length).toBeGreaterThan(3)
  const placeholder = /<[^>]+>|^https:\/\/(?:[\w-]+\.)*example\.com(?:\/|$)|^(?:null|)$/
  expect(values.filter(({ text }) => !placeholder.test(text))).toEqual([])
})

/** Each part of a document that has an example beside its schema. */
function examplesIn(part: unknown): { schema: unknown; example: unknown }[] {
  if (Array.isArray(part)) return part.flatMap(examplesIn)
  if (!isRecord(part)) return []
  const { schema, example, examples } = part
  const own = [example, ...(isRecord(examples) ? Object.values(examples) : [])].flatMap((each) =>
    each === undefined ? [] : [{ schema, example: isRecord(each) && 'value' in each ? each.value : each }],
  )
  return [...(schema === undefined ? [] : own), ...Object.values(part).flatMap(examplesIn)]
}

function textsIn(value: unknown, path = ''): { path: string; text: string }[] {
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, `${path}[]`))
  if (!isRecord(value)) return [{ path, text: String(value) }]
  return Object.entries(value).flatMap(([field, each]) =>
    textsIn(each, path === '' ? field : `${path}.${field}`),
  )
}
