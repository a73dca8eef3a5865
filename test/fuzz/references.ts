/**
 * What calls refer to: resources of the team that come and go while it is called, of another team, and of
 * none.
 */
import fc from 'fast-check'

export const kinds = [
  'project',
  'deployment',
  'domain',
  'record',
  'webhook',
  'team',
  'key',
  'cursor',
  'delivery',
] as const
export type Kind = (typeof kinds)[number]

const sets = ['own', 'foreign', 'gone', 'unknown'] as const

const open = '\u{f0000}'
const close = '\u{f0001}'
const placeholder = new RegExp(`${open}(\\w+):(\\w+):(\\d+)${close}`, 'gu')

/** A placeholder for the zone of the record that is referred to beside it. */
export const zoneOfRecord = `${open}zone${close}`

const recordId = /rec_[0-9a-f]{32}/

const isKind = (text: string): text is Kind => kinds.some((each) => each === text)

/**
 * A placeholder for a reference until its call is sent: the existing resources depend on earlier calls, and
 * the generated values must not, so that a seed always generates the same.
 */
export function reference(kind: Kind): fc.Arbitrary<string> {
  const set = fc.oneof(
    { weight: 10, arbitrary: fc.constant('own') },
    { weight: 2, arbitrary: fc.constantFrom(...sets) },
  )
  return fc
    .tuple(
      fc.oneof(
        { weight: 20, arbitrary: fc.constant(kind) },
        { weight: 1, arbitrary: fc.constantFrom(...kinds) },
      ),
      set,
      fc.nat(999),
    )
    .map(([of, from, pick]) => `${open}${of}:${from}:${pick}${close}`)
}

const prefixes: Record<Kind, string> = {
  project: 'prj',
  deployment: 'dpl',
  domain: 'dom',
  record: 'rec',
  webhook: 'hook',
  team: 'team',
  key: 'key',
  cursor: 'W10',
  delivery: 'dlv',
}

export type Pool = {
  /** `text` with every placeholder replaced; `beside` is where its record is named, if not in itself. */
  resolve(text: string, beside?: string): string
  add(kind: Kind, ...references: string[]): void
  addRecord(id: string, zone: string): void
  addForeign(kind: Kind, ...references: string[]): void
  remove(kind: Kind, reference: string): void
  /** The oldest of the team's own ones beyond `most`, which are no longer its own. */
  surplus(kind: Kind, most: number): string[]
}

/** How many deleted ones are remembered of each kind. */
const mostGone = 50

export function createPool(): Pool {
  const lists = new Map<string, string[]>()
  const listOf = (set: string, kind: Kind): string[] => {
    const key = `${set} ${kind}`
    const list = lists.get(key) ?? []
    lists.set(key, list)
    return list
  }
  const remove = (kind: Kind, reference: string): void => {
    const own = listOf('own', kind)
    const at = own.indexOf(reference)
    if (at === -1) return
    own.splice(at, 1)
    const gone = listOf('gone', kind)
    gone.push(reference)
    if (gone.length > mostGone) gone.shift()
  }
  const zones = new Map<string, string>()
  const replaced = (text: string): string =>
    text.replaceAll(placeholder, (_, kind: string, set: string, pick: string) => {
      if (!isKind(kind)) throw new Error(`There is no kind ${kind}.`)
      const list = listOf(set, kind)
      return list[Number(pick) % list.length] ?? `${prefixes[kind]}_${pick.padStart(32, '0')}`
    })
  const add: Pool['add'] = (kind, ...references) => {
    const own = listOf('own', kind)
    own.push(...references.filter((each) => !own.includes(each)))
  }
  return {
    resolve(text, beside) {
      const resolved = replaced(text)
      const [record = ''] = recordId.exec(beside === undefined ? resolved : replaced(beside)) ?? []
      return resolved.replaceAll(zoneOfRecord, zones.get(record) ?? 'fuzzed-a.com')
    },
    add,
    addRecord(id, zone) {
      zones.set(id, zone)
      add('record', id)
    },
    addForeign: (kind, ...references) => void listOf('foreign', kind).push(...references),
    remove,
    surplus(kind, most) {
      const own = listOf('own', kind)
      const extra = own.slice(0, Math.max(0, own.length - most))
      for (const each of extra) remove(kind, each)
      return extra
    },
  }
}
