/** An example of each operation in the OpenAPI document; the types check them against the schemas. */
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../routers/index.ts'

type Inputs = inferRouterInputs<AppRouter>
type Outputs = inferRouterOutputs<AppRouter>

const project: Outputs['projects']['get'] = {
  id: 'prj_019aa5d3c80062f17c2f0b9e4d7a8c31',
  name: 'web',
  build: { install_command: null, build_command: null, output_directory: 'dist', root_directory: '.' },
  env: [{ key: 'API_BASE', target: ['production', 'preview'], updated_ms: 1_790_000_000_000 }],
  protection: 'preview',
  bypass_set: false,
  auto_promote: true,
  preview_ttl_days: 30,
  spa: false,
  hsts: false,
  production_url: 'https://web.svc.site',
  production_deployment: 'dpl_019aa5d3d1c0a4b2f60d93c2e8175b64',
  domains: ['www.example.com'],
  created_ms: 1_790_000_000_000,
  updated_ms: 1_790_000_000_000,
}

const deployment: Outputs['deployments']['create'] = {
  id: 'dpl_019aa5d3d1c0a4b2f60d93c2e8175b64',
  project: 'web',
  target: 'production',
  state: 'ready',
  url: 'https://web-5e1f0a9c37d2.svc.site',
  aliases: ['https://web.svc.site'],
  live: true,
  live_since_ms: 1_790_000_002_000,
  rollback_candidate: false,
  queue_position: null,
  build: project.build,
  error: null,
  files: 2,
  bytes: 1_742,
  meta: { branch: 'main', commit: '4f0c2d1' },
  created_by: 'usr_019aa5d3a0507e3b1d8c64f2a9b05c17',
  created_ms: 1_790_000_002_000,
  building_ms: null,
  ready_ms: 1_790_000_002_000,
  ended_ms: 1_790_000_002_000,
  expires_ms: null,
}

const key: Outputs['tokens']['listKeys']['data'][number] = {
  id: 'key_019aa5d3b3208fd4e7a15c60b2938d4e',
  name: 'deploy from CI',
  prefix: 'svc_Ab3dE6…',
  team: 'personal',
  role: 'member',
  created_ms: 1_790_000_000_000,
  last_used_ms: 0,
}

const createKey: Inputs['tokens']['createKey'] = { name: 'deploy from CI', role: 'member' }

const createDeployment: Inputs['deployments']['create'] = {
  project: 'web',
  target: 'production',
  files: [
    { path: 'index.html', content: '<!doctype html><h1>Hello</h1>' },
    {
      path: 'logo.png',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      size: 1_713,
    },
  ],
  meta: { branch: 'main', commit: '4f0c2d1' },
}

const putProject: Omit<Inputs['projects']['put'], 'project'> = {
  protection: 'preview',
  env: [{ key: 'API_BASE', value: 'https://api.example.com' }],
  preview_ttl_days: 30,
}

const domain: Outputs['domains']['get'] = {
  id: 'dom_019aa5d3e4a1b07c92d85f3e6a0b1c47',
  domain: 'www.example.com',
  project: 'web',
  redirect: null,
  verified: true,
  verification: [
    {
      type: 'TXT',
      name: '_svc.www.example.com',
      value: 'svc-verify=5yWg2mZ0cR8hN4tQvK1uXs7bLpE9dJfA3oTiYx6HwGM',
    },
  ],
  configured: true,
  expected: [{ type: 'CNAME', name: 'www.example.com', value: 'edge.svc.site' }],
  seen: [{ type: 'CNAME', name: 'www.example.com', value: 'edge.svc.site' }],
  error: null,
  tls: { state: 'active', not_after_ms: 1_793_888_060_000, error: null, own: false },
  nameservers: ['ns1.svc.site', 'ns2.svc.site'],
  created_ms: 1_790_000_000_000,
  verified_ms: 1_790_000_060_000,
  checked_ms: 1_790_000_060_000,
  next_check_ms: 1_790_086_460_000,
}

const putDomain: Omit<Inputs['domains']['put'], 'domain'> = { project: 'web' }

const record: Outputs['dns']['get'] = {
  id: 'rec_019aa5d3e5b07c1f2d4a6980b3c5e7f1',
  domain: 'example.com',
  name: '@',
  fqdn: 'example.com',
  type: 'MX',
  value: 'mail.example.com',
  ttl: 300,
  priority: 10,
  weight: null,
  port: null,
  comment: 'our own server',
  managed: false,
  created_ms: 1_790_000_000_000,
  updated_ms: 1_790_000_000_000,
}

const createRecord: Omit<Inputs['dns']['create'], 'domain'> = {
  name: '@',
  type: 'MX',
  value: 'mail.example.com',
  priority: 10,
  comment: 'our own server',
}

const team: Outputs['teams']['list']['data'][number] = {
  id: 'team_019aa5d3a2b1c6e07f48d39b5a1c2e60',
  slug: 'acme',
  name: 'Acme',
  plan: 'free',
  personal: false,
  role: 'owner',
  created_ms: 1_790_000_000_000,
}

const teamDetails: Outputs['teams']['get'] = {
  ...team,
  members: [
    { email: 'ada@example.com', name: 'Ada', role: 'owner', joined_ms: 1_790_000_000_000 },
    { email: 'grace@example.com', name: null, role: 'member', joined_ms: null },
  ],
  updated_ms: 1_790_000_001_000,
}

const putTeam: Omit<Inputs['teams']['put'], 'team'> = {
  name: 'Acme',
  members: [
    { email: 'ada@example.com', role: 'owner' },
    { email: 'grace@example.com', role: 'member' },
  ],
}

