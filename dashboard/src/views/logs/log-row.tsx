'use client'
/** A line of the log. */
import { classNames } from '@/lib/class-names'
import type { LogLine } from '@/lib/follow-logs'
import { clockTime, exactTime } from '@/lib/format'
import { textOf } from './text-of'

const tones: Record<string, string> = {
  error: 'text-bad',
  warn: 'text-warn',
  info: 'text-dim',
  debug: 'text-dim',
}

export function LogRow({ line, onOpen }: { line: LogLine; onOpen: () => void }) {
  const { time_ms, level, kind, project } = line
  return (
    <button
      type="button"
      onClick={onOpen}
      className={classNames(
        'flex h-8 w-full items-center gap-3 px-3 text-left font-mono text-xs hover:bg-sunken',
        level === 'error' && 'bg-bad-soft',
      )}
    >
      <time
        dateTime={new Date(time_ms).toISOString()}
        title={exactTime(time_ms)}
        className="shrink-0 text-dim"
      >
        {clockTime(time_ms)}
      </time>
      <span className={classNames('w-10 shrink-0', tones[level])}>{level}</span>
      <span className="w-14 shrink-0 text-dim max-sm:hidden">{kind}</span>
      <span className="w-28 shrink-0 truncate text-dim max-md:hidden">{project}</span>
      <span className="min-w-0 flex-1 truncate">{textOf(line)}</span>
    </button>
  )
}
