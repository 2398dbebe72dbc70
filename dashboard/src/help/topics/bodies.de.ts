/** The topics' texts in German, without the facts that stand in the English files. */
export default import.meta.glob<string>("./de/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});
