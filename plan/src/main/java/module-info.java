/**
 * Planning of tensor memory: usage records become shared objects or offsets in one arena.
 *
 * <p>It decides and never touches memory: sizes, offsets and tasks are longs.
 */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the command line is compiled later
module dev.stowage.plan {
  requires static org.jspecify;

  exports dev.stowage.plan;
  exports dev.stowage.plan.banks;
  exports dev.stowage.plan.bounds;
  exports dev.stowage.plan.check;
  exports dev.stowage.plan.incremental;
  exports dev.stowage.plan.search;
  exports dev.stowage.plan.shapes;
  exports dev.stowage.plan.strategy;
  exports dev.stowage.plan.banks.search to
      dev.stowage.cli;
  exports dev.stowage.plan.explain to
      dev.stowage.cli,
      dev.stowage.pages;
  exports dev.stowage.plan.textures to
      dev.stowage.cli;
  exports dev.stowage.plan.violations to
      dev.stowage.cli;
}
