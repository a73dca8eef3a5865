'use client'
/** The page at `/`: leads to the team last visited, or the person's own. */
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { ApiProvider, useTRPC } from '@/lib/api'
import { teamPath } from '@/lib/paths'
import { useMounted } from '@/lib/route'
import { lastTeam } from '@/shell/last-team'
import { Problem } from '@/ui/problem'
import { Spinner } from '@/ui/spinner'

export function Home() {
  const isMounted = useMounted()
  return (
    <>
      <title>svc</title>
      {isMounted && (
        <ApiProvider team={undefined}>
          <ToTeam />
        </ApiProvider>
      )}
    </>
  )
}

function ToTeam() {
  const trpc = useTRPC()
  const router = useRouter()
  const { data, error, refetch } = useQuery(trpc.teams.list.queryOptions({ limit: 100 }))
  useEffect(() => {
    if (!data) return
    const last = data.data.find(({ slug }) => slug === lastTeam())
    const own = data.data.find(({ personal }) => personal)
    const team = last ?? own ?? data.data[0]
    if (team) router.replace(teamPath(team.slug))
  }, [data, router])
  return (
    <main className="mx-auto grid max-w-prose place-items-center px-4 py-24">
      {error ? <Problem error={error} retry={refetch} /> : <Spinner />}
    </main>
  )
}
