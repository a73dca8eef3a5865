'use client'
/** A part of the settings with a button that saves it. */
import type { FormEvent, ReactNode } from 'react'
import { Button } from '@/ui/button'
import { Section } from '@/ui/card'
import { Problem } from '@/ui/problem'

type SettingsFormProps = {
  title: string
  note?: ReactNode
  children: ReactNode
  isChanged: boolean
  isSaving: boolean
  error: unknown
  onSave: () => void
}

export function SettingsForm(props: SettingsFormProps) {
  const { title, note, children, isChanged, isSaving, error, onSave } = props
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave()
  }
  return (
    <Section title={title} note={note}>
      <form onSubmit={submit} className="grid gap-4 rounded-lg border border-line bg-surface p-4">
        {children}
        {error !== null && <Problem error={error} title="Not saved" />}
        <div>
          <Button type="submit" disabled={!isChanged} busy={isSaving}>
            Save
          </Button>
        </div>
      </form>
    </Section>
  )
}
