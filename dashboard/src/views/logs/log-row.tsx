'use client'
/** A line of the log: that of a request in columns, others as text. */
import { memo } from 'react'
import { classNames } from '@/lib/class-names'
import type { LogLine } from '@/lib/follow-logs'
import { clockTime, exactTime } from '@/lib/format'
import { milliseconds, requestOf, toneOf } from './request-of'
import { textOf } from './text-of'

const tones: Record<string, string> = {
  error: 'text-bad',
  warn: 'text-warn',
  info: 'text-dim',
  debug: 'text-dim',
}

/** The height of a row, in pixels: on a phone it has two lines. */
export const rowHeights = { wide: 32, narrow: 52 }

/** On a phone: the first line has all but the path, or the text, which is the second one. */
const columns =
  'grid w-full items-center gap-x-3 px-3 ' +
  'max-md:grid-cols-[auto_auto_auto_1fr] max-md:content-center ' +
  'md:grid-cols-[9.5rem_3.5rem_4rem_minmax(0,10rem)_minmax(0,1fr)_5rem] ' +
  'xl:grid-cols-[9.5rem_3.5rem_4rem_minmax(0,14rem)_minmax(0,1fr)_5rem_9.5rem]'

const second = 'max-md:order-last max-md:col-span-4'

type LogRowProps = { line: LogLine; onOpen: (id: string) => void }

/** Drawn again only where its line is another one: there are dozens. */
export const LogRow = memo(function LogRow({ line, onOpen }: LogRowProps) {
  const { time_ms, level } = line
  const request = requestOf(line)
  return (
    <button
      type="button"
      onClick={() => onOpen(line.id)}
      className={classNames(
        columns,
        'h-full text-left font-mono text-sm hover:bg-sunken',
        level === 'error' && 'bg-bad-soft',
      )}
    >
      <time
        dateTime={new Date(time_ms).toISOString()}
        // Not before it is wanted: to write it for each line takes long.
        onPointerEnter={({ currentTarget }) => {
          currentTarget.title = exactTime(time_ms)
        }}
        className="truncate text-dim"
      >
        {clockTime(time_ms)}
      </time>{' '}
      {request ? (
        <>
          <span className={classNames('font-semibold', toneOf(request.status))}>{request.status}</span>{' '}
          <span className="truncate">{request.method}</span>{' '}
          <span className="truncate text-dim max-md:hidden" title={request.host}>
            {request.host}
          </span>{' '}
          <span className={classNames('truncate', second)} title={request.path}>
            <span className="text-dim md:hidden">{request.host}</span>
            {request.path}
          </span>{' '}
          <span className="truncate text-right text-dim">
            {request.durationMs !== undefined && milliseconds(request.durationMs)}
          </span>{' '}
          <span className="truncate text-dim max-xl:hidden" title="The client's network">
            {request.address}
          </span>
        </>
      ) : (
        <>
          <span className={tones[level]}>{level}</span> <span className="text-dim">{line.kind}</span>{' '}
          <span className="truncate text-dim">{line.project}</span>{' '}
          <span className={classNames('truncate md:col-span-2 xl:col-span-3', second)}>{textOf(line)}</span>
        </>
      )}
    </button>
  )
})

/** The names of the columns, where they stand in one line; each line names itself for screen readers. */
export function LogHead() {
  return (
    <div aria-hidden="true" className={classNames(columns, 'mb-1 text-dim text-sm max-md:hidden')}>
      <span>Time</span>
      <span>Status</span>
      <span>Method</span>
      <span>Host</span>
      <span>Path or text</span>
      <span className="text-right">Duration</span>
      <span className="max-xl:hidden">Client</span>
    </div>
  )
}
