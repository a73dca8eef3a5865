/** The lists of what ends with a member who is about to be removed, and of what goes on. */
import { useQuery } from '@tanstack/react-query'
import { type Outputs, useTRPC } from '@/lib/api'
import { visibleLine } from '@/lib/visible'
import { Problem } from '@/ui/problem'
import { Spinner } from '@/ui/spinner'
import { leavingWords, stayingWords } from '../../../../src/lib/leaving-words.ts'

type Kinds = Outputs['teams']['leaving']
type Words = readonly { kind: keyof Kinds; one: string; many: string }[]

export function Leaving({ team, email }: { team: string; email: string | null }) {
  const trpc = useTRPC()
  const leaving = useQuery({ ...trpc.teams.leaving.queryOptions({ team, email }), staleTime: 0 })
  if (leaving.isPending) return <Spinner />
  if (leaving.error) return <Problem error={leaving.error} />
  const anyOf = (words: Words) => words.filter(({ kind }) => leaving.data[kind].count > 0)
  const [ending, staying] = [anyOf(leavingWords), anyOf(stayingWords)]
  return (
    <div>
      {ending.length === 0 ? (
        <p>Nothing else ends with the membership.</p>
      ) : (
        <List title="These end, too:" words={ending} kinds={leaving.data} />
      )}
      {staying.length > 0 && (
        <List title="These go on in that person's name:" words={staying} kinds={leaving.data} />
      )}
    </div>
  )
}

function List({ title, words, kinds }: { title: string; words: Words; kinds: Kinds }) {
  return (
    <>
      <p>{title}</p>
      <ul className="list-disc pl-5">
        {words.map(({ kind, one, many }) => {
          const { count, names } = kinds[kind]
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
    </>
  )
}
