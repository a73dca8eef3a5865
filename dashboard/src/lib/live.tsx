'use client'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
/** Keeps a page current: the server's stream of events says what to fetch again. */
import type { Outputs } from './api'
import { useTRPC, useTRPCClient } from './api'

/** `polling`: the stream is away, and everything is fetched again every few seconds. */
export type LiveState = 'connecting' | 'live' | 'polling'

type Followed = Outputs['events']['follow']
type LiveEvent = Followed extends AsyncIterable<{ data: infer Event }> ? Event : never

const LiveContext = createContext<LiveState>('connecting')

/** Whether changes arrive as they happen. */
export const useLiveState = (): LiveState => useContext(LiveContext)

/** Several events often come at once, such as those of a deployment. */
const gatherMs = 150
const pollMs = 5_000

/** The routers whose queries an event makes stale, by the part of its type before the dot. */
const staleBy: Record<
  string,
  (
    | 'deployments'
    | 'projects'
    | 'domains'
    | 'dns'
    | 'webhooks'
    | 'teams'
    | 'tokens'
    | 'hooks'
    | 'trust'
    | 'ps'
  )[]
> = {
  deployment: ['deployments', 'projects', 'hooks'],
  project: ['projects', 'deployments'],
  domain: ['domains', 'dns', 'projects'],
  record: ['dns'],
  webhook: ['webhooks'],
  team: ['teams'],
  member: ['teams'],
  key: ['tokens'],
  hook: ['hooks'],
  server: ['ps', 'deployments'],
  trust: ['trust'],
}

/** Follows the events of the team for the pages below. */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const client = useTRPCClient()
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')

  useEffect(() => {
    const stale = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    let poll: ReturnType<typeof setInterval> | undefined

    function refetch(): void {
      timer = undefined
      const all = stale.has('everything')
      const kinds = new Set([...stale].flatMap((kind) => staleBy[kind] ?? []))
      stale.clear()
      if (all) {
        queries.invalidateQueries()
        return
      }
      for (const router of kinds) queries.invalidateQueries(trpc[router].pathFilter())
      if (kinds.size > 0) queries.invalidateQueries(trpc.observability.overview.queryFilter())
    }

    function mark(kind: string): void {
      stale.add(kind)
      timer ??= setTimeout(refetch, gatherMs)
    }

    function setPolling(isPolling: boolean): void {
      clearInterval(poll)
      poll = isPolling ? setInterval(() => mark('everything'), pollMs) : undefined
    }

    function onEvent(event: LiveEvent): void {
      if (event.type === 'connected') return
      mark(event.type === 'missed' ? 'everything' : (event.type.split('.')[0] ?? ''))
    }

    const subscription = client.events.follow.subscribe(
      {},
      {
        onData: ({ data }) => onEvent(data),
        onConnectionStateChange({ state: connection, error }) {
          const isLive = connection === 'pending'
          // The first connection has not failed yet.
          const isLost = !isLive && error !== null
          setState(isLive ? 'live' : isLost ? 'polling' : 'connecting')
          setPolling(isLost)
          // Whether the session is over, or the server away, shows at once.
          if (isLost) mark('everything')
        },
        onError() {
          setState('polling')
          setPolling(true)
        },
      },
    )
    return () => {
      subscription.unsubscribe()
      clearTimeout(timer)
      clearInterval(poll)
    }
  }, [client, queries, trpc])

  return <LiveContext.Provider value={state}>{children}</LiveContext.Provider>
}
