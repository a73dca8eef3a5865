'use client'
/** Addresses with which other systems have the project built again; for owners. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { visibleLine } from '@/lib/visible'
import { Button } from '@/ui/button'
import { Section } from '@/ui/card'
import { Empty } from '@/ui/empty'
import { Loaded } from '@/ui/loaded'
import { Revoke } from '@/ui/revoke'
import { Cell, Row, Table } from '@/ui/table'
import { Time } from '@/ui/time'
import { Maker } from './maker'
import type { ProjectRecord } from './use-save'

const NewDeployHook = lazy(() =>
  import('./new-deploy-hook').then((module) => ({ default: module.NewDeployHook })),
)

type DeployHook = Outputs['hooks']['list']['data'][number]

export function DeployHooks({ project }: { project: ProjectRecord }) {
  const trpc = useTRPC()
  const [isCreating, setCreating] = useState(false)
  const hooks = useQuery(trpc.hooks.list.queryOptions({ project: project.id }))
  return (
    <Section
      title="Deploy hooks"
      note="Each has an address: whoever sends a POST there has this project built again."
      actions={<Button onClick={() => setCreating(true)}>New hook</Button>}
    >
      <Loaded query={hooks}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No deploy hooks">Make one for a system that says when its content changed.</Empty>
          ) : (
            <Table label="Deploy hooks" columns={['Name', 'Builds', 'Whose', 'Last used', '']}>
              {data.map((hook) => (
                <HookRow key={hook.id} project={project} hook={hook} />
              ))}
            </Table>
          )
        }
      </Loaded>
      {isCreating && (
        <Suspense>
          <NewDeployHook project={project} onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Section>
  )
}

function HookRow({ project, hook }: { project: ProjectRecord; hook: DeployHook }) {
  const { name, branch, last_used_ms } = hook
  return (
    <Row>
      <Cell className="max-w-48">
        <span className="block truncate font-medium" title={visibleLine(name)}>
          {visibleLine(name)}
        </span>
      </Cell>
      <Cell className="max-w-40">
        {branch === null ? (
          <span className="text-dim">what is live</span>
        ) : (
          <span className="block truncate" title={visibleLine(branch)}>
            {visibleLine(branch)}
          </span>
        )}
      </Cell>
      <Cell className="max-w-40">
        <Maker made={hook} />
      </Cell>
      <Cell>{last_used_ms === 0 ? <span className="text-dim">never</span> : <Time ms={last_used_ms} />}</Cell>
      <Cell className="text-right">
        <RevokeHook project={project} hook={hook} />
      </Cell>
    </Row>
  )
}

function RevokeHook({ project, hook: { id, name } }: { project: ProjectRecord; hook: DeployHook }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const revoke = useMutation(
    trpc.hooks.revoke.mutationOptions({
      onSuccess: () => void queries.invalidateQueries(trpc.hooks.pathFilter()),
    }),
  )
  return (
    <Revoke
      what={`the hook ${visibleLine(name)}`}
      note="Whoever calls its address from now on gets a 404. What it has deployed stays."
      mutation={revoke}
      input={{ project: project.id, id }}
    />
  )
}
