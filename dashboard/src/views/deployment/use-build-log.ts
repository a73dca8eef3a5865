'use client'
/** The lines of a build, followed until it has ended. */
import { useEffect, useRef, useState } from 'react'
import { useTRPCClient } from '@/lib/api'
import { followLogs, type LogLine } from '@/lib/follow-logs'

export type BuildLog = {
  lines: LogLine[]
  /** Whether more may come. */
  isFollowing: boolean
  error: unknown
}

const waitS = 20

/** Lines are readable a second after they were written. */
const settleS = 3

/** Reads the log of `deployment` from its start, and follows it while `isUnfinished`. */
export function useBuildLog(deployment: string, isUnfinished: boolean): BuildLog {
  const client = useTRPCClient()
  const cursor = useRef<string | null>(null)
  const [lines, setLines] = useState<LogLine[]>([])
  const [isFollowing, setFollowing] = useState(true)
  const [error, setError] = useState<unknown>(null)

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setFollowing(true)
    followLogs(client, {
      filters: { kind: 'build', deployment },
      cursor: cursor.current,
      waitS: isUnfinished ? waitS : settleS,
      signal,
      onPage({ data, next_cursor }) {
        cursor.current = next_cursor
        if (data.length > 0) setLines((before) => [...before, ...data])
      },
      onProblem: setError,
      isOver: ({ data }) => !isUnfinished && data.length === 0,
    }).then(() => {
      if (!signal.aborted) setFollowing(false)
    })
    return () => controller.abort()
  }, [client, deployment, isUnfinished])

  return { lines, isFollowing, error }
}
