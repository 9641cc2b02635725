// Rules for the browser client, beside Prettier (format) and tsc (types, undefined names, unused locals).
import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";

export default [
  { ignores: ["**/node_modules/**", "**/vendor/**"] },
  js.configs.recommended,
  {
    files: ["**/*.js"],
    plugins: { "react-hooks": hooks },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off", // tsc knows the browser's names
      "max-len": ["error", { code: 120 }], // Prettier does not break comments and templates
      eqeqeq: "error",
      "no-implicit-globals": "error",
      "no-shadow": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      // Not exhaustive-deps: many effects here must run on one change only, for instance when a turn begins.
      "react-hooks/rules-of-hooks": "error",
    },
  },
];
