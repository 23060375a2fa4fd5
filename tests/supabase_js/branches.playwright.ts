/** Two pages at once, each on a branch of its own, by the package for vitest and Playwright. */
import {
  expect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type TestType,
  test as plain,
} from '@playwright/test'
import { type Branch, withBranchPages } from '../../packages/muster-test/index.js'

type Fixtures = PlaywrightTestArgs & PlaywrightTestOptions & { branch: Branch }
const test = withBranchPages(plain) as TestType<Fixtures, object>

for (const [title, other] of [
  ['Ladders in wind', 'Foam at night'],
  ['Foam at night', 'Ladders in wind'],
] as const) {
  test(`the article ${title} is on the pages of its branch`, async ({ page, branch, request }) => {
    const slug = title.toLowerCase().replaceAll(' ', '-')
    const article = { slug, title, content: title, is_blog_post: true, is_public_blog: true }
    const headers = { apikey: branch.secretKey }
    expect((await request.post(`${branch.url}/rest/v1/posts`, { headers, data: article })).status()).toBe(201)
    await page.goto(`/blog/${slug}`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await page.goto('/blog')
    await expect(page.getByText(title).first()).toBeVisible()
    await expect(page.getByText(other)).toHaveCount(0)
  })
}
