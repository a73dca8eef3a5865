'use client'
/** What the forge sent, and what came of it. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { type Outputs, useTRPC } from '@/lib/api'
import { deploymentPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { visibleLine } from '@/lib/visible'
import { Badge } from '@/ui/badge'
import { Empty } from '@/ui/empty'
import { Loaded } from '@/ui/loaded'
import { Cell, Row, Table } from '@/ui/table'
import { Time } from '@/ui/time'
import type { ProjectRecord } from './use-save'

type Delivery = Outputs['git']['deliveries']['data'][number]

/** The newest ones; `svc git deliveries` has all. */
const rows = 20

/** While one is under way. */
const againMs = 2_000

export function RepositoryDeliveries({ project }: { project: ProjectRecord }) {
  const trpc = useTRPC()
  const deliveries = useQuery(
    trpc.git.deliveries.queryOptions(
      { project: project.id },
      {
        refetchInterval: ({ state }) =>
          state.data?.data.some(({ status }) => status === 'pending') ? againMs : false,
      },
    ),
  )
  return (
    <div className="mt-4">
      <Loaded query={deliveries}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="Nothing was sent yet">Push, or have the forge send a test.</Empty>
          ) : (
            <Table label="Deliveries" columns={['When', 'Event', 'Branch', 'What came of it']}>
              {data.slice(0, rows).map((delivery) => (
                <DeliveryRow key={delivery.id} project={project} delivery={delivery} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </div>
  )
}

const tones = { pending: 'busy', done: 'good', failed: 'bad' } as const

function DeliveryRow({ project, delivery }: { project: ProjectRecord; delivery: Delivery }) {
  const { team } = useRequiredRoute()
  const { event, branch, commit, status, outcome, deployment, received_ms } = delivery
  return (
    <Row>
      <Cell>
        <Time ms={received_ms} />
      </Cell>
      <Cell>{visibleLine(event)}</Cell>
      <Cell className="max-w-48">
        <span className="block truncate" title={visibleLine(branch ?? '')}>
          {branch === null ? '' : visibleLine(branch)}
        </span>
        {commit !== null && <span className="block font-mono text-dim">{commit.slice(0, 10)}</span>}
      </Cell>
      <Cell className="max-w-80">
        <Badge tone={tones[status]}>{status}</Badge>{' '}
        {deployment === null ? (
          <span className="break-words">{visibleLine(outcome ?? 'It waits.')}</span>
        ) : (
          <Link href={deploymentPath(team, project.name, deployment)} className="underline">
            Deployment
          </Link>
        )}
      </Cell>
    </Row>
  )
}
