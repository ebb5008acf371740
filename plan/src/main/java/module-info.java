/**
 * Planning of tensor memory: usage records become shared objects or offsets in one arena.
 *
 * <p>It decides and never touches memory: sizes, offsets and tasks are longs.
 */
@org.jspecify.annotations.NullMarked
module dev.stowage.plan {
  requires static org.jspecify;

  exports dev.stowage.plan;
  exports dev.stowage.plan.banks;
  exports dev.stowage.plan.bounds;
  exports dev.stowage.plan.check;
  exports dev.stowage.plan.incremental;
  exports dev.stowage.plan.search;
  exports dev.stowage.plan.shapes;
  exports dev.stowage.plan.shapes.search;
  exports dev.stowage.plan.spi;
  exports dev.stowage.plan.strategy;
}
