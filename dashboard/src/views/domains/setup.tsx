'use client'
/** The records that a domain needs, and the destination of its visitors. */
import { lazy, Suspense, useState } from 'react'
import { useIsLimited, useRole } from '@/lib/role'
import { useRequiredRoute } from '@/lib/route'
import { Button } from '@/ui/button'
import { Card, Section } from '@/ui/card'
import { OwnersOnly } from '@/ui/problem'
import { WarningList } from '@/ui/warning-list'
import { loopbackWarning } from '../../../../src/lib/net/loopback.ts'
import { comparedProof, comparedTargets, strayRecords } from './compare'
import { NameServers } from './name-servers'
import { ExpectedRecords } from './records-table'
import type { Domain } from './state'
import { Status } from './status'
import { Destination } from './table'
import { TargetNote } from './target-note'

const ChangeDestination = lazy(() =>
  import('./change-destination').then((module) => ({ default: module.ChangeDestination })),
)
const RemoveDomain = lazy(() =>
  import('./remove-domain').then((module) => ({ default: module.RemoveDomain })),
)

export function Setup({ domain }: { domain: Domain }) {
  const proof = comparedProof(domain)
  const warning = loopbackWarning(domain.expected)
  const isProofNeeded = proof.some(({ comparison }) => comparison !== 'unneeded')
  return (
    <>
      <Status domain={domain} />
      {isProofNeeded && (
        <Section
          title="Prove that it is yours"
          note="Add this record at the present DNS provider, and keep it: the proof is checked daily."
        >
          <ExpectedRecords label="Proof" records={proof} />
        </Section>
      )}
      <Section title="Point it here" note={<TargetNote domain={domain} />}>
        <WarningList texts={warning === undefined ? [] : [warning]} />
        {domain.expected.length > 0 && (
          <ExpectedRecords
            label="Records that point here"
            records={comparedTargets(domain)}
            strays={strayRecords(domain)}
          />
        )}
        <NameServers names={domain.nameservers} />
      </Section>
      <DestinationSection domain={domain} />
      <RemovalSection name={domain.domain} />
    </>
  )
}

function DestinationSection({ domain }: { domain: Domain }) {
  const { team } = useRequiredRoute()
  const [isOpen, setOpen] = useState(false)
  const isLimited = useIsLimited()
  return (
    <Section title="Destination" note="What visitors of this domain get.">
      <Card className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <Destination domain={domain} team={team} />
        </div>
        {!isLimited && <Button onClick={() => setOpen(true)}>Change destination</Button>}
      </Card>
      {isOpen && (
        <Suspense>
          <ChangeDestination domain={domain} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Section>
  )
}

function RemovalSection({ name }: { name: string }) {
  const role = useRole()
  const [isOpen, setOpen] = useState(false)
  return (
    <Section title="Remove">
      {role === 'member' ? (
        <OwnersOnly>Only owners of the team can remove a domain.</OwnersOnly>
      ) : (
        <Card className="flex flex-wrap items-center justify-between gap-3">
          <p className="max-w-prose text-dim">
            The name is no longer served, and its DNS records and proof are deleted.
          </p>
          <Button look="danger" disabled={role === undefined} onClick={() => setOpen(true)}>
            Remove domain
          </Button>
        </Card>
      )}
      {isOpen && (
        <Suspense>
          <RemoveDomain name={name} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Section>
  )
}
