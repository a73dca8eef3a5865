/** The form that takes a folder or a zip while there is no dashboard. Without its script it stays hidden. */
import type { Membership } from '../../../platform/callers/select-session-team.ts'
import { type Html, html } from '../pages/html.ts'
import { zipFolderScript } from './zip-folder-script.ts'

/** The form, for somebody who is in these teams. */
export function zipForm(teams: Membership[]): Html {
  return html`<h2>Your first site</h2>
<form id="zip" hidden>
<label>The folder of a site that is built, with <code>index.html</code> at its top
<input type="file" name="folder" webkitdirectory></label>
<label>Or a zip of it
<input type="file" name="file" accept=".zip,application/zip"></label>
<label>Project <input name="project" autocomplete="off" required></label>
${teams.length > 1 ? teamChoice(teams) : undefined}
<button>Deploy to production</button>
<button type="button" class="plain" name="stop" hidden>Stop</button>
<progress max="1" hidden></progress>
<p role="alert"></p>
<div role="status"></div>
</form>`
}

function teamChoice(teams: Membership[]): Html {
  const options = teams.map(({ teamSlug }) => html`<option>${teamSlug}</option>\n`)
  return html`<label>Team <select name="team">${options}</select></label>`
}

/**
 * The script of a page with the form. It creates the project where there is none, and looks again whether the
 * dashboard has been built, but leaves the page alone once a file is chosen.
 */
export const zipScript = `${zipFolderScript}
const form = document.getElementById('zip')
const { folder, file, project, team, stop } = form.elements
const button = form.querySelector('button')
const progress = form.querySelector('progress')
const problem = form.querySelector('[role=alert]')
const result = form.querySelector('[role=status]')
let request

const nameOf = (name) =>
  name.replace(/\\.zip$/i, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40)

function send(method, path, body, type) {
  return new Promise((resolve, reject) => {
    request = new XMLHttpRequest()
    request.open(method, path)
    if (type) request.setRequestHeader('content-type', type)
    if (team) request.setRequestHeader('x-svc-team', team.value)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => { progress.value = loaded / total }
    request.onload = () => resolve({ status: request.status, answer: request.response ?? {} })
    request.onerror = () => reject(new Error('The server could not be reached. Try again.'))
    request.onabort = () => reject(new Error('Stopped.'))
    request.send(body)
  })
}

async function call(method, path, body, type) {
  const { status, answer } = await send(method, path, body, type)
  if (status < 300) return answer
  throw new Error(answer.message ?? 'The server answered ' + status + '.')
}

async function chosen() {
  if (file.files[0]) return file.files[0]
  if (folder.files.length > 0) return zipFolder([...folder.files])
  folder.focus()
  throw new Error('Choose a folder or a zip.')
}

async function deploy() {
  const site = await chosen()
  const name = project.value.trim()
  const { data } = await call('GET', '/v1/projects?' + new URLSearchParams({ q: name, limit: 100 }))
  if (!data.some((known) => known.name === name)) {
    await call('PUT', '/v1/projects/' + encodeURIComponent(name), '{}', 'application/json')
  }
  const query = new URLSearchParams({ project: name, target: 'production' })
  return call('POST', '/v1/deployments?' + query, site, 'application/zip')
}

function line(text, address) {
  const paragraph = document.createElement('p')
  paragraph.append(text)
  if (address) {
    const link = document.createElement('a')
    link.href = link.textContent = address
    paragraph.append(link)
  }
  result.append(paragraph)
}

function suggest(name) {
  if (project.value === '') project.value = nameOf(name)
}

file.addEventListener('change', () => {
  if (!file.files[0]) return
  folder.value = ''
  suggest(file.files[0].name)
})

folder.addEventListener('change', () => {
  if (folder.files.length === 0) return
  file.value = ''
  suggest(folder.files[0].webkitRelativePath.split('/')[0])
})

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  problem.textContent = ''
  result.textContent = ''
  progress.value = 0
  button.disabled = true
  progress.hidden = stop.hidden = false
  try {
    const deployment = await deploy()
    if (deployment.live) line('Deployed. It is live: ', deployment.aliases[0] ?? deployment.url)
    else line('Deployed (' + deployment.state + '): ', deployment.url)
    for (const { path, message } of deployment.warnings ?? []) line((path ? path + ': ' : '') + message)
  } catch (error) {
    problem.textContent = error.message
  }
  button.disabled = false
  progress.hidden = stop.hidden = true
})

stop.addEventListener('click', () => request.abort())
form.hidden = false

async function look() {
  const isReady = await fetch('/').then((page) => page.text()).then(
    (text) => !text.includes('id="zip"'), () => false)
  if (!isReady) return setTimeout(look, 5000)
  if (!file.files[0] && folder.files.length === 0) return location.reload()
  const state = document.getElementById('state')
  const link = document.createElement('a')
  link.href = '/'
  link.textContent = 'The dashboard is ready.'
  state.replaceChildren(link)
}
setTimeout(look, 5000)
`
