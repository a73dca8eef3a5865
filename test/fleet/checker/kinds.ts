/** The kinds of operations: which parts of the fleet each needs, and what it does to which register. */
import type { Operation } from '../history/history.ts'
import type { Need } from '../history/lines.ts'

/** A stale read may return what was there a second ago. */
type Access = 'write' | 'read' | 'stale read'

/** What clients wait for, as people would name it. */
export const speeds = [
  'API reads',
  'API writes',
  'deployments',
  'sites over HTTP/1.1',
  'sites over HTTP/2',
  'DNS',
  'pushes',
  'events of forges',
] as const
export type Speed = (typeof speeds)[number]

export type Kind = {
  needs: Need[]
  /** Of which it is one. */
  speed?: Speed
  /** Only the load of a run with attacks, or of one with disturbances, has it. */
  only?: 'attacks' | 'disturbances'
  /** How old the value of a stale read may be, in milliseconds, if not a second. */
  staleMs?: number
  /** What else, until the process that answers has it in its cache. */
  whenCold?: Need[]
  /** Operations of one register name and one subject are about the same value. */
  register?: 'production' | 'key' | 'record'
  access?: Access
}

const calls: Need[] = ['api', 'database']
const files: Need[] = [...calls, 'bucket']
const pages: Need[] = ['edge', 'database', 'bucket']

export const kinds = {
  deploy: { speed: 'deployments', needs: files, register: 'production', access: 'write' },
  preview: { speed: 'deployments', needs: files },
  promote: { speed: 'API writes', needs: calls, register: 'production', access: 'write' },
  'project.read': { speed: 'API reads', needs: calls, register: 'production', access: 'read' },
  'page.live': { speed: 'sites over HTTP/1.1', needs: pages, register: 'production', access: 'stale read' },
  /** Of a project that never changes, so edges have it in their caches. */
  'page.steady': {
    speed: 'sites over HTTP/1.1',
    needs: ['edge'],
    whenCold: ['database', 'bucket'],
    register: 'production',
    access: 'stale read',
  },
  /** The answer of a server. After a promote that of the next one is due within a minute. */
  'page.server': {
    needs: pages,
    register: 'production',
    access: 'stale read',
    staleMs: 62_000,
    only: 'disturbances',
  },
  /** Once nothing is disturbed any more, and the next server has long been started. */
  'page.server.rest': { needs: pages, register: 'production', access: 'stale read', only: 'disturbances' },
  /** Of a server that runs, for which an edge needs nothing else. */
  'page.server.steady': {
    needs: ['edge'],
    whenCold: ['database', 'bucket'],
    register: 'production',
    access: 'stale read',
    only: 'disturbances',
  },
  'page.preview': { speed: 'sites over HTTP/1.1', needs: pages },
  'key.create': { speed: 'API writes', needs: calls, register: 'key', access: 'write' },
  'key.use': { speed: 'API reads', needs: calls, register: 'key', access: 'stale read' },
  'key.revoke': { speed: 'API writes', needs: calls, register: 'key', access: 'write' },
  'record.set': { speed: 'API writes', needs: calls, register: 'record', access: 'write' },
  'record.read': { speed: 'API reads', needs: calls, register: 'record', access: 'read' },
  'record.query': { speed: 'DNS', needs: ['dns', 'database'], register: 'record', access: 'stale read' },
  /** Of a zone that never changes. */
  'record.query.steady': {
    speed: 'DNS',
    needs: ['dns'],
    whenCold: ['database'],
    register: 'record',
    access: 'stale read',
  },
  'log.read': { speed: 'API reads', needs: calls },
  stranger: { needs: calls },
  'deployments.list': { needs: calls },
  'keys.list': { needs: calls },
  push: { speed: 'pushes', needs: files, register: 'production', access: 'write', only: 'attacks' },
  'page.http2': {
    speed: 'sites over HTTP/2',
    needs: pages,
    register: 'production',
    access: 'stale read',
    only: 'attacks',
  },
  'event.send': { speed: 'events of forges', needs: calls, only: 'attacks' },
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof kinds

/** Whether a run has operations of the kind. */
export function isInLoad(kind: string, hasAttacks: boolean): boolean {
  const { only } = kindOf({ kind })
  return only === undefined || hasAttacks === (only === 'attacks')
}

/** @throws for a kind that is not in the table. */
export function kindOf({ kind }: Pick<Operation, 'kind'>): Kind {
  const found = Object.entries(kinds).find(([name]) => name === kind)
  if (!found) throw new Error(`There is no kind of operation named ${kind}.`)
  return found[1]
}
