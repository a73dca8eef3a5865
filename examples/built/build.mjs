// Makes a page in ./dist of each text in ./pages. The platform runs it, as the build_command of a project.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'

const { SVC_PROJECT = 'a project', SVC_TARGET = 'nowhere', SVC_META_COMMIT = 'no commit' } = process.env

const escapeHtml = (text) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)

await mkdir('dist', { recursive: true })
for (const name of await readdir('pages')) {
  const [title = '', ...rest] = (await readFile(`pages/${name}`, 'utf8')).trim().split('\n')
  const page = `<!doctype html>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(rest.join(' '))}</p>
<footer>${escapeHtml(`${SVC_PROJECT}, built for ${SVC_TARGET} from ${SVC_META_COMMIT}`)}</footer>
`
  const target = `dist/${name.replace(/\.txt$/, '.html')}`
  await writeFile(target, page)
  console.log(`${target}: ${title}`)
}
