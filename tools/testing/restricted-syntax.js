/**
 * The rule `here/restricted-syntax`: nothing that one of its selectors matches. ESLint's `no-restricted-syntax`, which
 * oxlint leaves to plugins; the options are the same.
 */
export default {
  meta: { name: 'here' },
  rules: {
    'restricted-syntax': {
      meta: { schema: false },
      create: (context) =>
        Object.fromEntries(
          context.options.map(({ selector, message }) => [
            selector,
            (node) => {
              context.report({ node, message });
            },
          ]),
        ),
    },
  },
};
