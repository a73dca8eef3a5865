'use client'
/** The environment variables of a project's builds. */
import { lazy, Suspense, useState } from 'react'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Section } from '@/ui/card'
import { Empty } from '@/ui/empty'
import { Problem } from '@/ui/problem'
import { Cell, Row, Table } from '@/ui/table'
import { Time } from '@/ui/time'
import { ApplyChange } from './apply-change'
import { type ProjectRecord, useSave } from './use-save'

const SetEnv = lazy(() => import('./set-env').then((module) => ({ default: module.SetEnv })))
const Confirm = lazy(() => import('@/ui/dialog').then((module) => ({ default: module.Confirm })))

type Variable = Pick<ProjectRecord['env'][number], 'key' | 'target' | 'branch'>

export function Env({ project }: { project: ProjectRecord }) {
  const [isSetting, setSetting] = useState(false)
  const [removed, setRemoved] = useState<Variable>()
  const [isChanged, setChanged] = useState(false)
  const { save, isSaving, error } = useSave(project, () => {
    setRemoved(undefined)
    setChanged(true)
  })
  return (
    <Section
      title="Environment variables"
      note="For builds on the server. Values can be replaced, but not read. Deploy again to apply a change."
      actions={<Button onClick={() => setSetting(true)}>Set variables</Button>}
    >
      {isChanged && project.production_deployment !== null && (
        <ApplyChange live={project.production_deployment} />
      )}
      {project.env.length === 0 ? (
        <Empty title="No variables" />
      ) : (
        <Table label="Environment variables" columns={['Name', 'For', 'Changed', '']}>
          {project.env.map(({ key, target, branch, updated_ms }) => (
            <Row key={`${key} ${target.join()} ${branch}`}>
              <Cell className="max-w-64">
                <code className="block truncate font-mono text-xs">{key}</code>
              </Cell>
              <Cell>
                <span className="flex gap-1">
                  {target.map((each) => (
                    <Badge key={each}>{each}</Badge>
                  ))}
                  {branch !== null && (
                    <span className="max-w-48 truncate" title={branch}>
                      of {branch}
                    </span>
                  )}
                </span>
              </Cell>
              <Cell>
                <Time ms={updated_ms} />
              </Cell>
              <Cell className="text-right">
                <Button
                  look="quiet"
                  onClick={() => setRemoved({ key, target, branch })}
                  aria-label={`Remove ${nameOf({ key, target, branch })}`}
                >
                  Remove
                </Button>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {error && removed === undefined && <Problem error={error} />}
      <Suspense>
        {isSetting && (
          <SetEnv project={project} onSaved={() => setChanged(true)} onClose={() => setSetting(false)} />
        )}
        {removed !== undefined && (
          <Confirm
            title={`Remove ${nameOf(removed)}?`}
            note="Later builds run without it. Its value can't be brought back."
            action="Remove"
            danger
            busy={isSaving}
            error={error}
            onClose={() => setRemoved(undefined)}
            onSubmit={() => save({ env: [{ ...removed, branch: removed.branch ?? undefined, value: null }] })}
          />
        )}
      </Suspense>
    </Section>
  )
}

/** With what it is for, unless that is everything. */
function nameOf({ key, target, branch }: Variable): string {
  if (branch !== null) return `${key} for previews of ${branch}`
  return target.length > 1 ? key : `${key} for ${target}`
}
