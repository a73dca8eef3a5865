'use client'
/** The password that opens a project's protected addresses in a browser. */
import { type FormEvent, useState } from 'react'
import { Button } from '@/ui/button'
import { Section } from '@/ui/card'
import { TextField } from '@/ui/field'
import { Problem } from '@/ui/problem'
import { type ProjectRecord, useSave } from './use-save'

export function SitePassword({ project, isOwner }: { project: ProjectRecord; isOwner: boolean }) {
  const [password, setPassword] = useState('')
  const { save, isSaving, error, errorOf } = useSave(project, () => setPassword(''))
  const problem = errorOf('password')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save({ password })
  }
  return (
    <Section title="Password" note="Visitors of protected addresses may type it instead of signing in.">
      <form onSubmit={submit} className="grid gap-4 rounded-lg border border-line bg-surface p-4">
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
          required
          value={password}
          error={problem}
          disabled={!isOwner}
          onChange={(event) => setPassword(event.target.value)}
        />
        {error !== null && problem === undefined && <Problem error={error} title="Not set" />}
        <div className="flex gap-2">
          <Button type="submit" disabled={!isOwner} busy={isSaving}>
            Set the password
          </Button>
          {project.password_set && (
            <Button disabled={!isOwner} busy={isSaving} onClick={() => save({ password: null })}>
              Remove it
            </Button>
          )}
        </div>
      </form>
    </Section>
  )
}
