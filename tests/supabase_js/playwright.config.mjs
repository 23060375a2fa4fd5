/** Runs branches.playwright.ts in the Chromium of the journeys. */
export default {
  testMatch: '*.playwright.ts',
  outputDir: '../../web/node_modules/.tmp/playwright',
  reporter: 'line',
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 30_000 },
  use: {
    launchOptions: { executablePath: process.env.CHROMIUM, args: JSON.parse(process.env.CHROMIUM_FLAGS) },
  },
}
