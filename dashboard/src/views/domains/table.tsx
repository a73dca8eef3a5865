'use client'
/** Domains as rows. */
import Link from 'next/link'
import { projectPath, teamPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { Badge } from '@/ui/badge'
import { CopyButton } from '@/ui/copy'
import { Cell, Row, Table } from '@/ui/table'
import { Time } from '@/ui/time'
import { type Domain, stateOf } from './state'

export function DomainTable({ domains }: { domains: Domain[] }) {
  const { team } = useRequiredRoute()
  return (
    <Table label="Domains" columns={['Name', 'State', 'Destination', 'Checked']}>
      {domains.map((domain) => {
        const { tone, word, next } = stateOf(domain)
        return (
          <Row key={domain.id}>
            <Cell className="sm:w-2/5 sm:max-w-0">
              <span className="flex min-w-0 items-center gap-1">
                <Link
                  href={teamPath(team, 'domains', domain.domain)}
                  prefetch={false}
                  title={domain.domain}
                  className="truncate font-medium hover:underline"
                >
                  {domain.domain}
                </Link>
                <CopyButton text={domain.domain} label={`Copy ${domain.domain}`} />
              </span>
            </Cell>
            <Cell>
              <span title={domain.error?.message ?? next}>
                <Badge tone={tone}>{word}</Badge>
              </span>
            </Cell>
            <Cell className="sm:w-1/4 sm:max-w-0">
              <Destination domain={domain} team={team} />
            </Cell>
            <Cell className="text-dim">
              {domain.checked_ms === null ? 'Not yet' : <Time ms={domain.checked_ms} />}
            </Cell>
          </Row>
        )
      })}
    </Table>
  )
}

/** The project that a domain serves, or the host that it redirects to. */
export function Destination({ domain: { project, redirect }, team }: { domain: Domain; team: string }) {
  if (redirect) {
    return (
      <span className="block truncate" title={`${redirect.status} → ${redirect.to}`}>
        → {redirect.to} <span className="text-dim">({redirect.status})</span>
      </span>
    )
  }
  if (project === null) return <span className="text-dim">None</span>
  return (
    <Link
      href={projectPath(team, project)}
      prefetch={false}
      title={project}
      className="block truncate hover:underline"
    >
      {project}
    </Link>
  )
}
