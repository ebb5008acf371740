/** Histories of allocations: recordings, their replay, settings that need less, and reasons. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the command line is compiled later
module dev.stowage.trace {
  requires transitive dev.stowage.allocator;
  requires transitive dev.stowage.plan;
  requires jdk.jfr;
  requires static org.jspecify;

  exports dev.stowage.trace;
  exports dev.stowage.trace.explain to
      dev.stowage.cli,
      dev.stowage.pages;
  exports dev.stowage.trace.export to
      dev.stowage.cli;
  exports dev.stowage.trace.format to
      dev.stowage.cli,
      dev.stowage.pages;
  exports dev.stowage.trace.pytorch to
      dev.stowage.cli,
      dev.stowage.pages;
  exports dev.stowage.trace.replay to
      dev.stowage.cli,
      dev.stowage.pages;
  exports dev.stowage.trace.tune to
      dev.stowage.cli;
}
