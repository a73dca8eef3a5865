'use client'
/** The name of a project. */
import { Card, Section } from '@/ui/card'
import { TextField } from '@/ui/field'
import type { SettingsProps } from './changes'

export function ProjectName({ project, changes, change, errorOf }: SettingsProps) {
  const { host } = new URL(project.production_url)
  return (
    <Section
      title="Name"
      note={`Its addresses stay as they are, ${host} too. Links to pages of this project change.`}
    >
      <Card>
        <TextField
          label="Name"
          required
          value={changes.name ?? project.name}
          error={errorOf('name')}
          onChange={(event) => change({ name: event.target.value })}
          autoComplete="off"
          spellCheck={false}
        />
      </Card>
    </Section>
  )
}
