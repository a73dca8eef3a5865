'use client'
/** The last lines of a project's servers, and those that come while one looks. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useTRPC, useTRPCClient } from '@/lib/api'
import { followLogs, type LogLine } from '@/lib/follow-logs'

const waitS = 20

/** Older ones are on the page of the log. */
const maxLines = 1_000

/** A line may appear up to this long after a later one. */
const lateMs = 1_000

/** The lines in the order of their times; `lines` is undefined until the first were read. */
export function useServerLog(project: string): { lines: LogLine[] | undefined; error: unknown } {
  const client = useTRPCClient()
  const trpc = useTRPC()
  const filters = useMemo(() => ({ kind: 'runtime', project }) as const, [project])
  // What came later is followed.
  const first = useQuery(
    trpc.observability.logs.queryOptions(
      { ...filters, limit: 100 },
      {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 0,
      },
    ),
  )
  const before = first.data?.data
  const [later, setLater] = useState<LogLine[]>([])
  const [error, setError] = useState<unknown>(null)

  useEffect(() => {
    setLater([])
    if (!before) return
    const controller = new AbortController()
    followLogs(client, {
      filters: { ...filters, since_ms: (before[0]?.time_ms ?? Date.now()) - lateMs },
      cursor: null,
      waitS,
      signal: controller.signal,
      onPage({ data }) {
        if (data.length > 0) setLater((known) => [...known, ...data].slice(-maxLines))
      },
      onProblem: setError,
      isOver: () => false,
    })
    return () => controller.abort()
  }, [client, filters, before])

  const lines = useMemo(
    () => before && distinct([...before.toReversed(), ...later]).slice(-maxLines),
    [before, later],
  )
  return { lines, error: first.error ?? error }
}

/** Those that were read twice stand once, where they stood first. */
function distinct(lines: LogLine[]): LogLine[] {
  return [...new Map(lines.map((line) => [line.id, line])).values()]
}
