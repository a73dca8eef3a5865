'use client'
/** The records that an import adds, removes, changes and keeps. */
import { useState } from 'react'
import type { Outputs } from '@/lib/api'
import { classNames } from '@/lib/class-names'
import { count, wholeNumber } from '@/lib/format'
import { Button } from '@/ui/button'
import { type DnsRecord, shownValue } from './record-input'

type Changes = Outputs['dns']['importZone']

/** How many records an import touches. */
export function changesOf({ added, removed, changed }: Changes): number {
  return added.length + removed.length + changed.length
}

type Line = { sign: '+' | '−' | '~'; text: string }

type Shown = Pick<DnsRecord, 'name' | 'type' | 'value' | 'strings' | 'ttl' | 'priority' | 'weight' | 'port'>

const lineOf = (record: Shown, ttl = String(record.ttl)) =>
  `${record.name} ${ttl} ${record.type} ${shownValue(record)}`

function linesOf({ added, removed, changed }: Changes): Line[] {
  return [
    ...removed.map((record): Line => ({ sign: '−', text: lineOf(record) })),
    ...added.map((record): Line => ({ sign: '+', text: lineOf(record) })),
    ...changed.map(
      (record): Line => ({ sign: '~', text: lineOf(record, `${record.old_ttl} → ${record.ttl}`) }),
    ),
  ]
}

const colours = { '+': 'bg-good-soft text-good', '−': 'bg-bad-soft text-bad', '~': 'bg-warn-soft text-warn' }
const words = { '+': 'added', '−': 'removed', '~': 'changed' }
const step = 200

export function ZoneDiff({ changes }: { changes: Changes }) {
  const [shown, setShown] = useState(step)
  const lines = linesOf(changes)
  const { added, removed, changed, unchanged } = changes
  return (
    <div className="grid min-w-0 gap-3">
      <p role="status" className="flex flex-wrap gap-x-4 font-medium">
        <span className="text-good">{wholeNumber(added.length)} added</span>
        <span className="text-bad">{wholeNumber(removed.length)} removed</span>
        <span className="text-warn">{wholeNumber(changed.length)} changed</span>
        <span className="text-dim">{wholeNumber(unchanged)} kept</span>
      </p>
      {lines.length > 0 && (
        <ul
          aria-label="Changes"
          className="max-h-[40vh] overflow-y-auto rounded-md border border-line font-mono text-xs"
        >
          {lines.slice(0, shown).map(({ sign, text }) => (
            <li key={`${sign} ${text}`} className={classNames('flex gap-2 px-2 py-0.5', colours[sign])}>
              <span aria-hidden="true">{sign}</span>
              <span className="sr-only">{words[sign]}</span>
              <span className="break-all text-text">{text}</span>
            </li>
          ))}
          {lines.length > shown && (
            <li className="p-2">
              <Button look="quiet" onClick={() => setShown(shown + step)}>
                Show {count(Math.min(step, lines.length - shown), 'more change')}
              </Button>
            </li>
          )}
        </ul>
      )}
      <Notes title="Skipped" notes={changes.skipped} />
      <Notes title="Adjusted" notes={changes.adjusted} />
    </div>
  )
}

function Notes({ title, notes }: { title: string; notes: Changes['skipped'] }) {
  if (notes.length === 0) return null
  return (
    <details>
      <summary className="font-medium">
        {title}: {count(notes.length, 'line')}
      </summary>
      <ul className="mt-1 max-h-40 overflow-y-auto pl-4 text-dim">
        {notes.map(({ line, message }) => (
          <li key={`${line} ${message}`} className="break-words">
            line {line}: {message}
          </li>
        ))}
      </ul>
    </details>
  )
}
