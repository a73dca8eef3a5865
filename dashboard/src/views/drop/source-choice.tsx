/** The question what becomes of sources: built by the server, or served as they are. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { useTRPC } from '@/lib/api'
import { describeServer, describeSources } from '../../../../src/lib/frameworks/describe.ts'
import type { Sources } from './sources'

export type Choice = 'remote' | 'as-is'

type Props = { sources: Sources; choice: Choice | undefined; onChoice: (choice: Choice) => void }

export function SourceChoice({ sources, choice, onChoice }: Props) {
  const trpc = useTRPC()
  const name = useId()
  const { data: account } = useQuery(trpc.account.get.queryOptions({}))
  const { framework = 'A server', install, build, output, isServer, advice } = sources
  const builds = account?.builds
  const unknown = build === undefined && !isServer ? 'Nothing says how they are built.' : undefined
  const problem =
    advice === undefined ? (unknown ?? builds?.problem ?? undefined) : `${framework}: ${advice}.`
  const installProblem = install === undefined ? null : builds?.install_problem
  const offline = installProblem ? ` ${installProblem}` : ''
  const works = builds !== undefined && problem === undefined && !installProblem
  useEffect(() => {
    if (works && choice === undefined) onChoice('remote')
  }, [works, choice, onChoice])
  const commands = [install, build].filter((each) => each !== undefined)
  const steps = isServer ? describeServer(sources) : `Runs ${commands.join(', then ')}.`
  const options: { value: Choice; label: string; hint: string; disabled: boolean }[] = [
    {
      value: 'remote',
      label: isServer ? 'Run it as a server' : 'Build on the server',
      hint: problem ?? `${steps} The project keeps these settings.${offline}`,
      disabled: problem !== undefined || builds === undefined,
    },
    {
      value: 'as-is',
      label: 'Deploy as it is',
      hint: 'Visitors get the sources, which browsers can rarely show.',
      disabled: false,
    },
  ]
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2">
        {describeSources(sources)}
        {!isServer &&
          ` Built on your machine already? Choose ${output ?? 'the folder with the site'} instead.`}
      </legend>
      {options.map(({ value, label, hint, disabled }) => (
        <div key={value} className="flex items-start gap-2">
          <input
            type="radio"
            id={`${name}-${value}`}
            name={name}
            required
            className="mt-0.5 size-4 accent-accent"
            checked={choice === value}
            disabled={disabled}
            onChange={() => onChoice(value)}
            aria-describedby={`${name}-${value}-hint`}
          />
          <div className="min-w-0">
            <label htmlFor={`${name}-${value}`} className="font-medium">
              {label}
            </label>
            <p id={`${name}-${value}-hint`} className="text-dim">
              {hint}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  )
}
