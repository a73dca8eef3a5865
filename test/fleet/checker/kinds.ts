/** The kinds of operations: which parts of the fleet each needs, and what it does to which register. */
import type { Operation } from '../history/history.ts'
import type { Need } from '../history/lines.ts'

/** A stale read may return what was there a second ago. */
type Access = 'write' | 'read' | 'stale read'

export type Kind = {
  needs: Need[]
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
  deploy: { needs: files, register: 'production', access: 'write' },
  preview: { needs: files },
  promote: { needs: calls, register: 'production', access: 'write' },
  'project.read': { needs: calls, register: 'production', access: 'read' },
  'page.live': { needs: pages, register: 'production', access: 'stale read' },
  /** Of a project that never changes, so edges have it in their caches. */
  'page.steady': {
    needs: ['edge'],
    whenCold: ['database', 'bucket'],
    register: 'production',
    access: 'stale read',
  },
  'page.preview': { needs: pages },
  'key.create': { needs: calls, register: 'key', access: 'write' },
  'key.use': { needs: calls, register: 'key', access: 'stale read' },
  'key.revoke': { needs: calls, register: 'key', access: 'write' },
  'record.set': { needs: calls, register: 'record', access: 'write' },
  'record.read': { needs: calls, register: 'record', access: 'read' },
  'record.query': { needs: ['dns', 'database'], register: 'record', access: 'stale read' },
  /** Of a zone that never changes. */
  'record.query.steady': { needs: ['dns'], whenCold: ['database'], register: 'record', access: 'stale read' },
  'log.read': { needs: calls },
  stranger: { needs: calls },
  'deployments.list': { needs: calls },
  'keys.list': { needs: calls },
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof kinds

/** @throws for a kind that is not in the table. */
export function kindOf({ kind }: Pick<Operation, 'kind'>): Kind {
  const found = Object.entries(kinds).find(([name]) => name === kind)
  if (!found) throw new Error(`There is no kind of operation named ${kind}.`)
  return found[1]
}
