/** What a style needs to apply in this page and in frames of it; the server chose it. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
