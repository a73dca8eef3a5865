/** The records that a domain needs, beside what the last check saw. */
import type { ReactNode } from 'react'
import { Badge, type Tone } from '@/ui/badge'
import { Copyable } from '@/ui/copy'
import { Cell, Row, Table } from '@/ui/table'
import type { ComparedRecord, Comparison } from './compare'
import type { Domain } from './state'

const words: Record<Comparison, { tone: Tone; word: string }> = {
  found: { tone: 'good', word: 'Found' },
  missing: { tone: 'warn', word: 'Missing' },
  different: { tone: 'bad', word: 'Different' },
  unneeded: { tone: 'neutral', word: 'Not needed' },
  unchecked: { tone: 'neutral', word: 'Not checked' },
}

type ExpectedRecordsProps = {
  label: string
  records: ComparedRecord[]
  /** The records that have to be removed. */
  strays?: Domain['seen']
}

export function ExpectedRecords({ label, records, strays = [] }: ExpectedRecordsProps) {
  return (
    <Table label={label} columns={['Type', 'Name', 'Value', 'Seen', 'State']}>
      {records.map(({ type, name, value, seen, comparison }) => (
        <Row key={`${type} ${name} ${value}`}>
          <Cell>
            <Copyable text={type} label="Copy the type" />
          </Cell>
          <Cell className="sm:w-1/4 sm:max-w-0">
            <Copyable text={name} label="Copy the name" />
          </Cell>
          <Cell className="sm:w-1/3 sm:max-w-0">
            <Copyable text={value} label="Copy the value" />
          </Cell>
          <Cell className="sm:w-1/4 sm:max-w-0">
            <Seen>{seen.length > 0 ? seen.join(', ') : 'nothing'}</Seen>
          </Cell>
          <Cell>
            <Badge tone={words[comparison].tone}>{words[comparison].word}</Badge>
          </Cell>
        </Row>
      ))}
      {strays.map(({ type, name, value }) => (
        <Row key={`seen ${type} ${name} ${value}`}>
          <Cell>
            <code className="font-mono text-xs">{type}</code>
          </Cell>
          <Cell className="sm:w-1/4 sm:max-w-0">
            <Copyable text={name} label="Copy the name" />
          </Cell>
          <Cell className="text-dim sm:w-1/3 sm:max-w-0">Not expected: remove it</Cell>
          <Cell className="sm:w-1/4 sm:max-w-0">
            <Seen>{value}</Seen>
          </Cell>
          <Cell>
            <Badge tone="bad">Remove</Badge>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

function Seen({ children }: { children: ReactNode }) {
  return <span className="line-clamp-2 break-all text-dim">{children}</span>
}
