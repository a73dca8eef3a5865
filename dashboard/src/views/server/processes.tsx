'use client'
/** The processes of a project's servers, of previews too. */
import Link from 'next/link'
import type { Outputs } from '@/lib/api'
import { size } from '@/lib/format'
import { deploymentPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { visibleLine } from '@/lib/visible'
import { Empty } from '@/ui/empty'
import { Cell, Row, Table } from '@/ui/table'
import { Time } from '@/ui/time'
import { ServerState } from './state'

export function Processes({ running }: { running: Outputs['ps']['list']['data'] }) {
  const { team } = useRequiredRoute()
  if (running.length === 0)
    return <Empty title="Nothing runs">The first request to a site starts its server.</Empty>
  return (
    <Table
      label="Processes"
      columns={['Deployment', 'Variables', 'State', 'Memory', 'Since', 'Restarts', 'Node']}
    >
      {running.map(({ project, deployment, target, live, node, state, since_ms, memory_bytes, restarts }) => (
        <Row key={`${deployment} ${target} ${node}`}>
          <Cell className="max-w-48">
            <Link
              href={deploymentPath(team, project, deployment)}
              prefetch={false}
              className="block truncate font-medium hover:underline"
            >
              {live ? 'Live' : deployment}
            </Link>
          </Cell>
          <Cell>{target}</Cell>
          <Cell>
            <ServerState state={state} />
          </Cell>
          <Cell>{memory_bytes === null ? <span className="text-dim">–</span> : size(memory_bytes)}</Cell>
          <Cell>
            <Time ms={since_ms} />
          </Cell>
          <Cell>{restarts}</Cell>
          <Cell className="max-w-40 truncate">{visibleLine(node)}</Cell>
        </Row>
      ))}
    </Table>
  )
}
