/** What ends with a member who is about to be removed. */
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { visibleLine } from '@/lib/visible'
import { Problem } from '@/ui/problem'
import { Spinner } from '@/ui/spinner'
import { leavingWords } from '../../../../src/lib/leaving-words.ts'

export function Leaving({ team, email }: { team: string; email: string | null }) {
  const trpc = useTRPC()
  const leaving = useQuery({ ...trpc.teams.leaving.queryOptions({ team, email }), staleTime: 0 })
  if (leaving.isPending) return <Spinner />
  if (leaving.error) return <Problem error={leaving.error} />
  const ending = leavingWords.filter(({ kind }) => leaving.data[kind].count > 0)
  if (ending.length === 0) return <p>Nothing else ends with the membership.</p>
  return (
    <div>
      <p>These end, too:</p>
      <ul className="list-disc pl-5">
        {ending.map(({ kind, one, many }) => {
          const { count, names } = leaving.data[kind]
          return (
            <li key={kind}>
              {count} {count === 1 ? one : many}:{' '}
              <span className="text-dim">
                {names.map(visibleLine).join(', ')}
                {count > names.length && ', …'}
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
