'use client'
/** The deliveries of the forge, and what came of each. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { deploymentPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { visibleLine } from '@/lib/visible'
import { Badge, type Tone } from '@/ui/badge'
import { Empty } from '@/ui/empty'
import { Loaded } from '@/ui/loaded'
import { Cell, Row, Table } from '@/ui/table'
import { Time } from '@/ui/time'
import { forgeLinks } from '../../../../src/lib/forge-links.ts'
import { ApproveFork } from './approve-fork'
import { RetryDelivery } from './retry-delivery'
import type { ProjectRecord } from './use-save'

type Delivery = Outputs['git']['deliveries']['data'][number]

/** The newest ones; `svc git deliveries` has all. */
const rows = 20

/** Whether a delivery is listed: one that waits for somebody is, however old it is. */
const isListed = ({ status }: Delivery, at: number) => at < rows || status === 'waiting'

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
        {({ data, refused }) => (
          <>
            <Refused refused={refused} />
            {data.length === 0 ? (
              <Empty title="Nothing was sent yet">Push, or have the forge send a test.</Empty>
            ) : (
              <Table label="Deliveries" columns={['When', 'Event', 'Branch', 'What came of it']}>
                {data.filter(isListed).map((delivery) => (
                  <DeliveryRow key={delivery.id} project={project} delivery={delivery} />
                ))}
              </Table>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

/** The deliveries, by the forge or somebody else, that were refused since the last that was right. */
function Refused({ refused }: { refused: Outputs['git']['deliveries']['refused'] }) {
  if (refused.length === 0) return null
  return (
    <ul className="mb-4" aria-label="Refused deliveries">
      {refused.map(({ kind, count, since_ms, why }) => (
        <li key={kind}>
          <Badge tone="bad">{count} refused</Badge> since <Time ms={since_ms} />: {why}.
        </li>
      ))}
    </ul>
  )
}

const tones = { waiting: 'warn', pending: 'busy', failed: 'bad' } as const

/** Where there was nothing to do, nothing has succeeded either. */
function toneOf({ status, deployment }: Delivery): Tone {
  if (status === 'done') return deployment === null ? 'neutral' : 'good'
  return tones[status]
}

function DeliveryRow({ project, delivery }: { project: ProjectRecord; delivery: Delivery }) {
  const { team } = useRequiredRoute()
  const { event, status, outcome, deployment, received_ms } = delivery
  return (
    <Row>
      <Cell>
        <Time ms={received_ms} />
      </Cell>
      <Cell className="break-words sm:max-w-40">{visibleLine(event)}</Cell>
      <Cell className="sm:max-w-40">
        <Place project={project} delivery={delivery} />
      </Cell>
      <Cell className="wrap-anywhere sm:max-w-80">
        <Badge tone={toneOf(delivery)}>{status}</Badge>{' '}
        {deployment === null ? (
          visibleLine(outcome ?? 'It waits.')
        ) : (
          <Link href={deploymentPath(team, project.name, deployment)} className="underline">
            Deployment
          </Link>
        )}
        {status === 'failed' && <RetryDelivery project={project} delivery={delivery} />}
        {status === 'waiting' && <ApproveFork project={project} delivery={delivery} />}
      </Cell>
    </Row>
  )
}

/** The branch, which a fork's has not, the pull request and the commit. */
function Place({ project, delivery }: { project: ProjectRecord; delivery: Delivery }) {
  const { branch, commit, pull_request: number } = delivery
  const { commit: commitUrl, pullRequest: url } = linksOf(project, delivery)
  return (
    <>
      {branch !== null && <Branch name={visibleLine(branch)} />}
      {number !== null && (
        <span className="block">
          <Elsewhere href={url}>Pull request {number}</Elsewhere>
        </span>
      )}
      {commit !== null && (
        <span className="block font-mono text-dim">
          <Elsewhere href={commitUrl}>{commit.slice(0, 10)}</Elsewhere>
        </span>
      )}
    </>
  )
}

function linksOf({ git }: ProjectRecord, { commit, pull_request: number }: Delivery) {
  return forgeLinks({
    ...(git.url !== null && { repository: git.url }),
    ...(commit !== null && { commit }),
    ...(number !== null && { pull_request: String(number) }),
  })
}

function Elsewhere({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined) return children
  return (
    <a href={href} rel="noreferrer" title={href} className="inline-block py-1 underline hover:no-underline">
      {children}
    </a>
  )
}

/** A phone has no pointer to rest on a name that is cut. */
function Branch({ name }: { name: string }) {
  return (
    <span className="block truncate max-sm:inline max-sm:whitespace-normal max-sm:wrap-anywhere" title={name}>
      {name}
    </span>
  )
}
