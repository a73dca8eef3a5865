'use client'
/** Times: relative, exact where the pointer rests. */
import { day, exactTime, relativeTime } from '@/lib/format'
import { useNow } from '@/lib/now'

/** "3 min. ago", with the exact local time and its zone as the title. */
export function Time({ ms }: { ms: number }) {
  const now = useNow()
  return (
    <time dateTime={new Date(ms).toISOString()} title={exactTime(ms)} className="whitespace-nowrap">
      {relativeTime(ms, now)}
    </time>
  )
}

/** The time of what comes next: "in 3 min.", or "due now" once it has come. */
export function DueTime({ ms }: { ms: number }) {
  const now = useNow()
  return ms > now ? <Time ms={ms} /> : 'due now'
}

/** The day of what is far off, such as an expiry. */
export function Day({ ms }: { ms: number }) {
  return (
    <time dateTime={new Date(ms).toISOString()} title={exactTime(ms)} className="whitespace-nowrap">
      {day(ms)}
    </time>
  )
}
