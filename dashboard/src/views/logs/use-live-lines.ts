'use client'
/** Lines that are written while one looks. */
import { useEffect, useState } from 'react'
import { useTRPCClient } from '@/lib/api'
import { followLogs, type LogFilters, type LogLine } from '@/lib/follow-logs'

const waitS = 20

/** More would slow the page down: older ones can be read with Live off. */
const maxLines = 10_000

/** The lines since `isLive` was turned on, newest first. */
export function useLiveLines(filters: LogFilters, isLive: boolean): { lines: LogLine[]; error: unknown } {
  const client = useTRPCClient()
  const [lines, setLines] = useState<LogLine[]>([])
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    setLines([])
    setError(null)
    if (!isLive) return
    const controller = new AbortController()
    followLogs(client, {
      filters: { ...filters, since_ms: Date.now() },
      cursor: null,
      waitS,
      signal: controller.signal,
      onPage({ data }) {
        if (data.length > 0) setLines((before) => [...data.toReversed(), ...before].slice(0, maxLines))
      },
      onProblem: setError,
      isOver: () => false,
    })
    return () => controller.abort()
  }, [client, filters, isLive])
  return { lines, error }
}
