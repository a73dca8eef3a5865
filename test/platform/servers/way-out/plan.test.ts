/** The network of a server, by the settings of its project. */
import { expect, it } from 'vitest'
import { initialRuntime } from '../../../../src/platform/projects/describe-fields.ts'
import {
  planNetwork,
  reachedPorts,
  reachOf,
  withoutRoute,
} from '../../../../src/platform/servers/way-out/plan.ts'
import type { RuntimeSettings } from '../../../../src/stores/db/schema/projects.ts'

const web: RuntimeSettings = { ...initialRuntime, network: 'web', ports: [22] }
const tcp = { network: 'tcp', ports: [6379, 443, 5432, 5432] } as const

it('there is none at first, and none for what somebody outside the team wrote', () => {
  expect(reachOf(initialRuntime, false)).toBeUndefined()
  expect(reachOf(web, true)).toBeUndefined()
  expect(reachOf(web, false)).toEqual({ network: 'web', ports: [22] })
})

it('has the ports of the web, and with `tcp` those that are named', () => {
  expect(reachedPorts({ network: 'web', ports: [22] })).toEqual([80, 443])
  expect(reachedPorts(tcp)).toEqual([80, 443, 5432, 6379])
})

it('a route has a listener for each port, and a name server; without one there is a proxy', () => {
  const routed = planNetwork(tcp, true)
  expect(routed.listeners.map(({ protocol, port }) => `${protocol} ${port}`)).toEqual([
    'tcp 80',
    'tcp 443',
    'tcp 5432',
    'tcp 6379',
    'udp 53',
  ])
  expect(routed).toMatchObject({ env: {}, resolvers: 'nameserver 127.0.0.1\n' })
  const proxied = planNetwork(tcp, false)
  expect(proxied.listeners).toEqual([{ protocol: 'tcp', address: '127.0.0.1', port: 3128 }])
  expect(proxied.env).toMatchObject({ https_proxy: 'http://127.0.0.1:3128', NODE_USE_ENV_PROXY: '1' })
})

it('says without a route which clients, and which ports, are out of reach', () => {
  expect(withoutRoute({ network: 'web', ports: [] }, '24.11.0')).toMatch(
    /`fetch` and `node:https` among them\.$/,
  )
  expect(withoutRoute({ network: 'web', ports: [] }, '20.20.2')).toMatch(
    /`fetch`, `node:http` and `node:https` do not\.$/,
  )
  expect(withoutRoute(tcp, '24.11.0')).toContain('The ports 6379, 443, 5432, 5432 are out of reach')
})
