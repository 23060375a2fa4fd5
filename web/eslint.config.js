/** Lint rules: types, hooks, accessibility, and imports in one direction only. */
import js from '@eslint/js'
import jsxA11y from 'eslint-plugin-jsx-a11y'
import reactHooks from 'eslint-plugin-react-hooks'
import reactRefresh from 'eslint-plugin-react-refresh'
import { defineConfig, globalIgnores } from 'eslint/config'
import globals from 'globals'
import { readdirSync } from 'node:fs'
import tseslint from 'typescript-eslint'

const features = readdirSync(new URL('./src/features', import.meta.url))
/** A folder shared by the features of one area: only they may import it, and it imports none of them. */
const sharedBy = { 'admin-shared': /^admin-/ }
const mayImport = (feature, other) => other === feature || (sharedBy[other]?.test(feature) ?? false)
const wrongRouter = { name: 'react-router', message: 'Import from react-router-dom.' }
const refuse = (...patterns) => ({
  'no-restricted-imports': ['error', { paths: [wrongRouter], patterns }],
})
const upward = (layers, message) => ({ group: layers.map((layer) => `@/${layer}/**`), message })

/** The TypeScript rules of every folder. */
const typescriptRules = {
  extends: [js.configs.recommended, tseslint.configs.recommendedTypeChecked],
  rules: {
    '@typescript-eslint/consistent-type-imports': 'error',
    '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  },
}

/** Relaxed for assertions and fakes in tests. */
const testRules = {
  '@typescript-eslint/unbound-method': 'off',
  '@typescript-eslint/require-await': 'off',
}

/** The rules of `tests/supabase_js`; its eslint.config.mjs imports them. */
export const nodeTests = defineConfig([
  {
    files: ['**/*.ts'],
    ...typescriptRules,
    languageOptions: {
      globals: globals.node,
      parserOptions: { project: ['./tsconfig.supabase-js.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: { ...typescriptRules.rules, ...testRules },
  },
])

export default defineConfig([
  globalIgnores(['dist', 'coverage', 'public', 'src/lib/supabase/database.types.ts']),
  {
    files: ['**/*.{ts,tsx}'],
    extends: [
      ...typescriptRules.extends,
      reactHooks.configs.flat['recommended-latest'],
      reactRefresh.configs.vite,
      jsxA11y.flatConfigs.recommended,
    ],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      ...refuse(),
      // Browsers provide it only on localhost and over HTTPS; a device on the local network connects over plain HTTP.
      'no-restricted-properties': [
        'error',
        { object: 'crypto', property: 'randomUUID', message: 'Use lib/browser/random-id.' },
      ],
      ...typescriptRules.rules,
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    },
  },
  {
    files: ['src/{lib,config}/**/*.{ts,tsx}'],
    rules: refuse(
      upward(
        ['app', 'features', 'api', 'components'],
        'lib and config are the lowest layer: they import nothing above.',
      ),
    ),
  },
  {
    files: ['src/components/**/*.{ts,tsx}'],
    rules: refuse(upward(['app', 'features', 'api'], 'Components never fetch, route or know a feature.')),
  },
  { files: ['src/api/**/*.{ts,tsx}'], rules: refuse(upward(['app', 'features'], 'api is below the features.')) },
  ...features.map((feature) => ({
    files: [`src/features/${feature}/**/*.{ts,tsx}`],
    rules: refuse(upward(['app'], 'Features do not know the app.'), {
      group: features.filter((other) => !mayImport(feature, other)).map((other) => `@/features/${other}/**`),
      message: 'No feature imports a feature: pages compose them.',
    }),
  })),
  { files: ['src/app/routes/**/*.tsx'], rules: { 'react-refresh/only-export-components': 'off' } },
  {
    files: ['src/**/*.test.{ts,tsx}', 'src/test/**'],
    rules: {
      ...testRules,
      'react-refresh/only-export-components': 'off',
    },
  },
  { files: ['**/*.{js,mjs}'], extends: [js.configs.recommended], languageOptions: { globals: globals.node } },
])
