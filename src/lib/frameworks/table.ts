/** The frameworks that are recognized, and how each builds a static site. */

export type Framework = {
  name: string
  /** A package that projects with it depend on; without one, `files` decide. */
  dependency?: string
  /** Files of which one must be there. `content` is what it must have, where others use the name, too. */
  files?: { name: string; content?: RegExp }[]
  /** The tool stands beside another framework in many projects: then it counts where the script runs it. */
  isBeside?: true
  /** The command that makes the site where the package has no script for it. */
  build: string
  /** Where the site is then, below its folder; `<name>` is the name of the package. */
  output: string
  places?: Places
  /** The sign that it builds a server; without one, all that it builds are static sites. */
  server?: ServerSign
}

/** Files at the root: one with this content means a static site, or a server; none, the other. */
type ServerSign = { files: RegExp; content: RegExp; means: 'static' | 'server' }

/** How a project says that its site is elsewhere. */
export type Places = {
  /** The flags of the command that name the output directory, from the root or, if so, the site's folder. */
  flags?: string[]
  areFlagsBelowFolder?: true
  /** The command's operand names the folder of the site. */
  hasOperand?: true
  /** A folder that each folder of a site has: the first one that has it is the site's. */
  mark?: string
  /** The configurations in the site's folder, or in that folder below it, and their keys. */
  configuration?: { files: RegExp; folder?: string; output: string; root?: string }
  /** The folder of the pages in the directory that is named. */
  inside?: string
}

const vite = {
  flags: ['--outDir'],
  areFlagsBelowFolder: true,
  hasOperand: true,
  configuration: { files: /^vite\.config\.\w+$/, output: 'build.outDir', root: 'root' },
} satisfies Places

