'use client'
/** The name of a team, its plan with the limits, and its deletion. */
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { useRequiredRoute } from '@/lib/route'
import { Section } from '@/ui/card'
import { Copyable } from '@/ui/copy'
import { Loaded } from '@/ui/loaded'
import { SameAs } from '@/ui/same-as'
import { DeleteTeam } from './delete-team'
import { Limits } from './limits'
import { RequireFactor } from './require-factor'
import { SettingsPage } from './settings-page'
import { TeamName } from './team-name'

export function General() {
  const { team: slug } = useRequiredRoute()
  const trpc = useTRPC()
  const team = useQuery(trpc.teams.get.queryOptions({ team: slug }))
  return (
    <SettingsPage
      title="Settings"
      actions={
        <SameAs
          isKnown={team.data !== undefined}
          method="GET"
          path={['v1', 'teams', slug]}
          svc={{ words: ['teams', 'show'], values: [slug] }}
          client={{ call: 'teams.get.query', input: { team: slug } }}
        />
      }
    >
      <Loaded query={team}>
        {(found) => (
          <>
            <Section title="Team">
              <TeamName key={found.name} team={found} />
              <p className="mt-3 flex flex-wrap items-center gap-x-3 text-dim">
                Slug <Copyable text={found.slug} label="Copy the slug" />
                Id <Copyable text={found.id} label="Copy the id" />
              </p>
            </Section>
            <Limits />
            <RequireFactor team={found} />
            <DeleteTeam team={found} />
          </>
        )}
      </Loaded>
    </SettingsPage>
  )
}
