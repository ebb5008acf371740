/**
 * Plans and allocates tensor memory by numbers alone: sizes, offsets, addresses and tasks.
 *
 * <p>No class of this module accesses the memory that it manages.
 */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // that of memory is compiled later
module dev.stowage.core {
  requires jdk.jfr;
  requires static transitive java.management; // for the package of beans only
  requires static org.jspecify;

  exports dev.stowage.core;
  exports dev.stowage.core.bfc;
  exports dev.stowage.core.budget;
  exports dev.stowage.core.management;
  exports dev.stowage.core.plan;
  exports dev.stowage.core.plan.banks;
  exports dev.stowage.core.plan.bounds;
  exports dev.stowage.core.plan.check;
  exports dev.stowage.core.plan.incremental;
  exports dev.stowage.core.plan.search;
  exports dev.stowage.core.plan.shapes;
  exports dev.stowage.core.plan.shapes.search;
  exports dev.stowage.core.plan.spi;
  exports dev.stowage.core.plan.strategy;
  exports dev.stowage.core.replay;
  exports dev.stowage.core.slab to
      dev.stowage.memory;
  exports dev.stowage.core.trace;
  exports dev.stowage.core.trace.explain;
  exports dev.stowage.core.trace.pytorch;
  exports dev.stowage.core.tune;
}
