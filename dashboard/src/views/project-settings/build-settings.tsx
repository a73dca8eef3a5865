'use client'
/** How the server builds a project, with the settings of known frameworks. */
import { Card, Section } from '@/ui/card'
import { Select, TextField } from '@/ui/field'
import { frameworks } from '../../../../src/lib/frameworks/table.ts'
import type { SettingsProps } from './changes'
import { LastBuild } from './last-build'
import type { ProjectRecord } from './use-save'

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
    hint:
      'Empty: sources that are pushed are built as their framework needs ' +
      '(Vite: npm ci, npm run build → dist), and a site is served as it is sent.',
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

const presets = [
  { value: '', label: 'Choose one to fill in its commands' },
  ...frameworks.map(({ name }) => ({ value: name, label: name })),
]

export function BuildSettings({ project, changes, change, errorOf }: SettingsProps) {
  const values = { ...project.build, ...changes.build }
  const fillIn = (name: string) => {
    const framework = frameworks.find((each) => each.name === name)
    if (!framework) return
    const isOfNode = framework.dependency !== undefined
    change({
      build: {
        install_command: isOfNode ? 'npm ci' : null,
        build_command: isOfNode ? 'npm run build' : framework.build,
        output_directory: framework.output.replace('<name>', project.name),
      },
    })
  }
  return (
    <Section title="Build" note="Applies to the deployments after the change.">
      <Card className="grid gap-4">
        <Select
          label="Framework"
          hint="Of the package managers it takes npm."
          options={presets}
          value=""
          onChange={(event) => fillIn(event.target.value)}
        />
        {fields.map(({ name, ...texts }) => (
          <TextField
            key={name}
            {...texts}
            value={values[name] ?? ''}
            error={errorOf(`build.${name}`)}
            onChange={(event) => change({ build: { [name]: event.target.value || null } })}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
          />
        ))}
        <LastBuild project={project.name} />
      </Card>
    </Section>
  )
}