const webhook: Outputs['webhooks']['list']['data'][number] = {
  id: 'hook_019aa5d3e5b07c8d91f2a6430b7de158',
  url: 'https://example.com/webhooks',
  events: ['deployment.ready', 'deployment.error'],
  projects: ['web'],
  enabled: true,
  disabled_reason: null,
  failing_since_ms: null,
  created_ms: 1_790_000_000_000,
  last_delivery_ms: 1_790_000_002_100,
}

const createWebhook: Inputs['webhooks']['create'] = {
  url: webhook.url,
  events: ['deployment.ready', 'deployment.error'],
  projects: ['web'],
}

const delivery: Outputs['webhooks']['get']['deliveries'][number] = {
  id: 'dlv_6f1d0c5be2a94873b1c7e0589adf3426',
  event: 'evt_019aa5d3d2f41b6c80a95e7d3f2c4816',
  status: 'delivered',
  http_status: 200,
  attempts: 1,
  duration_ms: 42,
  next_attempt_ms: null,
  error: null,
  created_ms: 1_790_000_002_000,
}

const overview: Outputs['observability']['overview'] = {
  team: 'acme',
  plan: 'free',
  projects: 1,
  deployments: { total: 1, by_state: { queued: 0, building: 0, ready: 1, error: 0, canceled: 0 } },
  domains: { total: 1, verified: 1 },
  webhooks: 1,
  requests_24h: 48_210,
  bytes_24h: 612_448_031,
  errors_24h: 2,
  recent_deployments: [deployment],
  credential: { kind: 'key', prefix: key.prefix, role: 'owner', expires_ms: null },
  rate_limit: { per_second: 20, burst: 100, remaining: 99 },
  storage: { used_bytes: 81_920_400, limit_bytes: 1_073_741_824 },
}

const metrics: Outputs['observability']['metrics'] = {
  metric: 'latency_p95',
  unit: 'ms',
  step_ms: 300_000,
  points: [
    [1_790_000_100_000, 1.284],
    [1_790_000_400_000, null],
  ],
}

const logLine: Outputs['observability']['logs']['data'][number] = {
  id: 'evt_019aa5d3e6c1a4b2f60d93c2e8175b64',
  time_ms: 1_790_000_003_000,
  kind: 'audit',
  level: 'info',
  message: `promoted ${deployment.id} to production of web`,
  project: 'web',
  deployment: deployment.id,
  fields: {
    type: 'deployment.promoted',
    actor: deployment.created_by,
    key: key.id,
    address: '203.0.113.9',
    request_id: 'req_019aa5d3e6c0b7d1e2f3a4b5c6d7e8f9',
    data: { previous: null, rollback: false },
  },
}

const mintedToken: Outputs['tokens']['mint'] = {
  token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6InN2Yytqd3QifQ.<claims>.<signature>',
  token_type: 'Bearer',
  team: 'personal',
  role: 'member',
  expires_ms: 1_790_028_800_000,
}

type Example = { request?: unknown; response: unknown }

/** By operation id. */
export const examples = new Map<string, Example>([
  ['deployments-create', { request: createDeployment, response: deployment }],
  ['deployments-list', { response: { data: [deployment], next_cursor: null } }],
  ['deployments-get', { response: deployment }],
  ['deployments-promote', { response: deployment }],
  ['deployments-delete', { response: { id: deployment.id, deleted: true } }],
  ['projects-list', { response: { data: [project], next_cursor: null } }],
  ['projects-get', { response: project }],
  ['projects-put', { request: putProject, response: project }],
  ['projects-delete', { response: { id: project.id, deleted: true } }],
  ['domains-list', { response: { data: [domain], next_cursor: null } }],
  ['domains-get', { response: domain }],
  ['domains-put', { request: putDomain, response: domain }],
  ['domains-delete', { response: { id: domain.id, deleted: true } }],
  ['dns-list', { response: { data: [record], next_cursor: null } }],
  ['dns-create', { request: createRecord, response: record }],
  ['dns-get', { response: record }],
  [
    'dns-put',
    {
      request: { value: 'mx.example.com', ttl: 3_600 },
      response: { ...record, value: 'mx.example.com', ttl: 3_600 },
    },
  ],
  ['dns-delete', { response: { id: record.id, deleted: true } }],
  ['domains-verify', { response: domain }],
  ['webhooks-list', { response: { data: [webhook], next_cursor: null } }],
  [
    'webhooks-create',
    { request: createWebhook, response: { ...webhook, secret: 'whsec_<32 bytes in base64>' } },
  ],
  ['webhooks-get', { response: { ...webhook, deliveries: [delivery] } }],
  ['webhooks-delete', { response: { id: webhook.id, deleted: true } }],
  ['teams-list', { response: { data: [team], next_cursor: null } }],
  ['teams-get', { response: teamDetails }],
  ['teams-put', { request: putTeam, response: teamDetails }],
  ['teams-delete', { response: { id: team.id, deleted: true } }],
  ['observability-overview', { response: overview }],
  ['observability-metrics', { response: metrics }],
  ['observability-logs', { response: { data: [logLine], next_cursor: null } }],
  [
    'tokens-createKey',
    { request: createKey, response: { ...key, token: 'svc_<32 characters><6 characters checksum>' } },
  ],
  ['tokens-listKeys', { response: { data: [key], next_cursor: null } }],
  ['tokens-mint', { request: {}, response: mintedToken }],
  ['tokens-revokeKey', { response: { id: key.id, deleted: true } }],
])
