'use client'
/** The domains of a project. */
import Link from 'next/link'
import { projectPath, teamPath } from '@/lib/paths'
import { useProject, useRequiredRoute } from '@/lib/route'
import { LinkButton } from '@/ui/button'
import { Card, Section } from '@/ui/card'

export function ProjectDomains({ names }: { names: string[] }) {
  const { team } = useRequiredRoute()
  const project = useProject()
  return (
    <Section
      title="Domains"
      actions={
        <LinkButton href={projectPath(team, project, 'domains')} prefetch={false}>
          Manage
        </LinkButton>
      }
    >
      {names.length === 0 ? (
        <p className="text-dim">No domain leads here yet.</p>
      ) : (
        <Card>
          <ul className="grid gap-1">
            {names.map((name) => (
              <li key={name}>
                <Link href={teamPath(team, 'domains', name)} prefetch={false} className="hover:underline">
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Section>
  )
}
