/** Sentences for deliveries that lead to nothing. */
import type { ForgeEvent } from './event.ts'

type Ignored = Extract<ForgeEvent, { kind: 'ignored' }>

function ignored(why: string): Ignored {
  return { kind: 'ignored', why }
}

/** For an event of another kind. */
export function ignoredEvent(event: string): Ignored {
  const kind = isPlain(event) ? `the kind "${event}"` : 'this kind'
  return ignored(`Events of ${kind} are ignored: only pushes and pull requests lead to deployments.`)
}

/** Names of events and actions are the forge's; one in another form is left out. */
function isPlain(name: string): boolean {
  return /^[\w .-]{1,60}$/.test(name)
}

/** For a ref that is no branch. */
export function ignoredRef(): Ignored {
  return ignored('Tags and other refs are ignored: only branches are deployed.')
}

/** For a change to a pull request that has no new commit. */
export function ignoredAction(action: string): Ignored {
  const named = isPlain(action) ? `The action "${action}"` : 'This action'
  return ignored(`${named} of a pull request changes nothing that is deployed.`)
}

/** For a merge request of a branch that has nothing yet. */
export function ignoredEmpty(): Ignored {
  return ignored('The merge request has no commit yet.')
}
