/** The error of a restore that failed on the way: why, and how things stand. */
import { readRestoring, restoringPath } from './restore-state.ts'

/** `cause` is what failed; the message says what is there now, and how to go on or back. */
export class BrokenOff extends Error {
  override name = 'BrokenOff'
}

/** How things stand in the data directory after a restore by `command` has failed. */
export async function describeState(
  directory: string,
  { command, location }: { command: string; location: string },
): Promise<string> {
  const restoring = await readRestoring(directory).catch(() => undefined)
  if (restoring?.phase === 'switching')
    return (
      'The restored installation was about to take the place of the old one: ' +
      `starting a node, or running \`${command}\` again, finds out which of the two is whole, ` +
      'and finishes or undoes the rest.'
    )
  if (restoring)
    return (
      'Nothing whole is there yet, so nodes refuse to start on it. ' +
      `Files of sites that were copied stay in ${location}: to go on, run \`${command}\` again. ` +
      `To begin with nothing instead, remove ${restoringPath(directory)} and ${location}.`
    )
  return (
    'The installation that was there is as it was, and nodes start on it. ' +
    `Files of sites that were added stay in ${location}, ` +
    `for a restore that is repeated with \`${command}\`; otherwise they go to the trash as strays.`
  )
}
