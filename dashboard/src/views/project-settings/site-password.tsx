'use client'
/** The password that opens a project's protected addresses in a browser. */
import { useState } from 'react'
import { Button } from '@/ui/button'
import { TextField } from '@/ui/field'
import { SettingsForm } from './settings-form'
import { type ProjectRecord, useSave } from './use-save'

export function SitePassword({ project, isOwner }: { project: ProjectRecord; isOwner: boolean }) {
  const [password, setPassword] = useState('')
  const { save, isSaving, error, errorOf } = useSave(project, () => setPassword(''))
  return (
    <SettingsForm
      title="Password"
      note="Visitors of protected addresses may type it instead of signing in."
      isChanged={password !== ''}
      isSaving={isSaving}
      error={error}
      onSave={() => save({ password })}
    >
      <TextField
        label={project.password_set ? 'New password' : 'Password'}
        hint={
          project.password_set
            ? 'One is set; a new one ends the visits of who came with it.'
            : 'At least 8 characters. None is set.'
        }
        type="password"
        autoComplete="new-password"
        maxLength={128}
        value={password}
        error={errorOf('password')}
        disabled={!isOwner}
        onChange={(event) => setPassword(event.target.value)}
      />
      {project.password_set && (
        <div>
          <Button disabled={!isOwner} busy={isSaving} onClick={() => save({ password: null })}>
            Remove the password
          </Button>
        </div>
      )}
    </SettingsForm>
  )
}
