'use client'
/** How the server builds a project. */
import { useState } from 'react'
import { TextField } from '@/ui/field'
import { SettingsForm } from './settings-form'
import { type ProjectRecord, useSave } from './use-save'

type Field = keyof ProjectRecord['build']

const fields: { name: Field; label: string; placeholder: string; hint: string }[] = [
  {
    name: 'install_command',
    label: 'Install command',
    placeholder: 'npm ci',
    hint: 'Runs before the build command.',
  },
  {
    name: 'build_command',
    label: 'Build command',
    placeholder: 'npm run build',
    hint: 'Without one nothing is built: files are served as they are sent.',
  },
  {
    name: 'output_directory',
    label: 'Output directory',
    placeholder: 'dist',
    hint: 'What the build makes and visitors get, relative to the root directory.',
  },
  {
    name: 'root_directory',
    label: 'Root directory',
    placeholder: '.',
    hint: 'Where the commands run, relative to what is sent.',
  },
]

export function BuildSettings({ project }: { project: ProjectRecord }) {
  const { build } = project
  const [changes, setChanges] = useState<Partial<Record<Field, string>>>({})
  const { save, isSaving, error, errorOf } = useSave(project, () => setChanges({}))
  const currentOf = (name: Field) => changes[name] ?? build[name] ?? ''
  const isChanged = fields.some(({ name }) => currentOf(name) !== (build[name] ?? ''))
  return (
    <SettingsForm
      title="Build"
      note="Applies to the deployments after the change."
      isChanged={isChanged}
      isSaving={isSaving}
      error={error}
      onSave={() =>
        save({
          build: Object.fromEntries(
            Object.entries(changes).map(([name, value]) => [name, value === '' ? null : value]),
          ),
        })
      }
    >
      {fields.map(({ name, ...texts }) => (
        <TextField
          key={name}
          {...texts}
          value={currentOf(name)}
          error={errorOf(`build.${name}`)}
          onChange={(event) => setChanges({ ...changes, [name]: event.target.value })}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
        />
      ))}
    </SettingsForm>
  )
}
