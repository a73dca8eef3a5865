'use client'
/** The dialog that makes a webhook, and shows its secret, if it has one, once. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { Snippet } from '@/ui/copy'
import { CopyOnce } from '@/ui/copy-once'
import { FormDialog } from '@/ui/dialog'
import { Select, TextField } from '@/ui/field'
import type { EventType } from '../../../../src/lib/names/event-types.ts'
import { EventChoice } from './event-choice'
import { type Format, formats } from './formats'

const verification = `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
const event = webhook.verify(body, request.headers)`

const formatNames: Format[] = ['standard', 'slack', 'discord', 'mail']

export function NewWebhook({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const projects = useQuery(trpc.projects.list.queryOptions({ limit: 100 }))
  const [format, setFormat] = useState<Format>('standard')
  const [url, setUrl] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<EventType>>()
  const { note, address, events: usual } = formats[format]
  const events = chosen ?? new Set(usual)
  const [project, setProject] = useState('')
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      onSuccess(made) {
        queries.invalidateQueries(trpc.webhooks.pathFilter())
        // The others have nothing to show.
        if (made.format !== 'standard') onClose()
      },
    }),
  )
  const { fields } = problemOf(create.error)
  if (create.data?.secret !== undefined) return <Created secret={create.data.secret} onClose={onClose} />
  const choices = [
    { value: '', label: 'Of all projects' },
    ...(projects.data?.data ?? []).map(({ name }) => ({ value: name, label: `Of ${name} only` })),
  ]
  return (
    <FormDialog
      title="New webhook"
      wide
      action="Create"
      busy={create.isPending}
      error={create.error}
      fields={['url', 'format']}
      onClose={onClose}
      onSubmit={() =>
        create.mutate({
          format,
          ...(address && { url }),
          events: [...events],
          ...(project !== '' && { projects: [project] }),
        })
      }
    >
      <Select
        label="Format"
        options={formatNames.map((value) => ({ value, label: formats[value].name }))}
        value={format}
        hint={note}
        error={fields.get('format')}
        onChange={({ target: { value } }) => {
          setFormat(formatNames.find((each) => each === value) ?? 'standard')
          create.reset()
        }}
      />
      {address && (
        <TextField
          label={address.label}
          type="url"
          placeholder={address.placeholder}
          hint={address.hint}
          required
          value={url}
          error={fields.get('url')}
          onChange={(event) => setUrl(event.target.value)}
          autoComplete="off"
        />
      )}
      <EventChoice chosen={events} onChange={setChosen} />
      <Select
        label="Projects"
        options={choices}
        value={project}
        onChange={(event) => setProject(event.target.value)}
      />
    </FormDialog>
  )
}

function Created({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <CopyOnce
      title="Copy the secret now"
      note="It signs the requests to your endpoint, and is shown this once."
      onClose={onClose}
      wide
    >
      <Snippet text={secret} label="Copy the secret" />
      <div className="min-w-0">
        <h3 className="mb-1 font-medium">To verify a request, on its raw body</h3>
        <Snippet text={verification} label="Copy the verification" />
        <p className="mt-2 text-dim">
          Other languages, and without a package:{' '}
          <a href="/docs/signing" className="text-accent underline">
            Signing
          </a>
        </p>
      </div>
    </CopyOnce>
  )
}
