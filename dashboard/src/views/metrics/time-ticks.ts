/** The times that are written below a chart. */

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Steps of a clock, which begin at each midnight, and of a calendar. */
const clockSteps = [5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map((minutes) => minutes * minuteMs)
const daySteps = [1, 2, 7, 14, 30, 60, 90]

export type Tick = { timeMs: number; time: string | undefined; date: string | undefined }

const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const dateFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/**
 * At most `most` local times from `fromMs` to `toMs`. Those of less than a day apart have a time, and a date
 * wherever the day changes, and at the first one unless it changes right after; others a date alone.
 */
export function timeTicks(fromMs: number, toMs: number, most: number): Tick[] {
  const span = toMs - fromMs
  const stepMs = clockSteps.find((each) => span / each < most)
  if (stepMs === undefined) {
    const days = daySteps.find((each) => span / (each * dayMs) < most) ?? Math.ceil(span / dayMs / most)
    return midnights(fromMs, toMs, days).map((timeMs) => ({
      timeMs,
      time: undefined,
      date: dateFormat.format(timeMs),
    }))
  }
  const times = clockTimes(fromMs, toMs, stepMs)
  const dates = times.map((timeMs) => dateFormat.format(timeMs))
  return times.map((timeMs, at) => {
    // Two dates side by side would touch on a phone.
    const isNew = at === 0 ? dates[1] === undefined || dates[1] === dates[0] : dates[at - 1] !== dates[at]
    return { timeMs, time: timeFormat.format(timeMs), date: isNew ? dates[at] : undefined }
  })
}

/** Local midnights, the first one at or after `fromMs`. */
function midnights(fromMs: number, toMs: number, days: number): number[] {
  const found: number[] = []
  const day = new Date(fromMs)
  if (day.setHours(0, 0, 0, 0) < fromMs) day.setDate(day.getDate() + 1)
  for (; day.getTime() <= toMs; day.setDate(day.getDate() + days)) found.push(day.getTime())
  return found
}

/** Counted from each midnight, since a day may have 23 or 25 hours. */
function clockTimes(fromMs: number, toMs: number, stepMs: number): number[] {
  const found: number[] = []
  const first = new Date(fromMs).setHours(0, 0, 0, 0)
  const days = midnights(first, toMs, 1)
  for (const [at, startMs] of days.entries()) {
    const endMs = Math.min(days[at + 1] ?? Number.POSITIVE_INFINITY, toMs + 1)
    for (let timeMs = startMs; timeMs < endMs; timeMs += stepMs) if (timeMs >= fromMs) found.push(timeMs)
  }
  return found
}
