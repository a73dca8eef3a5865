'use client'
/** Which mails of the team the person gets: nobody chooses for somebody else. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Outputs, useTRPC } from '@/lib/api'
import { Card, Section } from '@/ui/card'
import { Empty } from '@/ui/empty'
import { Switch } from '@/ui/field'
import { Page } from '@/ui/page'
import { Problem } from '@/ui/problem'

type Choice = Outputs['webhooks']['mails'][number]

/** All that the team has; nothing where it has none. */
export function MailChoices() {
  const choices = useQuery(useTRPC().webhooks.mails.queryOptions({}))
  if (!choices.data || choices.data.length === 0) return null
  return (
    <Section title="Mails to you" note="Each member chooses for themselves.">
      <Card className="grid gap-4">
        {choices.data.map((choice) => (
          <OneChoice key={choice.webhook} choice={choice} />
        ))}
      </Card>
    </Section>
  )
}

/** The page of who sees only some projects. */
export function LimitedMails() {
  const choices = useQuery(useTRPC().webhooks.mails.queryOptions({}))
  return (
    <Page
      title="Mails"
      note="What happens in your projects, if you choose it. Owners of the team offer mails."
    >
      {choices.data?.length === 0 ? <Empty title="No mails to choose from" /> : <MailChoices />}
      {choices.error && <Problem error={choices.error} />}
    </Page>
  )
}

/** The mails of one webhook. */
export function MailChoice({ webhook }: { webhook: string }) {
  const choices = useQuery(useTRPC().webhooks.mails.queryOptions({}))
  const choice = choices.data?.find((each) => each.webhook === webhook)
  if (choices.error) return <Problem error={choices.error} />
  return <Card>{choice && <OneChoice choice={choice} />}</Card>
}

function OneChoice({ choice: { webhook, events, projects, enabled, chosen } }: { choice: Choice }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const options = { onSettled: () => queries.invalidateQueries(trpc.webhooks.mails.queryFilter()) }
  const subscribe = useMutation(trpc.webhooks.subscribe.mutationOptions(options))
  const unsubscribe = useMutation(trpc.webhooks.unsubscribe.mutationOptions(options))
  const failure = subscribe.error ?? unsubscribe.error
  const place = projects === null ? 'all projects' : projects.join(', ') || 'no project that is left'
  return (
    <div>
      <Switch
        label={`Mail me about ${place}`}
        hint={`${events.join(', ')}${enabled ? '' : ' (off at present)'}`}
        checked={chosen}
        disabled={subscribe.isPending || unsubscribe.isPending}
        onChange={(event) => (event.target.checked ? subscribe : unsubscribe).mutate({ webhook })}
      />
      {failure && <Problem error={failure} />}
    </div>
  )
}
