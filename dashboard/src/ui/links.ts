const WEB =
  /^https?:\/\/(?:(?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+\.?|\[[0-9a-f:.]+\])(?::0*[1-9][0-9]*)?(?:[/?#]|$)/iu;

/** Whether a link of people leads where it seems to, as the server's `kit/links.py` decides. */
export function isLink(href: string | null | undefined): href is string {
  if (!href || /[\\\s\p{C}]/u.test(href)) return false;
  if (/^mailto:[^/@]+@[^/@]+$/i.test(href)) return true;
  return WEB.test(href) && URL.canParse(href);
}
