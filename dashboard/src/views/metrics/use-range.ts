'use client'
/** The time that the charts show, as the URL says. */
import { useNow } from '@/lib/now'
import { type UrlState, useUrlState } from '@/lib/url-state'

/** Ranges that end now, in milliseconds. */
export const ranges: Record<string, { label: string; ms: number }> = {
  '1h': { label: 'An hour', ms: 3_600_000 },
  '24h': { label: '24 hours', ms: 86_400_000 },
  '7d': { label: '7 days', ms: 604_800_000 },
  '30d': { label: '30 days', ms: 2_592_000_000 },
  '90d': { label: '90 days', ms: 7_776_000_000 },
}

const defaultRange = '24h'

export type Range = { sinceMs: number; untilMs: number }

/** Shorter ones would be a step or two. */
const shortestMs = 300_000

type RangeState = { range: Range; name: string | undefined; url: UrlState; zoom: (to: Range) => void }

/** The range; `name` is undefined for one that was chosen by dragging, which stands still. */
export function useRange(): RangeState {
  const url = useUrlState()
  const now = useNow()
  const [sinceMs, untilMs] = [Number(url.get('since')), Number(url.get('until'))]
  const zoom = ({ sinceMs: from, untilMs: to }: Range) => {
    if (to - from >= shortestMs)
      url.set({ since: String(Math.round(from)), until: String(Math.round(to)), range: '' })
  }
  if (sinceMs > 0 && untilMs > sinceMs) return { range: { sinceMs, untilMs }, name: undefined, url, zoom }
  const name = Object.hasOwn(ranges, url.get('range')) ? url.get('range') : defaultRange
  const { ms } = ranges[name] ?? { ms: 0 }
  return { range: { sinceMs: now - ms, untilMs: now }, name, url, zoom }
}
