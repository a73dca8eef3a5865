'use client'
/** Links that open one of a project's protected addresses to whoever has them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { Button } from '@/ui/button'
import { Section } from '@/ui/card'
import { Empty } from '@/ui/empty'
import { Loaded } from '@/ui/loaded'
import { Revoke } from '@/ui/revoke'
import { Cell, Row, Table } from '@/ui/table'
import { Day, Time } from '@/ui/time'
import { Maker } from './maker'
import type { ProjectRecord } from './use-save'

const NewShareLink = lazy(() =>
  import('./new-share-link').then((module) => ({ default: module.NewShareLink })),
)

type ShareLink = Outputs['links']['list']['data'][number]

export function ShareLinks({ project }: { project: ProjectRecord }) {
  const trpc = useTRPC()
  const [isCreating, setCreating] = useState(false)
  const links = useQuery(trpc.links.list.queryOptions({ project: project.id }))
  return (
    <Section
      title="Share links"
      note="Each opens one protected address to whoever has it, until it ends."
      actions={<Button onClick={() => setCreating(true)}>New link</Button>}
    >
      <Loaded query={links}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No share links">Make one for people who are not in the team.</Empty>
          ) : (
            <Table label="Share links" columns={['Address', 'Whose', 'Created', 'Ends', '']}>
              {data.map((link) => (
                <LinkRow key={link.id} project={project} link={link} />
              ))}
            </Table>
          )
        }
      </Loaded>
      {isCreating && (
        <Suspense>
          <NewShareLink project={project} onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Section>
  )
}

function LinkRow({ project, link }: { project: ProjectRecord; link: ShareLink }) {
  const { host, created_ms, expires_ms } = link
  return (
    <Row>
      <Cell className="max-w-64">
        <span className="block truncate font-medium" title={host}>
          {host}
        </span>
      </Cell>
      <Cell className="max-w-48">
        <Maker made={link} />
      </Cell>
      <Cell>
        <Time ms={created_ms} />
      </Cell>
      <Cell>
        <Day ms={expires_ms} />
      </Cell>
      <Cell className="text-right">
        <RevokeLink project={project} link={link} />
      </Cell>
    </Row>
  )
}

function RevokeLink({ project, link: { id, host } }: { project: ProjectRecord; link: ShareLink }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const revoke = useMutation(
    trpc.links.revoke.mutationOptions({
      onSuccess: () => void queries.invalidateQueries(trpc.links.pathFilter()),
    }),
  )
  return (
    <Revoke
      what={`the link to ${host}`}
      note="Who came with a link of this project is out, and comes back with one that goes on."
      mutation={revoke}
      input={{ project: project.id, id }}
    />
  )
}
