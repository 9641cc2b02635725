// The contents of static/vendor/preact.js; vendor.sh builds it.
import { h, render, Fragment, Component, createContext, cloneElement, createRef } from "preact";
import htm from "htm";
export { h, render, Fragment, Component, createContext, cloneElement, createRef };
export {
  useState,
  useReducer,
  useEffect,
  useLayoutEffect,
  useRef,
  useMemo,
  useCallback,
  useContext,
  useId,
  useErrorBoundary,
} from "preact/hooks";
export { signal, computed, effect, batch, untracked, useSignal, useComputed, useSignalEffect } from "@preact/signals";
export const html = htm.bind(h);
