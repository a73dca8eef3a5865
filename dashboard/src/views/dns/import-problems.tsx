/** What can't be imported, by line. */
import { isApiFailure } from '@/lib/api-error'
import { count } from '@/lib/format'
import { Problem } from '@/ui/problem'

export function ImportProblems({ error }: { error: unknown }) {
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
    </div>
  )
}
