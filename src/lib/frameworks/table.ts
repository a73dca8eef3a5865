/** The frameworks that `svc deploy` recognizes, and how each builds a static site. */

export type Framework = {
  name: string
  /** A package that projects with it depend on; without one, `files` decide. */
  dependency?: string
  /** Files of which one must be there. */
  files?: string[]
  /** The command that makes the site where the package has no script `build`. */
  build: string
  /** Where the site is then; `<name>` is the name of the package. */
  output: string
  /** The text that a configuration file must have, or no static site is built. */
  needs?: { files: RegExp; content: RegExp; advice: string }
}

/** The first one that fits applies: what builds upon another tool stands before it. */
export const frameworks: Framework[] = [
  {
    name: 'Next.js',
    dependency: 'next',
    build: 'next build',
    output: 'out',
    needs: {
      files: /^next\.config\.\w+$/,
      content: /output\s*:\s*['"`]export['"`]/,
      advice: "set `output: 'export'` in next.config, since without it Next.js builds a server",
    },
  },
  { name: 'Nuxt', dependency: 'nuxt', build: 'nuxt generate', output: '.output/public' },
  {
    name: 'SvelteKit',
    dependency: '@sveltejs/kit',
    build: 'vite build',
    output: 'build',
    needs: {
      files: /^(svelte\.config\.\w+|package\.json)$/,
      content: /@sveltejs\/adapter-static/,
      advice: 'use `@sveltejs/adapter-static`, since other adapters build a server',
    },
  },
  { name: 'Astro', dependency: 'astro', build: 'astro build', output: 'dist' },
  { name: 'Gatsby', dependency: 'gatsby', build: 'gatsby build', output: 'public' },
  { name: 'Docusaurus', dependency: '@docusaurus/core', build: 'docusaurus build', output: 'build' },
  { name: 'Angular', dependency: '@angular/core', build: 'ng build', output: 'dist/<name>/browser' },
  { name: 'VitePress', dependency: 'vitepress', build: 'vitepress build', output: '.vitepress/dist' },
  { name: 'Eleventy', dependency: '@11ty/eleventy', build: 'eleventy', output: '_site' },
  { name: 'Create React App', dependency: 'react-scripts', build: 'react-scripts build', output: 'build' },
  { name: 'Vue CLI', dependency: '@vue/cli-service', build: 'vue-cli-service build', output: 'dist' },
  { name: 'Ember', dependency: 'ember-cli', build: 'ember build --environment production', output: 'dist' },
  { name: 'Parcel', dependency: 'parcel', build: 'parcel build', output: 'dist' },
  { name: 'Vite', dependency: 'vite', build: 'vite build', output: 'dist' },
  {
    name: 'Hugo',
    files: ['hugo.toml', 'hugo.yaml', 'hugo.json', 'archetypes/default.md'],
    build: 'hugo --minify',
    output: 'public',
  },
  { name: 'Jekyll', files: ['_config.yml'], build: 'bundle exec jekyll build', output: '_site' },
]
