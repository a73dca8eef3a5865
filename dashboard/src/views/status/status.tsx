'use client'
/** Whether this server and its parts work. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTRPC } from '@/lib/api'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Card } from '@/ui/card'
import { Loaded } from '@/ui/loaded'
import { Page } from '@/ui/page'
import { SameAs } from '@/ui/same-as'
import { type Readiness, readReadiness } from './readiness'

const everyMs = 10_000

export function Status() {
  const trpc = useTRPC()
  const readiness = useQuery({ queryKey: ['readyz'], queryFn: readReadiness, refetchInterval: everyMs })
  const account = useQuery(trpc.account.get.queryOptions({}))
  return (
    <Page
      title="Status"
      note="The server behind this page, checked every ten seconds."
      actions={
        <>
          <SameAs isKnown={true} method="GET" path={['readyz']} svc={{ words: ['status'] }} />
          <Button busy={readiness.isFetching} onClick={() => readiness.refetch()}>
            Check now
          </Button>
        </>
      }
    >
      <Loaded query={readiness}>{(found) => <Parts readiness={found} />}</Loaded>
      <Loaded query={account} skeleton={null}>
        {({ version, api_url, sites_url, builds }) => (
          <Card className="mt-4">
            <dl className="grid gap-3 sm:grid-cols-[10rem_1fr]">
              <Fact label="Version">{version}</Fact>
              <Fact label="API">{api_url}</Fact>
              <Fact label="Sites below">{sites_url}</Fact>
              <Fact label="Builds">
                {builds.available ? 'Available' : `Not available: ${builds.problem ?? 'unknown'}`}
              </Fact>
            </dl>
          </Card>
        )}
      </Loaded>
    </Page>
  )
}

const parts: [keyof Readiness & ('database' | 'blobs' | 'listening'), string, string][] = [
  ['listening', 'Ports', 'Every port of the node listens'],
  ['database', 'Database', 'It responds'],
  ['blobs', 'Files', 'They can be read and written'],
]

function Parts({ readiness }: { readiness: Readiness }) {
  return (
    <Card>
      <p className="mb-4 font-medium">
        {readiness.ready
          ? readiness.degraded.length === 0
            ? 'Everything works.'
            : `It works, with less: ${readiness.degraded.join(', ')}.`
          : 'Not ready.'}
      </p>
      <dl className="grid gap-3 sm:grid-cols-[10rem_1fr]">
        {parts.map(([part, label, meaning]) => (
          <Fact key={part} label={label}>
            <Badge tone={readiness[part] ? 'good' : 'bad'}>{readiness[part] ? 'OK' : 'Away'}</Badge>{' '}
            <span className="text-dim">{meaning}</span>
          </Fact>
        ))}
        <Fact label="Rate limits">
          <Badge tone={readiness.limits === 'degraded' ? 'warn' : 'good'}>{readiness.limits}</Badge>{' '}
          <span className="text-dim">Where they are counted</span>
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-dim">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}
