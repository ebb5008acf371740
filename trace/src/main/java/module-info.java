/** Histories of allocations: recordings, their replay, settings that need less, and reasons. */
@org.jspecify.annotations.NullMarked
module dev.stowage.trace {
  requires transitive dev.stowage.allocator;
  requires transitive dev.stowage.plan;
  requires jdk.jfr;
  requires static org.jspecify;

  exports dev.stowage.trace;
  exports dev.stowage.trace.explain;
  exports dev.stowage.trace.pytorch;
  exports dev.stowage.trace.replay;
  exports dev.stowage.trace.tune;
}
