/**
 * Decides where tensor memory goes and never touches a byte: sizes, offsets and tasks are numbers.
 */
@org.jspecify.annotations.NullMarked
module dev.stowage.core {
  requires jdk.jfr;
  requires static org.jspecify;

  exports dev.stowage.core;
  exports dev.stowage.core.bfc;
  exports dev.stowage.core.plan;
  exports dev.stowage.core.plan.bounds;
  exports dev.stowage.core.plan.check;
  exports dev.stowage.core.plan.search;
  exports dev.stowage.core.plan.spi;
  exports dev.stowage.core.plan.strategy;
  exports dev.stowage.core.trace;
}
