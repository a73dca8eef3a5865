'use client'
/** The records of a zone, with its import and export. */
import { useInfiniteQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTRPC } from '@/lib/api'
import { byCursor } from '@/lib/pages'
import { teamPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { useUrlState } from '@/lib/url-state'
import { Button } from '@/ui/button'
import { Section } from '@/ui/card'
import { Empty } from '@/ui/empty'
import { Icon } from '@/ui/icons'
import { Pages } from '@/ui/loaded'
import { Table } from '@/ui/table'
import type { Domain } from '../domains/state'
import { AddRecord } from './add-record'
import { RecordFilters } from './filters'
import { recordTypes } from './record-input'
import { RecordRow, recordColumns } from './record-row'

const ImportZone = lazy(() => import('./import-zone').then((module) => ({ default: module.ImportZone })))
const ExportZone = lazy(() => import('./export-zone').then((module) => ({ default: module.ExportZone })))

const delegated = 'Served once the domain is verified and delegated to the name servers in Setup.'
const undelegated =
  'The operator has set no name servers for domains: what counts are the records at the present DNS provider.'

export function Records({ domain: { domain, nameservers } }: { domain: Domain }) {
  const trpc = useTRPC()
  const url = useUrlState()
  const addButton = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<'add' | 'import' | 'export'>()
  const name = url.get('name')
  const type = recordTypes.find((each) => each === url.get('type'))
  const records = useInfiniteQuery(
    trpc.dns.list.infiniteQueryOptions(
      { domain, limit: 50, ...(name !== '' && { name }), ...(type && { type }) },
      byCursor,
    ),
  )
  const zone = records.data?.pages[0]?.data[0]?.domain ?? domain
  const isPart = zone !== domain
  const isFiltered = name !== '' || type !== undefined
  const isEmpty = !isFiltered && records.data?.pages[0]?.data.length === 0
  const close = () => setOpen(undefined)
  return (
    <Section
      title="Records"
      note={isPart ? <ZoneAbove zone={zone} /> : nameservers.length > 0 ? delegated : undelegated}
      actions={
        <>
          {!isPart && <Button onClick={() => setOpen('import')}>Import</Button>}
          <Button onClick={() => setOpen('export')}>Export</Button>
          {!isPart && (
            <Button ref={addButton} look="primary" onClick={() => setOpen('add')}>
              <Icon name="plus" /> Add record
            </Button>
          )}
        </>
      }
    >
      {open === 'add' && (
        <AddRecord
          domain={domain}
          onClose={() => {
            close()
            addButton.current?.focus()
          }}
        />
      )}
      {!isEmpty && <RecordFilters name={name} type={type ?? ''} onChange={url.set} />}
      <Pages query={records} empty={<NoRecords isFiltered={isFiltered} />}>
        {(items) => (
          <Table label="Records" columns={recordColumns}>
            {items.map((record) => (
              <RecordRow key={record.id} record={record} isEditable={!isPart} />
            ))}
          </Table>
        )}
      </Pages>
      <Suspense>
        {open === 'import' && <ImportZone domain={domain} onClose={close} />}
        {open === 'export' && <ExportZone domain={domain} onClose={close} />}
      </Suspense>
    </Section>
  )
}

/** Records of a domain below another one of the team are changed there. */
function ZoneAbove({ zone }: { zone: string }) {
  const { team } = useRequiredRoute()
  return (
    <>
      These are in the zone of {zone}, and are changed there:{' '}
      <Link
        href={`${teamPath(team, 'domains', zone)}?tab=records`}
        prefetch={false}
        className="text-accent underline"
      >
        records of {zone}
      </Link>
    </>
  )
}

function NoRecords({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No record matches">Change or clear the filters.</Empty>
  return (
    <Empty title="No records">
      Add one, or import the zone file of the present DNS provider.{' '}
      <a href="/docs/dns" className="text-accent underline">
        How to move a zone
      </a>
    </Empty>
  )
}
