/** `svc link` and `svc unlink`: which project a directory belongs to. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { usageFailure } from '../command-failure.ts'
import { connectLinked } from '../connection/connect-linked.ts'
import { withWayToCreate } from '../connection/missing-project.ts'
import { askProject } from '../deploy/destination.ts'
import { createProject } from '../deploy/prepare-project.ts'
import { explain } from '../explain.ts'
import { findRepository } from '../git/find-repository.ts'
import { globalOptions, type Io } from '../io.ts'
import { findProjectFile, projectFileName } from '../project-file/project-file.ts'
import { writeLink } from '../project-file/write-project-file.ts'
import { confirm } from '../terminal/confirm.ts'
import { warn, write, writeJson } from '../terminal/output.ts'

const linkExamples = `
Examples:
  $ svc link
  $ svc link web --directory dist

It writes svc.json into the working directory. Settings in that file stay.`

/** The command `svc link`. */
export function linkCommand(io: Io): Command {
  return new Command('link')
    .description('link the working directory to a project, in svc.json')
    .argument('[project]', 'its name')
    .option('--directory <path>', 'what to deploy, relative to the working directory')
    .addHelpText('after', linkExamples)
    .action(async (given: string | undefined, { directory }: { directory?: string }, command: Command) => {
      const options = globalOptions(command)
      const cwd = process.cwd()
      const { api, url } = connectLinked(io, options)
      if (given === undefined && !io.stdin.isTTY) throw usageFailure('Pass the name of a project.')
      const project = given ?? (await askProject(io, cwd))
      const found = await api.projects.get.query({ project }).catch(async (error: unknown) => {
        if (explain(error).body.reason !== 'project_not_found') throw error
        if (!io.stdin.isTTY) throw withWayToCreate(error, project)
        await confirm(io, `There is no project ${project}. Create it?`)
        await createProject({ io, api }, project, {})
        return { name: project }
      })
      const path = join(cwd, projectFileName)
      writeLink(path, { project: found.name, server: url, directory })
      if (options.json) return writeJson(io, { path, project: found.name })
      write(io, `Linked to ${found.name} in ${projectFileName}.`)
      if (isCheckout(cwd)) warn(io, 'To deploy with `git push`, run `svc git remote`.')
    })
}

/** Whether there is a repository around; one that can't be read counts as none. */
function isCheckout(directory: string): boolean {
  try {
    return findRepository(directory) !== undefined
  } catch {
    return false
  }
}

const unlinkExamples = `
Examples:
  $ svc unlink

It removes svc.json, from the working directory or the closest one above. The project itself stays.`

/** The command `svc unlink`. */
export function unlinkCommand(io: Io): Command {
  return new Command('unlink')
    .description('unlink the working directory from its project')
    .option('--yes', 'also remove settings, without asking')
    .addHelpText('after', unlinkExamples)
    .action(async ({ yes }: { yes?: boolean }, command: Command) => {
      const linked = findProjectFile(process.cwd())
      if (!linked) throw usageFailure(`There is no ${projectFileName} here or above.`)
      const { path, project, settings } = linked
      if (project === undefined)
        throw usageFailure(`${path} names no project, so there is nothing to unlink.`)
      const names = Object.keys(settings)
      if (names.length > 0 && !yes) {
        await confirm(io, `${path} also has settings (${names.join(', ')}). Remove it?`)
      }
      rmSync(path)
      if (globalOptions(command).json) writeJson(io, { path, project })
      else write(io, `Unlinked from ${project}.`)
    })
}
