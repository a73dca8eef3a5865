/** React Router with the server that it comes with. */
import { type FrameworkApplication, fields, twoParts } from './framework.ts'

const routes = `import { index, route } from '@react-router/dev/routes'
export default [
  index('home.jsx'),
  route('form', 'form.jsx'),
  route('leave', 'leave.js'),
  ...['facts', 'length', 'stream'].map((name) => route('api/' + name, name + '.js')),
]
`

const root = `import { Links, Meta, Outlet, Scripts } from 'react-router'
export default function Root() {
  return (
    <html lang="en">
      <head><Meta /><Links /></head>
      <body><Outlet /><Scripts /></body>
    </html>
  )
}
`

const home = `import { useState } from 'react'
export default function Home() {
  const [count, setCount] = useState(0)
  return (
    <main>
      <h1>Made by react-router</h1>
      <button onClick={() => setCount(count + 1)}>clicked {count}</button>
    </main>
  )
}
`

export const reactRouter: FrameworkApplication = {
  name: 'react-router',
  packages: [
    ...['@react-router/node@7.9.4', '@react-router/serve@7.9.4', 'react-router@7.9.4'],
    '@react-router/dev@7.9.4',
    ...['isbot@5', 'react@19', 'react-dom@19', 'vite@7', 'typescript@5'],
  ],
  manifest: fields({ build: 'react-router build', dev: 'react-router dev' }, { type: 'module' }),
  files: {
    'vite.config.ts': `import { reactRouter } from '@react-router/dev/vite'
export default { plugins: [reactRouter()] }
`,
    'app/routes.ts': routes,
    'app/root.jsx': root,
    'app/home.jsx': home,
    'app/form.jsx': `import { data, useActionData } from 'react-router'
export async function action({ request }) {
  const name = (await request.formData()).get('name')
  return data({ name }, { headers: { 'set-cookie': 'name=' + name } })
}
export const headers = ({ actionHeaders }) => actionHeaders
export default function Form() { return <p>{'hello ' + useActionData()?.name}</p> }
`,
    'app/facts.js':
      'export const loader = ({ request }) => Response.json({ host: new URL(request.url).host })\n',
    'app/length.js':
      'export const action = async ({ request }) => ' +
      'Response.json({ length: (await request.arrayBuffer()).byteLength })\n',
    'app/stream.js': `export const loader = () => new Response(${twoParts})\n`,
    'app/leave.js': `import { redirect } from 'react-router'
export const loader = () => redirect('/')
`,
  },
  form: '/form',
  assets: /\/assets\/[^"]+\.js/,
  hidden: '/build/server/index.js',
}
