/**
 * deploy/compose.yaml is a Compose file by its specification, and starts nothing without secrets of one's
 * own.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { parseEnv } from 'node:util'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const text = readFileSync('deploy/compose.yaml', 'utf8')
const file: unknown = parse(text, { merge: true })

const serviceSchema = z.object({
  image: z.string(),
  environment: z.record(z.string(), z.string()).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  networks: z.union([z.array(z.string()), z.record(z.string(), z.unknown()).transform(Object.keys)]),
  stop_grace_period: z.string().optional(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
})
const { services, volumes, networks } = z
  .object({
    services: z.record(z.string(), serviceSchema),
    volumes: z.record(z.string(), z.unknown()),
    networks: z.record(z.string(), z.unknown()),
  })
  .parse(file)
const all = Object.entries(services)

/** The linter has the schema of the specification; its own rules are of style. */
const schemaFile = join(
  dirname(createRequire(import.meta.url).resolve('dclint/package.json')),
  'schemas/compose.schema.json',
)
const { $schema: _dialect, ...schema } = z
  .record(z.string(), z.unknown())
  .parse(JSON.parse(readFileSync(schemaFile, 'utf8')))
const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)

it('is valid by the schema of the specification, which knows all fields', () => {
  validate(file)
  expect(validate.errors ?? []).toEqual([])
  expect(validate(parse(text.replaceAll('stop_grace_period', 'stop_grace'), { merge: true }))).toBe(false)
})

it('publishes nothing but the ports of Caddy', () => {
  expect(all.filter(([, { ports }]) => ports.length > 0).map(([name]) => name)).toEqual(['caddy'])
})

it('has two nodes with the roles api and edge, a worker, and all stores', () => {
  const roles = all.map(([name, { environment }]) => [name, environment['SVC_ROLES']])
  expect(roles.filter(([, role]) => role)).toEqual([
    ['svc1', 'api,edge'],
    ['svc2', 'api,edge'],
    ['worker', 'worker'],
  ])
  expect(Object.keys(services)).toEqual(expect.arrayContaining(['caddy', 'postgres', 'redis', 'garage']))
})

it('each service waits for healthy ones that exist, and uses only what is declared', () => {
  for (const [name, service] of all) {
    for (const [other, { condition }] of Object.entries(service.depends_on)) {
      expect(condition, name).toBe('service_healthy')
      expect(services[other]?.healthcheck, `${name} waits for ${other}`).toBeDefined()
    }
    const named = service.volumes.map((volume) => volume.split(':')[0] ?? '')
    const undeclared = named.filter((volume) => !volume.startsWith('.') && !(volume in volumes))
    expect([...undeclared, ...service.networks.filter((network) => !(network in networks))]).toEqual([])
  }
})

it('no two nodes share a data directory', () => {
  const places = all.flatMap(([, { volumes: mounted }]) =>
    mounted.filter((each) => each.includes('/var/lib/svc')),
  )
  expect(places).toHaveLength(3)
  expect(new Set(places).size).toBe(3)
})

it('images have versions of their own', () => {
  for (const [name, { image }] of all) expect(image, name).toMatch(/:v?\d+\.\d+/)
})

it('refuses to start without each secret and name, all of which the example leaves empty', () => {
  const used = [...text.matchAll(/\$\{(\w+)(:\?|:-)?/g)].map(([, name = '', how]) => ({ name, how }))
  const required = new Set(used.filter(({ how }) => how === ':?').map(({ name }) => name))
  expect(used.filter(({ how }) => how === undefined)).toEqual([])
  const example = parseEnv(readFileSync('deploy/.env.example', 'utf8'))
  expect(Object.keys(example).sort()).toEqual([...new Set(used.map(({ name }) => name))].sort())
  expect([...required].filter((name) => example[name] !== '')).toEqual([])
  expect([...required]).toEqual(
    expect.arrayContaining([
      'POSTGRES_PASSWORD',
      'REDIS_PASSWORD',
      'S3_SECRET_ACCESS_KEY',
      'SVC_ENCRYPTION_KEY',
    ]),
  )
})

it('a node gets more time to stop than it takes', () => {
  for (const [name, { environment, stop_grace_period: grace = '10s' }] of all) {
    const stopMs = Number(environment['SVC_STOP_MS'] ?? 0)
    expect(Number.parseInt(grace, 10) * 1000, name).toBeGreaterThan(stopMs)
  }
})

it('mounts and builds from files that exist', () => {
  const mounted = all
    .flatMap(([, { volumes: each }]) => each)
    .flatMap((volume) => /^\.[^:]+/.exec(volume) ?? [])
  const built = all.flatMap(([, { build }]) => (build ? [join(build.context, build.dockerfile)] : []))
  for (const path of [...mounted, ...built]) {
    const found = relative('.', join(dirname('deploy/compose.yaml'), path))
    expect(() => readFileSync(found), found).not.toThrow(/ENOENT/)
  }
})
