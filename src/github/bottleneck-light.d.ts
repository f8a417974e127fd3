/** The part of the library the throttling plugin uses as well; it has the types of the whole. */
declare module "bottleneck/light.js" {
  export { default } from "bottleneck";
}
