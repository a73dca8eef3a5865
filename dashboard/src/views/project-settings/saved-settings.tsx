'use client'
/** The settings of a project that one button saves. */
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { classNames } from '@/lib/class-names'
import { projectPath } from '@/lib/paths'
import { useIsLimited } from '@/lib/role'
import { useRequiredRoute } from '@/lib/route'
import { Button } from '@/ui/button'
import { Problem } from '@/ui/problem'
import { useToast } from '@/ui/toasts'
import { BuildSettings } from './build-settings'
import { type Changes, mergeChanges } from './changes'
import { ProjectName } from './project-name'
import { Protection } from './protection'
import { ServerSettings } from './server-settings'
import { Serving } from './serving'
import { type ProjectRecord, useSave } from './use-save'

export function SavedSettings({ project, isOwner }: { project: ProjectRecord; isOwner: boolean }) {
  const { team } = useRequiredRoute()
  const router = useRouter()
  const isLimited = useIsLimited()
  const toast = useToast()
  const [changes, setChanges] = useState<Changes>({})
  const { save, isSaving, error, errorOf } = useSave(project, (saved) => {
    setChanges({})
    if (saved.name !== project.name) router.replace(projectPath(team, saved.name, 'settings'))
  })
  const change = (next: Changes) => setChanges((before) => mergeChanges(project, before, next))
  const isChanged = Object.keys(changes).length > 0
  const parts = { project, changes, change, errorOf, isOwner }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged) save(changes)
    else toast('Nothing has changed.')
  }
  return (
    <form onSubmit={submit}>
      <BuildSettings {...parts} />
      <ServerSettings {...parts} />
      <Serving {...parts} />
      <Protection {...parts} />
      {!isLimited && <ProjectName {...parts} />}
      <div
        className={classNames(
          'mt-4 grid gap-3 border-line border-t bg-page py-3',
          // Otherwise it would cover what it has nothing to do with yet.
          isChanged && 'sticky bottom-0 z-10',
        )}
      >
        {error !== null && <Problem error={error} title="Not saved" />}
        <div className="flex items-center gap-2">
          <Button type="submit" look="primary" busy={isSaving}>
            Save
          </Button>
          {isChanged && <Button onClick={() => setChanges({})}>Discard the changes</Button>}
        </div>
      </div>
    </form>
  )
}
