'use client'
/** Where the person is signed in. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { Badge } from '@/ui/badge'
import { Section } from '@/ui/card'
import { Loaded } from '@/ui/loaded'
import { Cell, Row, Table } from '@/ui/table'
import { Time } from '@/ui/time'
import { EndOtherSessions, EndSession } from './end-session'

export function Sessions() {
  const trpc = useTRPC()
  const sessions = useQuery(trpc.account.sessions.queryOptions({}, { refetchOnWindowFocus: 'always' }))
  const others = sessions.data?.data.filter(({ current }) => !current).length ?? 0
  return (
    <Section
      title="Sessions"
      note="Where you are signed in. End what you don't know, and change your password."
      actions={others > 0 && <EndOtherSessions count={others} />}
    >
      <Loaded query={sessions}>
        {({ data }) => (
          <Table label="Sessions" columns={['Device', 'Signed in from', 'Signed in', 'Last used', '']}>
            {ownFirst(data).map(({ id, device, address, created_ms, last_used_ms, current }) => (
              <Row key={id}>
                <Cell>
                  <span className="inline-flex flex-wrap items-center gap-2 font-medium">
                    {device} {current && <Badge tone="good">This one</Badge>}
                  </span>
                </Cell>
                <Cell>
                  <Named name="Signed in from">{address ?? 'unknown'}</Named>
                </Cell>
                <Cell>
                  <Named name="Signed in">
                    <Time ms={created_ms} />
                  </Named>
                </Cell>
                <Cell>
                  <Named name="Last used">{current ? 'now' : <Time ms={last_used_ms} />}</Named>
                </Cell>
                <Cell className="text-right">{!current && <EndSession id={id} device={device} />}</Cell>
              </Row>
            ))}
          </Table>
        )}
      </Loaded>
    </Section>
  )
}

type Session = Outputs['account']['sessions']['data'][number]

function ownFirst(sessions: Session[]): Session[] {
  return sessions.toSorted((one, other) => Number(other.current) - Number(one.current))
}

/** A phone shows the columns of a row one below the other, without their names. */
function Named({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <span aria-hidden="true" className="text-dim sm:hidden">
        {name}{' '}
      </span>
      {children}
    </>
  )
}
