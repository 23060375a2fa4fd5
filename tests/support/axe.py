"""Runs axe on a page: the same rules and the same summary in every journey."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# The violations as lines; the rest of axe's report, a megabyte per page, stays in the browser.
# Colors in a theme transition are not the design's: transitions start within two frames, and are
# waited for, but not for ever. What is animated by scrolling never ends.
RUN = """async (rules) => {
  const frame = () => new Promise(requestAnimationFrame)
  const settle = async () => {
    await frame()
    await frame()
    const ending = document.getAnimations().filter(({ effect, timeline }) =>
      timeline === document.timeline && effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  }
  await Promise.race([settle(), new Promise((_, failed) => setTimeout(() => failed(new Error(
    `still moving: ${document.visibilityState} ${document.getAnimations().map(({ playState, effect }) =>
      `${playState} ${effect?.target?.outerHTML.slice(0, 120)}`)}`)), 30_000))])
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'], preload: false, ...(rules && { runOnly: { type: 'rule', values: rules } }),
  })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 120))}`)
}"""
COLOR = ["color-contrast", "link-in-text-block"]


def faults(page: Page, *, color_only: bool = False) -> list[str]:
    """The axe violations, one line each. `color_only`: a second theme can only change colors."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(RUN, COLOR if color_only else None)
    return found


def faults_in_both_themes(page: Page) -> list[str]:
    """The violations in the light theme, and those only in the dark one. Requires reduced motion."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {fault}" for fault in faults(page, color_only=scheme == "dark")]
    return found