/** The first one that fits applies: what builds upon another tool stands before it. */
export const frameworks: Framework[] = [
  {
    name: 'Next.js',
    dependency: 'next',
    build: 'next build',
    output: 'out',
    places: { configuration: { files: /^next\.config\.\w+$/, output: 'distDir' } },
    server: {
      files: /^next\.config\.\w+$/,
      content: /output\s*:\s*['"`]export['"`]/,
      means: 'static',
    },
  },
  {
    name: 'Nuxt',
    dependency: 'nuxt',
    build: 'nuxt generate',
    output: '.output/public',
    server: {
      files: /^package\.json$/,
      content: /"build"\s*:\s*"[^"]*\b(nuxt|nuxi)\s+build\b/,
      means: 'server',
    },
  },
  {
    name: 'SvelteKit',
    dependency: '@sveltejs/kit',
    build: 'vite build',
    output: 'build',
    server: {
      files: /^((svelte|vite)\.config\.\w+|package\.json)$/,
      content: /@sveltejs\/adapter-static/,
      means: 'static',
    },
  },
  {
    name: 'React Router',
    dependency: '@react-router/dev',
    build: 'react-router build',
    output: 'build/client',
    places: {
      configuration: { files: /^react-router\.config\.\w+$/, output: 'buildDirectory' },
      inside: 'client',
    },
    server: {
      files: /^react-router\.config\.\w+$/,
      content: /\bssr\s*:\s*false\b/,
      means: 'static',
    },
  },
  {
    name: 'Astro',
    dependency: 'astro',
    build: 'astro build',
    output: 'dist',
    places: { flags: ['--outDir'], configuration: { files: /^astro\.config\.\w+$/, output: 'outDir' } },
    server: { files: /^astro\.config\.\w+$/, content: /\badapter\s*:/, means: 'server' },
  },
  ...['nitropack', 'nitro'].map((dependency) => ({
    name: 'Nitro',
    dependency,
    isBeside: true as const,
    build: 'nitro build',
    output: '.output/public',
    server: { files: /^package\.json$/, content: /--preset[= ]\S*static/, means: 'static' as const },
  })),
  { name: 'Gatsby', dependency: 'gatsby', build: 'gatsby build', output: 'public' },
  {
    name: 'Docusaurus',
    dependency: '@docusaurus/core',
    build: 'docusaurus build',
    output: 'build',
    places: { flags: ['--out-dir'] },
  },
  {
    name: 'Angular',
    dependency: '@angular/core',
    build: 'ng build',
    output: 'dist/<name>/browser',
    places: { flags: ['--output-path'] },
  },
  {
    name: 'Expo',
    dependency: 'expo',
    build: 'expo export --platform web',
    output: 'dist',
    places: { flags: ['--output-dir'] },
  },
  {
    name: 'Hexo',
    dependency: 'hexo',
    build: 'hexo generate',
    output: 'public',
    places: { configuration: { files: /^_config\.ya?ml$/, output: 'public_dir' } },
  },
  {
    name: 'VitePress',
    dependency: 'vitepress',
    isBeside: true,
    build: 'vitepress build',
    output: '.vitepress/dist',
    places: {
      flags: ['--outDir'],
      hasOperand: true,
      mark: '.vitepress',
      configuration: { files: /^config\.\w+$/, folder: '.vitepress', output: 'outDir' },
    },
  },
  {
    name: 'VuePress',
    dependency: 'vuepress',
    isBeside: true,
    build: 'vuepress build',
    output: '.vuepress/dist',
    places: {
      flags: ['-d', '--dest'],
      hasOperand: true,
      mark: '.vuepress',
      configuration: { files: /^config\.\w+$/, folder: '.vuepress', output: 'dest' },
    },
  },
  {
    name: 'Storybook',
    dependency: 'storybook',
    isBeside: true,
    build: 'storybook build',
    output: 'storybook-static',
    places: { flags: ['-o', '--output-dir'] },
  },
  {
    name: 'Eleventy',
    dependency: '@11ty/eleventy',
    build: 'eleventy',
    output: '_site',
    places: {
      flags: ['--output'],
      configuration: { files: /^(\.eleventy|eleventy\.config)\.\w+$/, output: 'dir.output' },
    },
  },
  { name: 'Create React App', dependency: 'react-scripts', build: 'react-scripts build', output: 'build' },
  {
    name: 'Vue CLI',
    dependency: '@vue/cli-service',
    build: 'vue-cli-service build',
    output: 'dist',
    places: { flags: ['--dest'], configuration: { files: /^vue\.config\.\w+$/, output: 'outputDir' } },
  },
  {
    name: 'Ember',
    dependency: 'ember-cli',
    build: 'ember build --environment production',
    output: 'dist',
    places: { flags: ['-o', '--output-path'] },
  },
  {
    name: 'Parcel',
    dependency: 'parcel',
    build: 'parcel build',
    output: 'dist',
    places: { flags: ['--dist-dir'] },
  },
  {
    name: 'Rsbuild',
    dependency: '@rsbuild/core',
    build: 'rsbuild build',
    output: 'dist',
    places: { configuration: { files: /^rsbuild\.config\.\w+$/, output: 'output.distPath.root' } },
  },
  { name: 'Vite', dependency: 'vite', build: 'vite build', output: 'dist', places: vite },
  {
    name: 'Hugo',
    files: [
      { name: 'hugo.toml' },
      { name: 'hugo.yaml' },
      { name: 'hugo.yml' },
      { name: 'hugo.json' },
      { name: 'archetypes/default.md' },
      { name: 'config.toml', content: /^[ \t]*baseurl[ \t]*=/im },
    ],
    build: 'hugo --minify',
    output: 'public',
    places: { configuration: { files: /^(hugo|config)\.(toml|ya?ml|json)$/, output: 'publishDir' } },
  },
  {
    name: 'Zola',
    files: [{ name: 'zola.toml' }, { name: 'config.toml', content: /^[ \t]*base_url[ \t]*=/m }],
    build: 'zola build',
    output: 'public',
    places: { configuration: { files: /^(zola|config)\.toml$/, output: 'output_dir' } },
  },
  {
    name: 'MkDocs',
    files: [{ name: 'mkdocs.yml' }, { name: 'mkdocs.yaml' }],
    build: 'mkdocs build',
    output: 'site',
    places: { configuration: { files: /^mkdocs\.ya?ml$/, output: 'site_dir' } },
  },
  { name: 'mdBook', files: [{ name: 'book.toml' }], build: 'mdbook build', output: 'book' },
  {
    name: 'Trunk',
    files: [{ name: 'Trunk.toml' }],
    build: 'trunk build --release',
    output: 'dist',
    places: { configuration: { files: /^Trunk\.toml$/, output: 'dist' } },
  },
  {
    name: 'Jekyll',
    files: [{ name: '_config.yml' }],
    build: 'bundle exec jekyll build',
    output: '_site',
    places: { configuration: { files: /^_config\.yml$/, output: 'destination' } },
  },
]
