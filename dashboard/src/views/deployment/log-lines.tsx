'use client'
/** The lines of a log in a box of their own: follows the end until one scrolls up. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { classNames } from '@/lib/class-names'
import { exactTime } from '@/lib/format'
import { Button } from '@/ui/button'
import { plainText } from './plain-text'

const lineHeight = 20

/** Above the first line, and below the last one. */
const padding = 8

/** A line of a log as far as it is shown. */
type Written = { message: string; level: string; time_ms: number }

type Line = { number: number; text: string; level: string; timeMs: number }

type LogLinesProps = {
  lines: Written[]
  /** Lines without it are left out. */
  search: string
  /** The name of the log, for screen readers. */
  label: string
}

/** A box with the lines of a log, in the order of their times. */
export function LogLines({ lines, search, label }: LogLinesProps) {
  const box = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const [current, setCurrent] = useState(0)
  const isMoving = useRef(false)
  const shown = useMemo(() => matching(lines, search), [lines, search])
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    overscan: 30,
  })

  // Positions are set here and not by the virtualizer, which repeats its own for a while: a key that is
  // pressed meanwhile would lose the focus with the line that it led to.
  useEffect(() => {
    const element = box.current
    const linked = /^#L(\d+)$/.exec(location.hash)?.[1]
    if (!element) return
    if (linked !== undefined && shown.length >= Number(linked)) {
      setAtEnd(false)
      element.scrollTop = (Number(linked) - 1) * lineHeight - element.clientHeight / 2
    } else if (isAtEnd) element.scrollTop = element.scrollHeight
  }, [shown.length, isAtEnd])

  const drawn = virtualizer.getVirtualItems()
  const last = drawn.at(-1)?.index
  // The one number that Tab stops at.
  const stop = drawn.some(({ index }) => index === current) ? current : last

  useEffect(() => {
    if (!isMoving.current) return
    const link = box.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)
    if (!link) return
    isMoving.current = false
    link.focus({ preventScroll: true })
  })

  function move(event: KeyboardEvent): void {
    if (!(event.target instanceof HTMLAnchorElement)) return
    const next = stepOf(event.key, stop ?? 0, shown.length)
    if (next === undefined) return
    event.preventDefault()
    isMoving.current = true
    setCurrent(next)
    setAtEnd(next === shown.length - 1)
    if (box.current) reveal(box.current, next)
  }

  return (
    <div className="relative">
      <div
        ref={box}
        onKeyDown={move}
        role="log"
        aria-label={label}
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) =>
          setAtEnd(scrollTop + clientHeight >= scrollHeight - lineHeight)
        }
        className={
          'max-h-[65vh] overflow-auto rounded-lg border border-line bg-surface ' +
          'py-2 font-mono text-xs leading-5'
        }
      >
        <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {drawn.map(({ index, start }) => {
            const line = shown[index]
            if (!line) return null
            const at = { index, start, isStop: index === stop }
            return <LogLine key={line.number} line={line} at={at} onFocus={() => setCurrent(index)} />
          })}
        </div>
      </div>
      {!isAtEnd && (
        <Button className="absolute right-4 bottom-4 shadow" onClick={() => setAtEnd(true)}>
          To the end
        </Button>
      )}
    </div>
  )
}

/** Scrolls as little as shows the whole line. */
function reveal(box: HTMLElement, index: number): void {
  const top = padding + index * lineHeight
  const bottom = top + lineHeight + padding - box.clientHeight
  box.scrollTop = Math.min(top - padding, Math.max(box.scrollTop, bottom))
}

/** The line to which a key leads; undefined for other keys. */
function stepOf(key: string, from: number, lines: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(from + 1, lines - 1)
  if (key === 'ArrowUp') return Math.max(from - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? lines - 1 : undefined
}

type LogLineProps = {
  line: Line
  /** `isStop`: whether Tab stops at its number. */
  at: { index: number; start: number; isStop: boolean }
  onFocus: () => void
}

function LogLine({ line, at: { index, start, isStop }, onFocus }: LogLineProps) {
  const { number, text, level, timeMs } = line
  return (
    <div
      className={classNames(
        'absolute left-0 flex min-w-full whitespace-pre px-3',
        level === 'error' && 'bg-bad-soft text-bad',
        level === 'warn' && 'bg-warn-soft text-warn',
      )}
      style={{ height: lineHeight, transform: `translateY(${start}px)` }}
      title={exactTime(timeMs)}
    >
      <a
        href={`#L${number}`}
        aria-label={`Line ${number}`}
        data-index={index}
        tabIndex={isStop ? 0 : -1}
        onFocus={onFocus}
        className="w-12 shrink-0 select-none pr-4 text-right text-dim hover:text-text"
      >
        {number}
      </a>
      {text}
    </div>
  )
}

function matching(lines: Written[], search: string): Line[] {
  const text = search.toLowerCase()
  const all = lines.map(({ message, level, time_ms }, index) => ({
    number: index + 1,
    text: plainText(message),
    level,
    timeMs: time_ms,
  }))
  return text === '' ? all : all.filter((line) => line.text.toLowerCase().includes(text))
}
