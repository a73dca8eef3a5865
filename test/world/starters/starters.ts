/** The starters of frameworks, as their own tools make them, and how a static site is built from each. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Starter = {
  name: string
  /** A package that makes the project in the directory `site`, with its arguments. */
  create?: string[]
  /** Files that a person writes by hand where there is no such package, or beside it. */
  files?: Record<string, string>
  /** Packages that are added. */
  add?: string[]
  /** Changes files of the starter in `directory`, as the framework's guide to static sites says. */
  prepare?: (directory: string) => Promise<void>
  /** The command that builds, if it is not `npm run build`. */
  build?: string[]
  output: string
  /** Whether every path is the app's to answer; otherwise the output has a `404.html`, or there is none. */
  spa?: boolean
  /** The files whose names carry a hash of their content. */
  hashed: RegExp
}

const vitePage = `---
title: Notes
---

# Notes

![A dot](./dot.svg)

[About](./about.md)
`

const dot =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4" cx="5" cy="5"/></svg>\n'

/** A layout without fonts that the build would fetch. */
const nextLayout = `import './globals.css'

export default function RootLayout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
`

const nextConfig = `export default { output: 'export', images: { unoptimized: true } }\n`

const svelteConfig = `import adapter from '@sveltejs/adapter-static'
import { sveltekit } from '@sveltejs/kit/vite'

export default { plugins: [sveltekit({ adapter: adapter({ fallback: '404.html' }) })] }
`

/** Each with a version of the tool, so that what changes is what the tool fetches. */
export const starters: Starter[] = [
  {
    name: 'Vite with React',
    create: ['create-vite@9', 'site', '--template', 'react-ts', '--no-interactive'],
    output: 'dist',
    spa: true,
    hashed: /^assets\//,
  },
  {
    name: 'Vue with its router',
    create: ['create-vue@3', 'site', '--ts', '--router'],
    output: 'dist',
    spa: true,
    hashed: /^assets\//,
  },
  {
    name: 'Next.js, exported',
    create: [
      'create-next-app@16',
      'site',
      ...['--ts', '--app', '--no-linter', '--no-tailwind', '--no-src-dir', '--no-react-compiler'],
      ...['--import-alias', '@/*', '--use-npm', '--skip-install', '--disable-git', '--yes'],
    ],
    prepare: async (directory) => {
      await writeFile(join(directory, 'next.config.ts'), nextConfig)
      await writeFile(join(directory, 'app/layout.tsx'), nextLayout)
    },
    output: 'out',
    hashed: /^_next\/static\/(?!.*(?:_buildManifest|_ssgManifest|_clientMiddlewareManifest))/,
  },
  {
    name: 'SvelteKit, static',
    create: [
      ...['sv@0.17', 'create', 'site', '--template', 'minimal', '--types', 'ts', '--no-add-ons'],
      '--no-install',
      '--no-download-check',
    ],
    add: ['@sveltejs/adapter-static@3'],
    prepare: async (directory) => {
      await writeFile(join(directory, 'src/routes/+layout.ts'), 'export const prerender = true\n')
    },
    files: {
      'vite.config.ts': svelteConfig,
      'src/routes/about/+page.svelte': '<h1>About</h1>\n<style>h1 { color: teal }</style>\n',
    },
    output: 'build',
    hashed: /^_app\/immutable\//,
  },
  {
    name: 'Docusaurus',
    create: ['create-docusaurus@3', 'site', 'classic', '--typescript', '--skip-install'],
    output: 'build',
    hashed: /^assets\/(?:css|js|images)\//,
  },
  {
    name: 'Rsbuild with React',
    files: {
      'package.json': '{ "name": "board", "private": true }\n',
      'rsbuild.config.mjs':
        'import { pluginReact } from "@rsbuild/plugin-react"\nexport default { plugins: [pluginReact()] }\n',
      'src/index.jsx':
        'import { createRoot } from "react-dom/client"\nimport App from "./App"\n' +
        'createRoot(document.getElementById("root")).render(<App />)\n',
      'src/App.jsx':
        'import { lazy, Suspense } from "react"\nimport dot from "./dot.svg?url"\nimport "./App.css"\n' +
        'const Later = lazy(() => import("./Later"))\n' +
        'export default () => (<p className="board"><img src={dot} alt="" />' +
        '<Suspense><Later /></Suspense></p>)\n',
      'src/Later.jsx': 'export default () => <b>{location.pathname}</b>\n',
      'src/App.css': '.board { color: teal }\n',
      'src/dot.svg': dot,
    },
    add: ['@rsbuild/core', '@rsbuild/plugin-react', 'react', 'react-dom'],
    build: ['rsbuild', 'build'],
    output: 'dist',
    spa: true,
    // Licenses have the hash of their script.
    hashed: /^static\/(?:js|css|svg|image)\//,
  },
  {
    name: 'VitePress',
    files: {
      'package.json': '{ "name": "notes", "private": true, "type": "module" }\n',
      'index.md': vitePage,
      'about.md': '# About\n\nA second page.\n',
      'dot.svg': dot,
      'public/robots.txt': 'User-agent: *\n',
    },
    add: ['vitepress@1'],
    build: ['vitepress', 'build'],
    output: '.vitepress/dist',
    hashed: /^assets\/.*\.(?:js|css|woff2)$/,
  },
  {
    name: 'Astro',
    files: {
      'package.json': '{ "name": "pages", "private": true, "type": "module" }\n',
      'src/pages/index.astro':
        '---\nimport Card from "../components/Card.astro"\n---\n' +
        '<html lang="en"><body><Card /></body></html>\n',
      'src/pages/404.astro': '<html lang="en"><body><h1>Nothing here</h1></body></html>\n',
      'src/pages/posts/first.md': '# First\n\nWords of a post.\n',
      'src/components/Card.astro':
        '<p class="card">A card</p>\n<style>.card { color: teal; padding: 1rem; border: 1px solid }' +
        ' .card:hover { color: navy }</style>\n<script>document.title = "Cards at " + location.pathname' +
        '; console.log(document.title.repeat(3), navigator.languages, performance.now())</script>\n',
      'public/favicon.svg': dot,
    },
    add: ['astro@5'],
    build: ['astro', 'build'],
    output: 'dist',
    hashed: /^_astro\//,
  },
  {
    name: 'Eleventy',
    files: {
      'package.json': '{ "name": "diary", "private": true }\n',
      'index.md': '# Diary\n\nA page.\n',
      'posts/first.md': '# First\n\nAnother page.\n',
      '404.md': '---\npermalink: 404.html\n---\n# Nothing here\n',
    },
    add: ['@11ty/eleventy@3'],
    build: ['eleventy'],
    output: '_site',
    hashed: /^(?!)/,
  },
  {
    name: 'Parcel',
    files: {
      'package.json': '{ "name": "counter", "private": true, "source": "src/index.html" }\n',
      'src/index.html':
        '<!doctype html><title>Counter</title><link rel="stylesheet" href="style.css">' +
        '<img src="dot.svg" alt="A dot"><script type="module" src="main.js"></script>\n',
      'src/style.css': 'body { font-family: serif }\n',
      'src/main.js':
        'import("./later.js").then(({ greet }) => document.body.append(greet(location.pathname)))\n',
      'src/later.js': 'export const greet = (path) => "You are at " + path\n',
      'src/dot.svg': dot,
    },
    add: ['parcel@2'],
    build: ['parcel', 'build', '--no-cache'],
    output: 'dist',
    hashed: /^(?!index\.html).*\.[0-9a-f]{8}\.(?:js|css|svg)(?:\.map)?$/,
  },
]
