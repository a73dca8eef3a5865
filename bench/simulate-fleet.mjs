/**
 * `node bench/simulate-fleet.mjs`: a fleet of 100 edges under 1, 10, 100 and 1,000 times a load, from
 * measured costs. Prints the tables of docs/scaling.md.
 */
import { simulateEdge } from './edge-model.mjs'

/** Simulated ones of the edges, which are all alike. */
const sampled = 5
const edges = 100
const seconds = 10

/** How popularity falls with rank: between what is published of sites (0.7) and of pages (1). */
const skew = 0.9

/** The load once, in a second; `sites` grow with it. */
const once = {
  requests: 1_000,
  sites: 10_000,
  calls: 50,
  deployments: 0.1,
  filesOfDeployment: 20,
  webhooks: 1,
}
const factors = [1, 10, 100, 1_000]

/**
 * Microseconds of processor time: an edge's, a call's and a delivery's from RESULTS.md, others from
 * database-costs.mjs.
 */
const microseconds = {
  edge: { request: 15, forgetOfAll: 670 },
  api: { call: 60, deployment: 3_800, file: 210, webhook: 68 },
  postgres: {
    lookUp: 17,
    manifest: 58,
    countRow: 23,
    line: 18,
    call: 40,
    deployment: 2_700,
    file: 82,
    commit: 30,
    listener: 4.8,
  },
}
const megabytesOfConnection = 3.9
const connectionsOfNode = { least: 3, most: 12 }
const bytesOfLine = 720
/** Changes that a deployment announces to all nodes. */
const changesOfDeployment = 2
/** An API node is to be busy for at most this share of a core. */
const usableShare = 0.5

/**
 * What one machine of each kind can be: PostgreSQL's default connections, cores, shares of an event loop, a
 * disk.
 */
const limits = { connections: 100, postgresCores: 16, edgeShare: 0.7, forgetShare: 0.05, logGigabytes: 1_000 }

/** The load balancer gives requests to any edge, or all of a host to one. */
const rows = factors.map((factor) => simulate(factor, 'any'))
const byHost = factors.map((factor) => simulate(factor, 'by host'))
printTable('Load', [
  ['requests to sites in a second', ({ requests }) => whole(requests)],
  ['sites', ({ sites }) => whole(sites)],
  ['API calls in a second', ({ calls }) => whole(calls)],
  ['deployments in an hour', ({ deployments }) => whole(deployments * 3_600)],
])
printTable('Edges', [
  ['requests that find their site in memory', ({ edge }) => percent(1 - edge.waits / edge.requests)],
  ['look-ups of sites for 100 requests', ({ edge }) => whole((100 * edge.lookUps) / edge.requests)],
  ['share of a core for requests, each edge', ({ edgeShare }) => percent(edgeShare)],
  ['and for forgetting what changes', ({ forgetShare }) => percent(forgetShare)],
  ['requests whose manifest is not in memory', ({ edge }) => percent(edge.manifests / edge.requests)],
  ['requests whose file is not on the edge’s disk', ({ edge }) => percent(edge.fetched / edge.requests)],
])
printTable('PostgreSQL, cores in use', [
  ['look-ups of sites', ({ cores }) => tenths(cores.lookUps)],
  ['manifests', ({ cores }) => tenths(cores.manifests)],
  ['counts of traffic', ({ cores }) => tenths(cores.counts)],
  ['lines of the request log', ({ cores }) => tenths(cores.lines)],
  ['API calls and deployments', ({ cores }) => tenths(cores.calls)],
  ['notifications', ({ cores }) => tenths(cores.notifications)],
  ['in all', ({ cores }) => tenths(sum(cores))],
])
printTable(
  'Edges chosen by host',
  [
    ['requests that find their site in memory', ({ edge }) => percent(1 - edge.waits / edge.requests)],
    ['requests whose file is not on the edge’s disk', ({ edge }) => percent(edge.fetched / edge.requests)],
    ['PostgreSQL, cores in use', ({ cores }) => tenths(sum(cores))],
    ['breaks first', breaksFirst],
  ],
  byHost,
)
printTable('Other', [
  ['nodes with api or worker, of a core', ({ apiNodes }) => whole(apiNodes)],
  ['connections, at least – at most', ({ nodes }) => range(nodes)],
  [
    'memory for them, at most, GB',
    ({ nodes }) => tenths((nodes * connectionsOfNode.most * megabytesOfConnection) / 1_024),
  ],
  ['request log in 3 days, GB', ({ logGigabytes }) => whole(logGigabytes)],
  ['breaks first', breaksFirst],
])

