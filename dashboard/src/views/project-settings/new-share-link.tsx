'use client'
/** The dialog that makes a share link and shows it once. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { Snippet } from '@/ui/copy'
import { CopyOnce } from '@/ui/copy-once'
import { FormDialog } from '@/ui/dialog'
import { Select } from '@/ui/field'
import type { ProjectRecord } from './use-save'

const dayMs = 86_400_000

const spans = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
]

/** How many of the latest deployments can be chosen; `svc share` takes any. */
const deploymentsShown = 20

export function NewShareLink({ project, onClose }: { project: ProjectRecord; onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const production = new URL(project.production_url).host
  const [host, setHost] = useState(production)
  const [days, setDays] = useState('7')
  const latest = useQuery(
    trpc.deployments.list.queryOptions({ project: project.id, state: 'ready', limit: deploymentsShown }),
  )
  const create = useMutation(
    trpc.links.create.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.links.pathFilter()),
    }),
  )
  if (create.data) return <Created url={create.data.url} onClose={onClose} />
  const hosts = [
    { value: production, label: `${production} (production)` },
    ...project.domains.map((domain) => ({ value: domain, label: domain })),
    ...(latest.data?.data ?? []).map(({ url }) => ({ value: new URL(url).host, label: new URL(url).host })),
  ]
  return (
    <FormDialog
      title="New share link"
      note={noteOf(project, host)}
      action="Create"
      busy={create.isPending}
      error={create.error}
      fields={['host']}
      onClose={onClose}
      onSubmit={() =>
        create.mutate({
          project: project.id,
          host,
          // A second less than the most, since the clock of the server may be behind.
          expires_ms: Date.now() + Number(days) * dayMs - 1_000,
        })
      }
    >
      <Select
        label="Address"
        options={hosts}
        value={host}
        error={problemOf(create.error).fields.get('host')}
        onChange={(event) => setHost(event.target.value)}
      />
      <Select
        label="Ends in"
        options={spans}
        value={days}
        onChange={(event) => setDays(event.target.value)}
      />
    </FormDialog>
  )
}

/** A link to what everybody sees opens nothing. */
function noteOf({ protection, production_url, domains }: ProjectRecord, host: string): string | undefined {
  const isProduction = host === new URL(production_url).host || domains.includes(host)
  if (protection === 'none') return 'This project is not protected: everybody sees it without a link, too.'
  if (protection === 'preview' && isProduction)
    return 'Production is not protected: everybody sees this address without a link, too.'
  return undefined
}

function Created({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <CopyOnce
      title="Copy the link now"
      note="It is shown this once. Whoever has it may see this address until it ends, or you revoke it."
      onClose={onClose}
    >
      <Snippet text={url} label="Copy the link" />
    </CopyOnce>
  )
}
