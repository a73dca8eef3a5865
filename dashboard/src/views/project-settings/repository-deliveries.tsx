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

/** Deliveries make no events of their own. */
const againMs = 10_000

/** While one is under way. */
const pendingAgainMs = 2_000

export function RepositoryDeliveries({ project }: { project: ProjectRecord }) {
  const trpc = useTRPC()
  const deliveries = useQuery(
    trpc.git.deliveries.queryOptions(
      { project: project.id },
      {
        refetchInterval: ({ state }) =>
          state.data?.data.some(({ status }) => status === 'pending') ? pendingAgainMs : againMs,
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
      <Cell className="break-words sm:max-w-40">{visibleLine(event)}</Cell>
      <Cell className="sm:max-w-40">
        {branch !== null && <Branch name={visibleLine(branch)} commit={commit} />}
      </Cell>
      <Cell className="wrap-anywhere sm:max-w-80">
        <Badge tone={tones[status]}>{status}</Badge>{' '}
        {deployment === null ? (
          visibleLine(outcome ?? 'It waits.')
        ) : (
          <Link href={deploymentPath(team, project.name, deployment)} className="underline">
            Deployment
          </Link>
        )}
      </Cell>
    </Row>
  )
}

/** A phone has no pointer to rest on a name that is cut. */
function Branch({ name, commit }: { name: string; commit: string | null }) {
  return (
    <>
      <span
        className="block truncate max-sm:inline max-sm:whitespace-normal max-sm:wrap-anywhere"
        title={name}
      >
        {name}
      </span>
      {commit !== null && <span className="block font-mono text-dim">{commit.slice(0, 10)}</span>}
    </>
  )
}