function simulate(factor, choice) {
  const { requests, sites, calls, deployments, filesOfDeployment, webhooks } = once
  const load = { requests, sites, calls, deployments, webhooks }
  const of = Object.fromEntries(Object.entries(load).map(([name, amount]) => [name, amount * factor]))
  const changes = of.deployments * changesOfDeployment
  const edge = meanOfEdges({
    skew,
    seconds,
    requestsPerSecond: of.requests / edges,
    sites: choice === 'any' ? of.sites : of.sites / edges,
    changesPerSecond: choice === 'any' ? changes : changes / edges,
  })
  const { api, postgres } = microseconds
  const ofDeployment = ({ deployment, file }) => deployment + filesOfDeployment * file
  const busy = of.calls * api.call + of.deployments * ofDeployment(api) + of.webhooks * api.webhook
  // Two, so that one may fail.
  const apiNodes = Math.max(2, Math.ceil(busy / 1e6 / usableShare))
  const nodes = edges + apiNodes
  const cores = {
    lookUps: (edges * edge.lookUps * postgres.lookUp) / 1e6,
    manifests: (edges * edge.manifests * postgres.manifest) / 1e6,
    counts: (edges * edge.rows * postgres.countRow) / 1e6,
    lines: (edges * edge.lines * postgres.line) / 1e6,
    calls: (of.calls * postgres.call + of.deployments * ofDeployment(postgres)) / 1e6,
    notifications: (changes * (postgres.commit + nodes * postgres.listener)) / 1e6,
  }
  return {
    factor,
    ...of,
    edge,
    cores,
    apiNodes,
    nodes,
    edgeShare: (edge.requests * microseconds.edge.request) / 1e6,
    forgetShare: (changes * microseconds.edge.forgetOfAll) / 1e6,
    logGigabytes: (edges * edge.lines * bytesOfLine * 3 * 86_400) / 1e9,
  }
}

function meanOfEdges(options) {
  const all = Array.from({ length: sampled }, (_, at) => simulateEdge({ ...options, seed: at + 1 }))
  const names = Object.keys(all[0])
  return Object.fromEntries(
    names.map((name) => [name, all.reduce((total, each) => total + each[name], 0) / sampled]),
  )
}

/** What is furthest beyond what one machine can be; the rest that is beyond it after that. */
function breaksFirst({ nodes, cores, edgeShare, forgetShare, logGigabytes }) {
  const used = {
    'PostgreSQL’s default of 100 connections': (nodes * connectionsOfNode.least) / limits.connections,
    'PostgreSQL’s processor': sum(cores) / limits.postgresCores,
    'edges’ processor': edgeShare / limits.edgeShare,
    'forgetting of changes': forgetShare / limits.forgetShare,
    'size of the request log': logGigabytes / limits.logGigabytes,
  }
  const beyond = Object.entries(used).filter(([, share]) => share > 1)
  return (
    beyond
      .sort(([, a], [, b]) => b - a)
      .map(([name, share]) => `${name} (${tenths(share)} ×)`)
      .join(', ') || 'nothing'
  )
}

function printTable(title, lines, columns = rows) {
  console.log(`\n| ${title} | ${factors.map((factor) => `${whole(factor)} ×`).join(' | ')} |`)
  console.log(`|---|${factors.map(() => '--:|').join('')}`)
  for (const [name, text] of lines) console.log(`| ${name} | ${columns.map(text).join(' | ')} |`)
}

function sum(cores) {
  return Object.values(cores).reduce((total, each) => total + each, 0)
}

function range(nodes) {
  return `${whole(nodes * connectionsOfNode.least)} – ${whole(nodes * connectionsOfNode.most)}`
}

function whole(value) {
  return Math.round(value).toLocaleString('en')
}

function tenths(value) {
  return value < 0.05 ? '0.0' : Number(value.toFixed(1)).toLocaleString('en')
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`
}
