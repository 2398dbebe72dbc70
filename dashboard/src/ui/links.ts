/** Whether a link of people leads where it seems to: the server's rule, for what is shown here. */
export function isLink(href: string | null | undefined): href is string {
  if (!href || /[\\\s\p{C}]/u.test(href)) return false;
  if (/^mailto:[^/@]+@[^/@]+$/i.test(href)) return true;
  return /^https?:\/\/[^/?#@%]+(?:[/?#]|$)/i.test(href) && URL.canParse(href);
}
