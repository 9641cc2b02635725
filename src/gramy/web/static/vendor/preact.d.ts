// What preact.js exports, as far as the client uses it. Elements are written as html`…` templates, which carry no types.
export interface VNode { type: unknown; props: any; key: unknown }
export type Child = VNode | string | number | boolean | null | undefined | Signal<any> | Child[];
export function html(strings: TemplateStringsArray, ...values: unknown[]): VNode;
export function h(type: unknown, props?: object | null, ...children: Child[]): VNode;
export function render(what: Child, where: Element): void;
export const Fragment: unique symbol;
export function cloneElement(node: VNode, props?: object, ...children: Child[]): VNode;
export function createRef<T>(): Ref<T>;
export interface Context<T> { Provider: unknown; readonly shape?: T }
export function createContext<T>(initial: T): Context<T>;
export class Component<P = {}, S = {}> {
  constructor(props: P);
  props: P & { children?: Child };
  state: S;
  setState(change: Partial<S>): void;
  render(): Child;
}

export interface Ref<T> { current: T }
export type Cleanup = void | (() => void);
export function useState<T>(initial: T | (() => T)): [T, (next: T | ((was: T) => T)) => void];
export function useReducer<S, A>(step: (state: S, action: A) => S, initial: S): [S, (action: A) => void];
export function useEffect(run: () => Cleanup, inputs?: unknown[]): void;
export function useLayoutEffect(run: () => Cleanup, inputs?: unknown[]): void;
export function useRef<T>(initial: T): Ref<T>;
export function useMemo<T>(make: () => T, inputs: unknown[]): T;
export function useCallback<T extends Function>(call: T, inputs: unknown[]): T;
export function useContext<T>(context: Context<T>): T;
export function useId(): string;
export function useErrorBoundary(caught?: (error: unknown) => void): [unknown, () => void];

export interface Signal<T> { value: T; peek(): T; subscribe(call: (value: T) => void): () => void }
export interface ReadonlySignal<T> { readonly value: T; peek(): T; subscribe(call: (value: T) => void): () => void }
export function signal<T>(initial: T): Signal<T>;
export function computed<T>(make: () => T): ReadonlySignal<T>;
export function effect(run: () => Cleanup): () => void;
export function batch<T>(run: () => T): T;
export function untracked<T>(run: () => T): T;
export function useSignal<T>(initial: T): Signal<T>;
export function useComputed<T>(make: () => T): ReadonlySignal<T>;
export function useSignalEffect(run: () => Cleanup): void;
