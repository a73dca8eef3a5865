'use client'
/** Who may visit a project's addresses. */
import { Card, Section } from '@/ui/card'
import { Select } from '@/ui/field'
import type { SettingsProps } from './changes'

const options = [
  { value: 'none', label: 'Everybody' },
  { value: 'preview', label: 'Previews only with a credential' },
  { value: 'all', label: 'Everything only with a credential' },
]

export function Protection({ project, changes, change, isOwner }: SettingsProps) {
  return (
    <Section
      title="Protection"
      note="People sign in. The credential of a program is an API key of the team, or the bypass secret."
    >
      <Card>
        <Select
          label="Who may visit"
          options={options}
          value={changes.protection ?? project.protection}
          disabled={!isOwner}
          onChange={({ target: { value } }) =>
            change({ protection: value === 'all' || value === 'preview' ? value : 'none' })
          }
        />
      </Card>
    </Section>
  )
}
