/** The message of a command where there is no such project. */
import { Failure } from '../command-failure.ts'
import { explain } from '../explain.ts'

/** The error; that of a missing project with the command that creates it. */
export function withWayToCreate(error: unknown, project: string): unknown {
  const { body, exitCode } = explain(error)
  // An id names none that can be created.
  if (body.reason !== 'project_not_found' || project.startsWith('prj_')) return error
  const message = `${body.message} \`svc projects add ${project}\` creates it.`
  return new Failure(exitCode, { ...body, message }, error)
}
