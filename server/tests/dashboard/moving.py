"""Moving within the open dashboard, as its links do, without loading it again."""

from urllib.parse import urlsplit

from playwright.sync_api import Page

_GO = """async ([address, nowhere]) => {
  const lead = (how, to) => {
    const index = history.state?.idx ?? 0;
    const idx = how === "pushState" ? index + 1 : index;
    history[how]({ usr: null, key: Math.random().toString(36).slice(2), idx }, "", to);
    dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
  };
  const shown = () => document.querySelector("main h1");
  const before = shown();
  if (before === null) return false;
  lead("pushState", nowhere);
  await new Promise((done, failed) => {
    setTimeout(() => failed(new Error("The page before stands after a minute.")), 60_000);
    const look = () => (shown() ?? before) !== before && (seen.disconnect(), done());
    const seen = new MutationObserver(look);
    seen.observe(document, { childList: true, subtree: true });
    look();
  });
  lead("replaceState", address);
  return true;
}"""
_NOWHERE = "/nothing-stands-here"


def go(page: Page, address: str) -> None:
    """Lead the open dashboard to an address; load it where it is not open.

    It goes by a page that shows nothing, so that what is looked for next is not found on the page
    before. Requests that were answered may be known still, as after a click on a link.
    """
    path = urlsplit(page.url).path
    is_open = page.url.startswith("http") and not path.startswith("/api/")
    if not (is_open and page.evaluate(_GO, [address, _NOWHERE])):
        page.goto(address)
