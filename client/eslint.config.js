// Rules for the browser client. Prettier formats; tsc finds undefined names and unused locals.
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
      "no-undef": "off", // tsc checks it, and knows the browser's names
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "object-shorthand": "error",
      "prefer-template": "error",
      "no-implicit-globals": "error",
      "react-hooks/rules-of-hooks": "error",
    },
  },
];
