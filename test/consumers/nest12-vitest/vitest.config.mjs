/** Packages are loaded by Node, or, in the second project, by Vitest itself like the files of the application. */
export default {
  test: {
    projects: [
      { extends: true, test: { name: 'external' } },
      { extends: true, test: { name: 'inlined', server: { deps: { inline: true } } } },
    ],
  },
};
