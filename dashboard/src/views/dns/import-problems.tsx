/** The lines that can't be imported, and the way to import the rest. */
import { isApiFailure } from '@/lib/api-error'
import { count } from '@/lib/format'
import { Button } from '@/ui/button'
import { Problem } from '@/ui/problem'

type ImportProblemsProps = {
  error: unknown
  busy: boolean
  /** Undefined where the lines were to be left out already. */
  onSkip: (() => void) | undefined
}

export function ImportProblems({ error, busy, onSkip }: ImportProblemsProps) {
  if (error === null) return null
  const issues = isApiFailure(error) ? (error.data?.issues ?? []) : []
  const lines = issues.filter(({ path }) => path === 'zone')
  if (lines.length === 0) return <Problem error={error} />
  return (
    <div role="alert" className="rounded-md border border-bad/40 bg-bad-soft p-3">
      <p className="font-medium text-bad">
        {count(lines.length, 'problem')}: nothing was imported. Correct the file.
      </p>
      <ul className="mt-1 max-h-48 list-disc overflow-y-auto pl-5">
        {lines.map(({ message }) => (
          <li key={message} className="break-words">
            {message}
          </li>
        ))}
      </ul>
      {onSkip && (
        <Button className="mt-2" busy={busy} onClick={onSkip}>
          Preview without these lines
        </Button>
      )}
    </div>
  )
}
