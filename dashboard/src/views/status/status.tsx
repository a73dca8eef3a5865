'use client'
/** Whether this server and its parts work. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTRPC } from '@/lib/api'
import { size } from '@/lib/format'
import { useNow } from '@/lib/now'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Card } from '@/ui/card'
import { Loaded, useSkeleton } from '@/ui/loaded'
import { Page } from '@/ui/page'
import { SameAs } from '@/ui/same-as'
import { Time } from '@/ui/time'
import { type Readiness, readReadiness } from './readiness'

const everyMs = 10_000

export function Status() {
  const trpc = useTRPC()
  const readiness = useQuery({ queryKey: ['readyz'], queryFn: readReadiness, refetchInterval: everyMs })
  const isSkeleton = useSkeleton(readiness)
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
      {/* Below what is of another height once it is there. */}
      {!isSkeleton && (
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
      )}
    </Page>
  )
}

type Part = { label: string; isGood: boolean; word: string; meaning: string }

function partsOf({ listening, database, blobs, disk }: Readiness): Part[] {
  return [
    listening
      ? { label: 'Ports', isGood: true, word: 'OK', meaning: 'Every port of the node listens' }
      : { label: 'Ports', isGood: false, word: 'Closed', meaning: 'Not every port of the node listens' },
    database
      ? { label: 'Database', isGood: true, word: 'OK', meaning: 'It responds' }
      : { label: 'Database', isGood: false, word: 'Away', meaning: 'It does not respond' },
    filesOf(blobs, disk === 'disk_full'),
  ]
}

function filesOf(isThere: boolean, isFull: boolean): Part {
  const label = 'Files'
  if (!isThere) return { label, isGood: false, word: 'Away', meaning: 'They can be neither read nor written' }
  if (isFull)
    return { label, isGood: false, word: 'Full', meaning: 'Sites are served, and nothing more is stored' }
  return { label, isGood: true, word: 'OK', meaning: 'They can be read and written' }
}

function summaryOf({ ready, degraded, alerts }: Readiness): string {
  if (!ready) return 'Not ready.'
  if (alerts.length > 0)
    return `It works, and ${alerts.length === 1 ? 'one thing needs' : 'some things need'} its operator:`
  return degraded.length === 0 ? 'Everything works.' : `It works, with less: ${degraded.join(', ')}.`
}

function Parts({ readiness }: { readiness: Readiness }) {
  const { limits, disk_space: disk, next_certificate: certificate, backup, alerts } = readiness
  const now = useNow()
  return (
    <Card>
      <p className="mb-4 font-medium">{summaryOf(readiness)}</p>
      {alerts.length > 0 && (
        <ul className="mb-4 grid gap-2">
          {alerts.map(({ name, place, message }) => (
            <li key={`${name} ${place}`} className="min-w-0 break-words">
              <Badge tone={urgent.includes(name) ? 'bad' : 'warn'}>{titleOf(name)}</Badge> {message}
            </li>
          ))}
        </ul>
      )}
      <dl className="grid gap-3 sm:grid-cols-[10rem_1fr]">
        {partsOf(readiness).map(({ label, isGood, word, meaning }) => (
          <Fact key={label} label={label}>
            <Badge tone={isGood ? 'good' : 'bad'}>{word}</Badge> <span className="text-dim">{meaning}</span>
          </Fact>
        ))}
        {disk && (
          <Fact label="Disk">
            {disk.free_percent} % free{' '}
            <span className="text-dim">
              ({size(disk.free_bytes)}), {disk.path}
            </span>
          </Fact>
        )}
        {certificate && (
          <Fact label="Certificates">
            {certificate.expires_ms > now ? 'The first expires ' : 'The first expired '}
            <Time ms={certificate.expires_ms} /> <span className="text-dim">({certificate.place})</span>
          </Fact>
        )}
        {backup && (
          <Fact label="Last backup">
            {backup.last ? (
              <>
                <Time ms={backup.last.finished_ms} />{' '}
                <span className="text-dim">({size(backup.last.bytes)})</span>
              </>
            ) : (
              <span className="text-dim">None yet</span>
            )}
          </Fact>
        )}
        <Fact label="Rate limits">
          {limits === 'degraded' ? (
            <>
              <Badge tone="warn">On their own</Badge>{' '}
              <span className="text-dim">Redis is away, so each node counts for itself</span>
            </>
          ) : (
            <>
              <Badge tone="good">{limits}</Badge> <span className="text-dim">Where they are counted</span>
            </>
          )}
        </Fact>
      </dl>
    </Card>
  )
}

/** Those that visitors or teams notice already. */
const urgent = ['disk_full', 'certificate_expired', 'certificate_missing']

function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-dim">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}
