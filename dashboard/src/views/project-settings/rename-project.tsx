'use client'
/** Renames a project. */
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { projectPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { TextField } from '@/ui/field'
import { SettingsForm } from './settings-form'
import { type ProjectRecord, useSave } from './use-save'

export function RenameProject({ project }: { project: ProjectRecord }) {
  const { team } = useRequiredRoute()
  const router = useRouter()
  const [name, setName] = useState(project.name)
  const { save, isSaving, error, errorOf } = useSave(project, (saved) =>
    router.replace(projectPath(team, saved.name, 'settings')),
  )
  return (
    <SettingsForm
      title="Name"
      note={
        `Its addresses stay as they are, ${new URL(project.production_url).host} too. ` +
        'Links to pages of this project change.'
      }
      isChanged={name !== project.name && name !== ''}
      isSaving={isSaving}
      error={error}
      onSave={() => save({ name })}
    >
      <TextField
        label="Name"
        value={name}
        error={errorOf('name')}
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
        spellCheck={false}
      />
    </SettingsForm>
  )
}
