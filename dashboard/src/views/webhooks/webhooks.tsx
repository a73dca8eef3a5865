'use client'
/** The webhooks of a team. */
import { useInfiniteQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { lazy, Suspense, useState } from 'react'
import { useTRPC } from '@/lib/api'
import { count } from '@/lib/format'
import { byCursor } from '@/lib/pages'
import { teamPath } from '@/lib/paths'
import { useIsLimited, useRole } from '@/lib/role'
import { useRequiredRoute } from '@/lib/route'
import { Button } from '@/ui/button'
import { Empty } from '@/ui/empty'
import { Pages } from '@/ui/loaded'
import { Page } from '@/ui/page'
import { OwnersOnly } from '@/ui/problem'
import { SameAs } from '@/ui/same-as'
import { Cell, Row, Table } from '@/ui/table'
import { Time } from '@/ui/time'
import { nameOf } from './formats'
import { LimitedMails, MailChoices } from './mail-choice'
import { WebhookState } from './webhook-state'

const NewWebhook = lazy(() => import('./new-webhook').then((module) => ({ default: module.NewWebhook })))

/** Who sees only some projects has the mails of the team alone. */
export function Webhooks() {
  return useIsLimited() ? <LimitedMails /> : <AllWebhooks />
}

function AllWebhooks() {
  const { team } = useRequiredRoute()
  const trpc = useTRPC()
  const role = useRole()
  const [isCreating, setCreating] = useState(false)
  const webhooks = useInfiniteQuery(trpc.webhooks.list.infiniteQueryOptions({ limit: 50 }, byCursor))
  return (
    <Page
      title="Webhooks"
      note="What happens in the team, sent to programs of yours, to a channel, or by mail."
      actions={
        <>
          <SameAs
            isKnown={true}
            method="GET"
            path={['v1', 'webhooks']}
            svc={{ words: ['webhooks'] }}
            client={{ call: 'webhooks.list.query', input: {} }}
          />
          {role === 'owner' && (
            <Button look="primary" onClick={() => setCreating(true)}>
              New webhook
            </Button>
          )}
        </>
      }
    >
      {role === 'member' && (
        <div className="mb-4">
          <OwnersOnly>Only owners create, test and delete webhooks.</OwnersOnly>
        </div>
      )}
      <Pages
        query={webhooks}
        empty={
          <Empty title="No webhooks">
            With one, a program of yours or a channel hears of each deployment, domain and member.{' '}
            <a href="/docs/webhooks" className="text-accent underline">
              How they work
            </a>
          </Empty>
        }
      >
        {(items) => (
          <Table label="Webhooks" columns={['Address', 'Events', 'State', 'Last delivered']}>
            {items.map((webhook) => (
              <Row key={webhook.id}>
                <Cell className="max-w-96">
                  <Link
                    href={teamPath(team, 'webhooks', webhook.id)}
                    prefetch={false}
                    className="block truncate font-medium hover:underline"
                    title={nameOf(webhook)}
                  >
                    {nameOf(webhook)}
                  </Link>
                </Cell>
                <Cell>
                  <span title={webhook.events.join(', ')}>{count(webhook.events.length, 'type')}</span>
                </Cell>
                <Cell>
                  <WebhookState webhook={webhook} />
                </Cell>
                <Cell>
                  {webhook.last_delivery_ms === null ? (
                    <span className="text-dim">never</span>
                  ) : (
                    <Time ms={webhook.last_delivery_ms} />
                  )}
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </Pages>
      <MailChoices />
      {isCreating && (
        <Suspense>
          <NewWebhook onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Page>
  )
}
