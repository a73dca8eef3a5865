/**
 * Says on a pull request where it is deployed: in one comment for each project, which later deployments edit.
 * A comment that can't be written is a warning, since the deployment is there all the same.
 */
const { GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN, PULL_REQUEST } = process.env
const { PROJECT = '', SITE_URL, DEPLOYMENT, COMMIT = '' } = process.env

const marker = `<!-- svc: ${encodeURIComponent(PROJECT)} -->`
const body = [
  marker,
  `${PROJECT === '' ? 'This' : `**${PROJECT}**`} is deployed to ${SITE_URL}`,
  `(\`${DEPLOYMENT}\`${COMMIT === '' ? '' : `, of ${COMMIT.slice(0, 12)}`}).`,
].join('\n')

/** Whoever else writes the marker keeps their comment. */
const ownNames = ['github-actions[bot]', 'gitea-actions', 'forgejo-actions']

const perPage = 100
const maxPages = 30

try {
  const own = await findOwn()
  if (own === undefined) await send('POST', `issues/${PULL_REQUEST}/comments`)
  else await send('PATCH', `issues/comments/${own}`)
} catch (error) {
  process.stdout.write(`::warning::The pull request has no comment with the address: ${error.message}\n`)
}

/** The id of the comment of an earlier deployment; undefined without one. */
async function findOwn() {
  for (let page = 1; page <= maxPages; page += 1) {
    const query = `per_page=${perPage}&page=${page}`
    const comments = await send('GET', `issues/${PULL_REQUEST}/comments?${query}`)
    const own = comments.find((each) => ownNames.includes(each.user?.login) && each.body?.startsWith(marker))
    if (own !== undefined) return own.id
    if (comments.length < perPage) return undefined
  }
  return undefined
}

async function send(method, path) {
  const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/${path}`, {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${GITHUB_TOKEN}`,
      'content-type': 'application/json',
    },
    ...(method !== 'GET' && { body: JSON.stringify({ body }) }),
  })
  if (response.status === 403 || response.status === 404) {
    throw new Error('the job needs `permissions: pull-requests: write`.')
  }
  if (!response.ok) throw new Error(`${method} was answered with status ${response.status}.`)
  return response.json()
}
