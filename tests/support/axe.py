"""Runs axe on a page: the same rules and the same summary in every journey."""

from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# The violations as lines; the rest of axe's report, a megabyte per page, stays in the browser.
# Colors in a theme transition are not the design's: transitions start within two frames, and are
# waited for, but not for ever. What is animated by scrolling never ends.
RUN = """async ({ options, isLayer }) => {
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
  const layers = [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')]
  if (isLayer && !layers.some((layer) => layer.checkVisibility() && layer.clientHeight)) throw new Error('none is open')
  const { violations } = await axe.run(isLayer ? { include: layers } : document, {
    resultTypes: ['violations'], preload: false, selectors: false, elementRef: true, ...options,
  })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(
    ({ element }) => element.outerHTML.slice(0, 120))}`)
}"""
# The product's colors are in OKLCH, which axe parses again for every element behind every text: 40 % of its time.
# And it writes down the HTML of every element that it looks at. Texts that look alike, as the rows of a list do, have
# the same contrast: one of each look is measured in a document, until one is found whose contrast is enough.
LESS_WORK = """() => {
  axe.configure({ noHtml: true })
  const { Color } = axe.commons.color
  const parse = Color.prototype.parseString
  const known = new Map()
  Color.prototype.parseString = function (text) {
    if (!known.has(text)) known.set(text, parse.call(new Color(), text))
    const { r, g, b, alpha } = known.get(text)
    return Object.assign(this, { r, g, b, alpha })
  }
  const GROUND = ['background-color', 'background-image', 'opacity', 'filter', 'mix-blend-mode', 'position']
  const TEXT = ['color', 'font-size', 'font-weight', 'text-shadow', 'visibility']
  const styles = (node, names) => names.map((name) => node.getComputedStylePropertyValue(name)).join()
  const PLAIN = ['rgba(0, 0, 0, 0)', 'none', '1', 'none', 'normal']
  const plain = ['static', 'relative'].map((position) => [...PLAIN, position].join())
  const numbers = new Map() // of grounds: what lies behind an element, by what its ancestors are painted with
  const grounds = new WeakMap() // axe makes its nodes anew for each run
  const groundOf = (node) => {
    if (!node) return 0
    if (!grounds.has(node)) {
      const own = styles(node, GROUND)
      const behind = groundOf(node.parent)
      const ground = `${behind} ${own}`
      if (!plain.includes(own) && !numbers.has(ground)) numbers.set(ground, numbers.size + 1)
      grounds.set(node, plain.includes(own) ? behind : numbers.get(ground))
    }
    return grounds.get(node)
  }
  const enough = new Set()
  const lookOf = (node) => `${groundOf(node)} ${styles(node, TEXT)}`
  const rule = axe._audit.rules.find(({ id }) => id === 'color-contrast')
  const { matches } = rule
  rule.matches = function (element, node, ...rest) {
    return !enough.has(lookOf(node)) && matches.call(this, element, node, ...rest)
  }
  const check = axe._audit.checks['color-contrast']
  const { evaluate } = check
  check.evaluate = function (element, options, node, ...rest) {
    const look = lookOf(node)
    const has = enough.has(look) || evaluate.call(this, element, options, node, ...rest)
    if (has) enough.add(look)
    return has
  }
}"""
COLOR = ["color-contrast", "link-in-text-block"]
# A second theme changes colors alone; letters of another size change none.
Rules = Literal["all", "color", "but color"]
Theme = Literal["light", "dark"]
# Without emulation the browser is light, and opens the next page sooner (browser.AS_IT_IS).
THEMES: dict[Theme, Literal["null", "dark"]] = {"light": "null", "dark": "dark"}
RULES: dict[Rules, dict[str, Any]] = {
    "all": {},
    "color": {"runOnly": {"type": "rule", "values": COLOR}},
    "but color": {"rules": {name: {"enabled": False} for name in COLOR}},
}


def faults(page: Page, rules: Rules = "all", *, in_layer: bool = False) -> list[str]:
    """The axe violations, one line each; `in_layer`: those of the open dialog or menu."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
        page.evaluate(LESS_WORK)
    found: list[str] = page.evaluate(RUN, {"options": RULES[rules], "isLayer": in_layer})
    return found


def faults_in_both_themes(page: Page, *, is_resized: bool = False, is_covered: bool = False) -> list[str]:
    """The violations in the light theme, and those only in the dark one. Requires reduced motion.

    `is_resized`: both were looked for at another width, so that one theme has to do: a run of axe takes as long as it
    takes to load the page. `is_covered`: the page's own colors were looked at without the dialog or menu that is open,
    and what it hides of the page is the same at another width.
    """
    if is_resized:
        looks: list[tuple[Theme, Rules, bool]] = [("dark", "all", is_covered)]
    elif is_covered:
        looks = [("light", "color", True), ("light", "but color", False), ("dark", "color", True)]
    else:
        looks = [("light", "all", False), ("dark", "color", False)]
    found = []
    for theme, rules, in_layer in looks:
        page.emulate_media(color_scheme=THEMES[theme])
        found += [f"{theme}: {fault}" for fault in faults(page, rules, in_layer=in_layer)]
    page.emulate_media(color_scheme=THEMES["light"])
    return found
