"""What axe finds on a page: the same rules and the same brief answer in every journey."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# The violations as lines; the rest of axe's report, a megabyte a page, stays in the browser.
# A color on its way to the other theme's is none of the design's: two frames start the transitions, then those that end
# are waited for.
RUN = """async (rules) => {
  const frame = () => new Promise(requestAnimationFrame)
  await frame()
  await frame()
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
  await Promise.allSettled(ending.map(({ finished }) => finished))
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'], preload: false, ...(rules && { runOnly: { type: 'rule', values: rules } }),
  })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 120))}`)
}"""
COLOR = ["color-contrast", "link-in-text-block"]


def faults(page: Page, *, color_only: bool = False) -> list[str]:
    """What axe finds, one line each. What a theme can change is color alone: for a second one that is enough."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(RUN, COLOR if color_only else None)
    return found


def faults_in_both_themes(page: Page) -> list[str]:
    """What axe finds in the light, and what of it is only there in the dark. Motion has to be reduced."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {fault}" for fault in faults(page, color_only=scheme == "dark")]
    return found
