'use client'
/** The newest preview of each branch. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { type Outputs, useTRPC } from '@/lib/api'
import { deploymentPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { StateBadge } from '@/ui/badge'
import { Section } from '@/ui/card'
import { Copyable } from '@/ui/copy'
import { Cell, Row, Table } from '@/ui/table'
import { Time } from '@/ui/time'

/** Among these, newest first. */
const looked = 100

type Props = { project: Pick<Outputs['projects']['get'], 'name' | 'branches'> }

export function Previews({ project: { name: project, branches: addresses = [] } }: Props) {
  const { team } = useRequiredRoute()
  const trpc = useTRPC()
  const { data } = useQuery(trpc.deployments.list.queryOptions({ project, target: 'preview', limit: looked }))
  const addressOf = (branch: string | undefined) => addresses.find(({ name }) => name === branch)?.url
  const branches = new Map(data?.data.toReversed().map((each) => [each.meta.branch, each]))
  branches.delete(undefined)
  if (branches.size === 0) return null
  return (
    <Section title="Previews" note="The newest of each branch.">
      <Table label="Previews" columns={['Branch', 'State', 'Address', 'Created']}>
        {[...branches].toReversed().map(([branch, { id, state, url, created_ms }]) => (
          <Row key={id}>
            <Cell className="max-w-64">
              <Link
                href={deploymentPath(team, project, id)}
                prefetch={false}
                className="block truncate font-medium hover:underline"
              >
                {branch}
              </Link>
            </Cell>
            <Cell>
              <StateBadge state={state} />
            </Cell>
            <Cell className="max-w-80">
              <Copyable text={addressOf(branch) ?? url} label="Copy the address" />
            </Cell>
            <Cell>
              <Time ms={created_ms} />
            </Cell>
          </Row>
        ))}
      </Table>
    </Section>
  )
}
