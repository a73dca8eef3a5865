/** The patterns of what generators, validators and programs with a model read, in other languages too. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMcp, stopMcps } from '../../cli/mcp/client.ts'
import { sharedNode } from '../../support/node.ts'
import { patternsIn, re2Problem } from '../../support/re2.ts'
import { newTeam } from '../../support/team.ts'

const published = new Map<string, [place: string, pattern: string][]>()

beforeAll(async () => {
  const node = await sharedNode()
  const { ownerKey } = await newTeam(node)
  for (const path of ['/openapi.json', '/rpc.json', '/svc.schema.json']) {
    published.set(path, patternsIn(await (await fetch(new URL(path, node.apiUrl))).json()))
  }
  const env = { SVC_URL: node.apiUrl, SVC_TOKEN: ownerKey }
  const { client } = await startMcp({ env, args: ['--write'] })
  const { tools } = await client.listTools()
  published.set('the tools of svc mcp', patternsIn(tools))
})

afterAll(stopMcps)

it.each([
  ['/openapi.json', 10],
  ['/rpc.json', 10],
  // Names are checked by the server alone.
  ['/svc.schema.json', 0],
  ['the tools of svc mcp', 1],
])('%s has no pattern that RE2 does not read', (name, least) => {
  const patterns = published.get(name) ?? []
  expect(patterns.length).toBeGreaterThanOrEqual(least)
  const problems = patterns.map(([place, pattern]) => [place, pattern, re2Problem(pattern)])
  expect(problems.filter(([, , problem]) => problem !== undefined)).toEqual([])
})
