/** Compares the records that a domain needs with those that the last check saw. */
import type { Domain } from './state'

type Value = Domain['expected'][number]

export type Comparison = 'found' | 'missing' | 'different' | 'unneeded' | 'unchecked'

export type ComparedRecord = Value & {
  comparison: Comparison
  /** The values that were seen in its place, with the type where that is another. */
  seen: string[]
}

/** The record that proves ownership. A name below a proven one needs none. */
export function comparedProof(domain: Domain): ComparedRecord[] {
  return domain.verification.map((record) => {
    const there = at(domain, record.name)
    const comparison = there.some((each) => isSame(each, record))
      ? 'found'
      : domain.verified && domain.error?.reason !== 'proof_lost'
        ? 'unneeded'
        : absent(domain, there)
    return compared(record, comparison, there)
  })
}

/** The records that point the domain here. */
export function comparedTargets(domain: Domain): ComparedRecord[] {
  return domain.expected.map((record) => {
    const there = at(domain, record.name)
    if (there.some((each) => isSame(each, record))) return compared(record, 'found', there)
    // Behind an alias, or with some of several addresses, it leads here without this very record.
    if (domain.configured) {
      return compared(record, isAlias(record.type) ? 'found' : 'unneeded', there)
    }
    return compared(record, absent(domain, there.filter(isStray(domain))), there)
  })
}

/** The records at the domain that lead elsewhere and have to be removed. */
export function strayRecords(domain: Domain): Value[] {
  return domain.configured ? [] : at(domain, domain.domain).filter(isStray(domain))
}

function isStray({ expected }: Domain): (seen: Value) => boolean {
  return (seen) => !expected.some((record) => isSame(seen, record))
}

function at({ seen }: Domain, name: string): Value[] {
  return seen.filter((record) => canonical(record.name) === canonical(name))
}

function absent({ checked_ms }: Domain, others: Value[]): Comparison {
  if (checked_ms === null) return 'unchecked'
  return others.length > 0 ? 'different' : 'missing'
}

function compared(record: Value, comparison: Comparison, there: Value[]): ComparedRecord {
  const match = comparison === 'found' ? there.filter((each) => isSame(each, record)) : []
  const seen = match.length > 0 ? match : there
  return {
    ...record,
    comparison,
    seen: seen.map(({ type, value }) => (type === record.type ? value : `${type} ${value}`)),
  }
}

function isSame(one: Value, other: Value): boolean {
  if (one.type !== other.type) return false
  return one.type === 'TXT' ? one.value === other.value : canonical(one.value) === canonical(other.value)
}

const isAlias = (type: string) => type === 'ALIAS' || type === 'CNAME'

const canonical = (name: string) => name.toLowerCase().replace(/\.$/, '')
