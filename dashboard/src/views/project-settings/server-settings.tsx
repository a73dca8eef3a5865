'use client'
import { useState } from 'react'
/** How the server of a project is started, and what it may take. */
import { Card, Section } from '@/ui/card'
import { Select, Switch, TextField } from '@/ui/field'
import type { SettingsProps } from './changes'

const mebibyte = 1024 * 1024

const networks = [
  { value: 'none', label: 'Nothing' },
  { value: 'web', label: 'HTTP and HTTPS' },
  { value: 'tcp', label: 'HTTP, HTTPS and ports' },
] as const

export function ServerSettings({ project, changes, change, errorOf, isOwner }: SettingsProps) {
  const { start } = { ...project, ...changes }
  const { memory_bytes, health_path, idle_s, min, network, ports, release } = {
    ...project.runtime,
    ...changes.runtime,
  }
  return (
    <Section
      title="Server"
      note="The command applies to the deployments after the change, the rest once a server starts again."
    >
      <Card className="grid gap-4">
        <TextField
          label="Start command"
          hint={
            'Starts a server, which listens on $PORT. Empty: the web line of a Procfile, or what the ' +
            'framework of the sources says; a site without either has no server.'
          }
          placeholder="node server.mjs"
          maxLength={1000}
          value={start ?? ''}
          error={errorOf('start')}
          onChange={(event) => change({ start: event.target.value || null })}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
        />
        <TextField
          label="Health path"
          hint="Is requested to see whether the server is well. Empty: it is once it takes connections."
          placeholder="/health"
          maxLength={1000}
          value={health_path ?? ''}
          error={errorOf('runtime.health_path')}
          onChange={(event) => change({ runtime: { health_path: event.target.value || null } })}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Memory in MiB"
            hint="With its files in /tmp; 512 where it is empty."
            type="number"
            min={128}
            max={4096}
            step="any"
            value={memory_bytes === null ? '' : memory_bytes / mebibyte}
            disabled={!isOwner}
            error={errorOf('runtime.memory_bytes')}
            onChange={({ target: { value } }) =>
              change({
                runtime: { memory_bytes: value === '' ? null : Math.round(Number(value) * mebibyte) },
              })
            }
          />
          <TextField
            label="Stop when idle after minutes"
            hint="The next request starts it again; 15 where it is empty."
            type="number"
            min={1}
            max={1440}
            step="any"
            value={idle_s === null ? '' : idle_s / 60}
            disabled={!isOwner}
            error={errorOf('runtime.idle_s')}
            onChange={({ target: { value } }) =>
              change({ runtime: { idle_s: value === '' ? null : Math.round(Number(value) * 60) } })
            }
          />
        </div>
        <Switch
          label="Keep it running in production"
          hint="Without requests, too; a team may have a quarter of the room of a node for that."
          checked={min === 1}
          disabled={!isOwner}
          onChange={({ target: { checked } }) => change({ runtime: { min: checked ? 1 : 0 } })}
        />
        <TextField
          label="Release command"
          hint="Runs once for each deployment before its server, such as a migration."
          placeholder="node migrate.js"
          maxLength={1000}
          value={release ?? ''}
          disabled={!isOwner}
          error={errorOf('runtime.release')}
          onChange={(event) => change({ runtime: { release: event.target.value || null } })}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label="Connects to"
            hint="Places with public addresses; the operator opens others."
            options={networks}
            value={network ?? 'none'}
            disabled={!isOwner}
            error={errorOf('runtime.network')}
            onChange={({ target: { value } }) =>
              change({ runtime: { network: networks.find((each) => each.value === value)?.value ?? null } })
            }
          />
          {network === 'tcp' ? (
            <Ports
              ports={ports}
              disabled={!isOwner}
              error={errorOf('runtime.ports')}
              onChange={(wanted) => change({ runtime: { ports: wanted } })}
            />
          ) : null}
        </div>
      </Card>
    </Section>
  )
}

type PortsProps = {
  ports: number[] | null | undefined
  disabled: boolean
  error: string | undefined
  onChange: (ports: number[] | null) => void
}

/** The text stays as it is typed: what is parsed of it has no comma at its end. */
function Ports({ ports, disabled, error, onChange }: PortsProps) {
  const [text, setText] = useState((ports ?? []).join(', '))
  return (
    <TextField
      label="Ports"
      hint="Besides 80 and 443, such as 5432 of PostgreSQL."
      placeholder="5432, 6379"
      value={text}
      disabled={disabled}
      error={error}
      onChange={({ target: { value } }) => {
        setText(value)
        const wanted = value.split(/[\s,]+/).filter(Boolean)
        onChange(wanted.length === 0 ? null : wanted.map(Number))
      }}
      autoComplete="off"
      inputMode="numeric"
    />
  )
}
