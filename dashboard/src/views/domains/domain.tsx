'use client'
/** A domain: its state, the records that it needs, and the records of its zone. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTRPC } from '@/lib/api'
import { teamPath } from '@/lib/paths'
import { useIsLimited } from '@/lib/role'
import { useRequiredRoute } from '@/lib/route'
import { useUrlState } from '@/lib/url-state'
import { Badge } from '@/ui/badge'
import { CopyButton } from '@/ui/copy'
import { Loaded } from '@/ui/loaded'
import { Page } from '@/ui/page'
import { SameAs } from '@/ui/same-as'
import type { SameCall } from '@/ui/same-call'
import { SubTabs } from '@/ui/sub-tabs'
import { Records } from '../dns/records'
import { nextLookMs } from './next-look'
import { Setup } from './setup'
import { stateOf } from './state'

const tabs = [
  { id: '', label: 'Setup' },
  { id: 'records', label: 'Records' },
]

export function DomainPage() {
  const { team, rest } = useRequiredRoute()
  const name = rest[1] ?? ''
  const url = useUrlState()
  const isLimited = useIsLimited()
  const isRecords = url.get('tab') === 'records' && !isLimited
  const trpc = useTRPC()
  const domain = useQuery(
    trpc.domains.get.queryOptions(
      { domain: name },
      { refetchInterval: ({ state }) => (state.data ? nextLookMs(state.data, Date.now()) : false) },
    ),
  )
  const state = domain.data && stateOf(domain.data)
  return (
    <Page
      title={name}
      note={
        <span className="flex flex-wrap items-center gap-2">
          <Link href={teamPath(team, 'domains')} prefetch={false} className="hover:underline">
            Domains
          </Link>
          {state && <Badge tone={state.tone}>{state.word}</Badge>}
          <CopyButton text={name} label="Copy the name" />
        </span>
      }
      actions={
        <SameAs isKnown={domain.data !== undefined} {...(isRecords ? recordsCall(name) : domainCall(name))} />
      }
    >
      <SubTabs
        label="Domain"
        tabs={isLimited ? tabs.slice(0, 1) : tabs}
        chosen={isRecords ? 'records' : ''}
        onChoose={(tab) => url.set({ tab, name: '', type: '' })}
      />
      <Loaded query={domain}>
        {(data) => <div>{isRecords ? <Records key={name} domain={data} /> : <Setup domain={data} />}</div>}
      </Loaded>
    </Page>
  )
}

const domainCall = (name: string): SameCall => ({
  method: 'GET',
  path: ['v1', 'domains', name],
  svc: { words: ['domains', 'show'], values: [name] },
  client: { call: 'domains.get.query', input: { domain: name } },
})

const recordsCall = (name: string): SameCall => ({
  method: 'GET',
  path: ['v1', 'domains', name, 'records'],
  svc: { words: ['dns', 'ls'], values: [name] },
  client: { call: 'dns.list.query', input: { domain: name } },
})
