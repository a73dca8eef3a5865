'use client'
/** A webhook with its deliveries. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { lazy, Suspense, useState } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { teamPath } from '@/lib/paths'
import { useRole } from '@/lib/role'
import { useRequiredRoute } from '@/lib/route'
import { Button } from '@/ui/button'
import { Card, Section } from '@/ui/card'
import { Copyable } from '@/ui/copy'
import { Loaded } from '@/ui/loaded'
import { Page } from '@/ui/page'
import { Problem } from '@/ui/problem'
import { SameAs } from '@/ui/same-as'
import { useToast } from '@/ui/toasts'
import { Deliveries } from './deliveries'
import { formats, hostOf, nameOf } from './formats'
import { MailChoice } from './mail-choice'
import { WebhookState } from './webhook-state'

const Confirm = lazy(() => import('@/ui/dialog').then((module) => ({ default: module.Confirm })))

type WebhookDetails = Outputs['webhooks']['get']

/** Deliveries make no events of their own. */
const everyMs = 3_000

export function Webhook() {
  const { rest } = useRequiredRoute()
  const [, id = ''] = rest
  const trpc = useTRPC()
  const webhook = useQuery(trpc.webhooks.get.queryOptions({ webhook: id }, { refetchInterval: everyMs }))
  return (
    <Loaded query={webhook} title="Webhook">
      {(found) => <Found webhook={found} />}
    </Loaded>
  )
}

function Found({ webhook }: { webhook: WebhookDetails }) {
  const { id, format, url, events, projects } = webhook
  const isOwner = useRole() === 'owner'
  return (
    <Page
      title={hostOf(webhook)}
      tabTitle={format === 'mail' ? 'Mails of the team' : `Webhook to ${hostOf(webhook)}`}
      note={<WebhookState webhook={webhook} />}
      actions={
        <>
          <SameAs
            isKnown={true}
            method="GET"
            path={['v1', 'webhooks', id]}
            svc={{ words: ['webhooks', 'show'], values: [id] }}
            client={{ call: 'webhooks.get.query', input: { webhook: id } }}
          />
          {isOwner && <OwnerActions webhook={webhook} />}
        </>
      }
    >
      <Card>
        <dl className="grid gap-2 sm:grid-cols-[8rem_1fr]">
          <dt className="text-dim">Format</dt>
          <dd>{formats[format].name}</dd>
          {format !== 'mail' && (
            <>
              <dt className="text-dim">Address</dt>
              <dd className="min-w-0">
                {format === 'standard' ? <Copyable text={url} label="Copy the address" /> : url}
              </dd>
            </>
          )}
          <dt className="text-dim">Id</dt>
          <dd className="min-w-0">
            <Copyable text={id} label="Copy the id" />
          </dd>
          <dt className="text-dim">Events</dt>
          <dd>{events.join(', ')}</dd>
          <dt className="text-dim">Projects</dt>
          <dd>{projects === null ? 'all' : projects.join(', ') || 'none is left'}</dd>
        </dl>
      </Card>
      {format === 'mail' && (
        <Section title="Mails to you">
          <MailChoice webhook={id} />
        </Section>
      )}
      <Section title="Deliveries">
        <Deliveries webhook={id} isOwner={isOwner} />
      </Section>
    </Page>
  )
}

function OwnerActions({ webhook }: { webhook: WebhookDetails }) {
  const { team } = useRequiredRoute()
  const trpc = useTRPC()
  const queries = useQueryClient()
  const router = useRouter()
  const toast = useToast()
  const [isOpen, setOpen] = useState(false)
  const refetch = () => queries.invalidateQueries(trpc.webhooks.pathFilter())
  const enable = useMutation(trpc.webhooks.enable.mutationOptions({ onSuccess: refetch }))
  const test = useMutation(
    trpc.webhooks.test.mutationOptions({
      onSuccess() {
        refetch()
        toast('A webhook.ping is on its way.')
      },
    }),
  )
  const failure = enable.error ?? test.error
  const remove = useMutation(
    trpc.webhooks.delete.mutationOptions({
      onSuccess() {
        router.push(teamPath(team, 'webhooks'))
        refetch()
      },
    }),
  )
  return (
    <>
      {!webhook.enabled && (
        <Button look="primary" busy={enable.isPending} onClick={() => enable.mutate({ webhook: webhook.id })}>
          Turn on again
        </Button>
      )}
      {webhook.enabled && (
        <Button busy={test.isPending} onClick={() => test.mutate({ webhook: webhook.id })}>
          Send a test
        </Button>
      )}
      <Button look="danger" onClick={() => setOpen(true)}>
        Delete
      </Button>
      {failure && <Problem error={failure} />}
      {isOpen && (
        <Suspense>
          <Confirm
            title="Delete this webhook?"
            note={`${nameOf(webhook)} receives nothing more. Deliveries under way are dropped.`}
            action="Delete"
            danger
            busy={remove.isPending}
            error={remove.error}
            onClose={() => setOpen(false)}
            onSubmit={() => remove.mutate({ webhook: webhook.id })}
          />
        </Suspense>
      )}
    </>
  )
}
