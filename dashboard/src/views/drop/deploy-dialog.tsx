'use client'
/** Deploys what was chosen: asks where to, shows the progress, and ends on the address or the build. */
import { type FormEvent, useState } from 'react'
import { isBeside } from '@/lib/api-error'
import { count, size } from '@/lib/format'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Problem } from '@/ui/problem'
import type { Chosen } from './chosen'
import { Deployed } from './deployed'
import { DestinationFields } from './destination-fields'
import { ProgressBar } from './progress-bar'
import { type Choice, SourceChoice } from './source-choice'
import type { Sources } from './sources'
import { ToItsPage } from './to-its-page'
import { useDeploy } from './use-deploy'
import { useSources } from './use-sources'
import { Warnings } from './warnings'

type Props = { chosen: Chosen; project: string | undefined; onClose: () => void }

export function DeployDialog({ chosen, project, onClose }: Props) {
  const { deploying, start, cancel } = useDeploy()
  const [name, setName] = useState(project ?? chosen.suggestedName)
  const [isProduction, setProduction] = useState(true)
  const [choice, setChoice] = useState<Choice>()
  const { isKnown, sources, problem } = useSources(chosen, project)
  const { state } = deploying
  const { site } = chosen
  const what = site ? `${count(site.files.length, 'file')}, ${size(chosen.bytes)}` : size(chosen.bytes)
  const isEmpty = site?.files.length === 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const target = isProduction ? 'production' : 'preview'
    const settings = sources && choice === 'remote' ? settingsOf(sources) : undefined
    start({ source: chosen.source, project: name, target, isNewProject: project === undefined, settings })
  }
  if (deploying.state === 'done') {
    const { deployment } = deploying
    if (deployment.state === 'ready') return <Deployed deployment={deployment} onClose={onClose} />
    return <ToItsPage deployment={deployment} onLeave={onClose} />
  }
  return (
    <Dialog
      title={project === undefined ? 'Deploy a new project' : `Deploy to ${project}`}
      note={chosen.source.kind === 'zip' ? `${chosen.source.zip.name}, ${what}` : what}
      onClose={onClose}
    >
      <form onSubmit={submit} className="grid grid-cols-1 gap-4">
        <Warnings chosen={chosen} />
        {problem && <Problem error={problem} title="These files can't be deployed" />}
        {state === 'running' ? (
          <ProgressBar
            progress={deploying.progress}
            last={chosen.source.kind === 'zip' ? 'Unpacking' : 'Creating the deployment'}
          />
        ) : (
          <>
            {sources && <SourceChoice sources={sources} choice={choice} onChoice={setChoice} />}
            <DestinationFields
              name={project === undefined ? name : undefined}
              onName={setName}
              isProduction={isProduction}
              onProduction={setProduction}
              error={state === 'failed' ? deploying.error : undefined}
            />
          </>
        )}
        {state === 'canceled' && (
          <p role="status">Canceled. Uploaded files are kept: resuming sends the rest only.</p>
        )}
        {state === 'failed' && !isBeside(project === undefined ? ['project'] : [], deploying.error) && (
          <Problem error={deploying.error} title="The deployment failed" />
        )}
        <div className="flex justify-end gap-2">
          {state === 'running' ? (
            <Button onClick={cancel}>Cancel</Button>
          ) : (
            <>
              <Button onClick={onClose}>Close</Button>
              <Button type="submit" look="primary" disabled={isEmpty || !isKnown || problem !== undefined}>
                {state === 'idle' ? 'Deploy' : 'Resume'}
              </Button>
            </>
          )}
        </div>
      </form>
    </Dialog>
  )
}

function settingsOf({ install, build, output, start }: Sources) {
  return {
    build: {
      install_command: install ?? null,
      build_command: build ?? null,
      ...(output !== undefined && { output_directory: output }),
    },
    ...(start !== undefined && { start }),
  }
}
