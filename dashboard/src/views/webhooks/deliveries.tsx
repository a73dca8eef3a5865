'use client'
/** The deliveries of a webhook, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTRPC } from '@/lib/api'
import { byCursor } from '@/lib/pages'
import { Badge, type Tone } from '@/ui/badge'
import { Empty } from '@/ui/empty'
import { Pages } from '@/ui/loaded'
import { Cell, Row, Table } from '@/ui/table'
import { DueTime, Time } from '@/ui/time'
import { type Delivery, Outcome } from './outcome'
import { Redeliver } from './redeliver'

const DeliveryDialog = lazy(() =>
  import('./delivery-dialog').then((module) => ({ default: module.DeliveryDialog })),
)

const tones: Record<string, Tone> = { delivered: 'good', pending: 'busy', failed: 'bad' }

/** Deliveries make no events of their own. */
const everyMs = 3_000

export function Deliveries({ webhook, isOwner }: { webhook: string; isOwner: boolean }) {
  const trpc = useTRPC()
  const [opened, setOpened] = useState<Delivery>()
  const deliveries = useInfiniteQuery(
    trpc.webhooks.deliveries.infiniteQueryOptions(
      { webhook, limit: 20 },
      { ...byCursor, refetchInterval: everyMs },
    ),
  )
  return (
    <>
      <Pages query={deliveries} empty={<Empty title="Nothing was sent yet" />}>
        {(items) => (
          <Table label="Deliveries" columns={['State', 'Event', 'Response', 'Attempts', 'Created', '']}>
            {items.map((delivery) => (
              <Row key={delivery.id}>
                <Cell>
                  <Badge tone={tones[delivery.status] ?? 'neutral'}>{delivery.status}</Badge>
                </Cell>
                <Cell>
                  <button
                    type="button"
                    onClick={() => setOpened(delivery)}
                    className="font-medium hover:underline"
                  >
                    {delivery.type}
                  </button>
                </Cell>
                <Cell className="max-w-64">
                  <Outcome delivery={delivery} />
                </Cell>
                <Cell>
                  {delivery.attempts}
                  {delivery.next_attempt_ms !== null && (
                    <span className="text-dim">
                      , next <DueTime ms={delivery.next_attempt_ms} />
                    </span>
                  )}
                </Cell>
                <Cell>
                  <Time ms={delivery.created_ms} />
                </Cell>
                <Cell className="text-right">
                  {isOwner && delivery.status !== 'pending' && (
                    <Redeliver webhook={webhook} delivery={delivery.id} />
                  )}
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </Pages>
      {opened && (
        <Suspense>
          <DeliveryDialog delivery={opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </>
  )
}
