/** Where a deployment comes from, by the variables of systems that run builds, and by a repository. */
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Case, newCase, writeFiles } from './steps.ts'

const cases = z
  .array(
    z.strictObject({
      system: z.string(),
      source: z.string(),
      env: z.record(z.string(), z.string()),
      meta: z.record(z.string(), z.string()),
    }),
  )
  .parse(JSON.parse(await readFile(new URL('origins.json', import.meta.url), 'utf8')))

async function metaOf({ home, svc }: Case, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await svc(['deploy', 'site', '--project', 'web', '--json'], { env })
  expect({ code, stderr, home }).toMatchObject({ code: 0 })
  return z.object({ meta: z.record(z.string(), z.string()) }).parse(JSON.parse(stdout)).meta
}

it.each(cases)('$system ($source)', async ({ env, meta }) => {
  const team = await newCase()
  await writeFiles(join(team.home, 'work', 'site'), { 'index.html': 'home' })
  expect(await metaOf(team, env)).toMatchObject(meta)
})

describe('a repository', () => {
  async function repository() {
    const team = await newCase()
    const work = join(team.home, 'work')
    await writeFiles(join(work, 'site'), { 'index.html': 'home' })
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: work, env: { ...process.env, HOME: team.home }, encoding: 'utf8' })
    git('init', '-q', '-b', 'main')
    git('config', 'user.email', 'ada@example.com')
    git('config', 'user.name', 'Ada')
    git('add', '.')
    git('commit', '-qm', 'First')
    return { team, git, commit: git('rev-parse', 'HEAD').trim() }
  }

  it('with a detached head has the branch of the system that checked it out', async () => {
    const { team, git, commit } = await repository()
    git('checkout', '-q', '--detach')
    expect(await metaOf(team, { GITLAB_CI: 'true', CI_COMMIT_REF_NAME: 'feature/x' })).toMatchObject({
      branch: 'feature/x',
      commit,
      message: 'First',
      author: 'Ada',
    })
  })

  it.each(['fix/a,b', 'say-"hi"', 'ünï/cöde', 'a#b', '(HEAD)'])('on the branch %s', async (branch) => {
    const { team, git, commit } = await repository()
    git('checkout', '-q', '-b', branch)
    git('config', 'log.excludeDecoration', 'refs/heads/*')
    expect(await metaOf(team)).toMatchObject({ branch, commit })
  })

  it.each([
    ['https://ada:secret@github.com/team/site.git', 'https://github.com/team/site'],
    ['git@github.com:team/site.git', 'https://github.com/team/site'],
    ['ssh://git@git.example.com:2222/team/site', 'https://git.example.com/team/site'],
  ])('from %s', async (remote, address) => {
    const { team, git } = await repository()
    git('remote', 'add', 'origin', remote)
    const meta = await metaOf(team)
    expect(meta.repository).toBe(address)
    expect(JSON.stringify(meta)).not.toContain('secret')
  })
})
