'use client'
/** The settings of a project: those that are saved together, then what takes effect at once. */
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { useRole } from '@/lib/role'
import { useProject } from '@/lib/route'
import { Loaded } from '@/ui/loaded'
import { Page } from '@/ui/page'
import { OwnersOnly } from '@/ui/problem'
import { SameAs } from '@/ui/same-as'
import { BypassSecret } from './bypass-secret'
import { DeleteProject } from './delete-project'
import { DeployHooks } from './deploy-hooks'
import { Env } from './env'
import { Repository } from './repository'
import { SavedSettings } from './saved-settings'
import { ShareLinks } from './share-links'
import { SitePassword } from './site-password'

export function ProjectSettings() {
  const name = useProject()
  const trpc = useTRPC()
  const isOwner = useRole() === 'owner'
  const project = useQuery(trpc.projects.get.queryOptions({ project: name }))
  return (
    <Page
      title="Settings"
      tabTitle={`Settings of ${name}`}
      actions={
        <SameAs
          isKnown={project.data !== undefined}
          method="PUT"
          path={['v1', 'projects', name]}
          body={{ spa: true }}
          svc={{ words: ['projects', 'set'], options: { '--help': true }, values: [name] }}
          client={{ call: 'projects.put.mutate', input: { project: name, spa: true } }}
        />
      }
    >
      <Loaded query={project}>
        {(found) => (
          <div className="max-w-3xl">
            {!isOwner && (
              <div className="mb-6">
                <OwnersOnly>
                  Some settings are for owners: protection, the password, promotion, the lifetime of previews,
                  what a server may take, the repository, deploy hooks, and deletion.
                </OwnersOnly>
              </div>
            )}
            <SavedSettings key={found.id} project={found} isOwner={isOwner} />
            <Env project={found} />
            <BypassSecret key={`bypass ${found.id}`} project={found} isOwner={isOwner} />
            <SitePassword project={found} isOwner={isOwner} />
            <ShareLinks project={found} />
            {isOwner && <Repository project={found} />}
            {isOwner && <DeployHooks project={found} />}
            <DeleteProject project={found} isOwner={isOwner} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}
