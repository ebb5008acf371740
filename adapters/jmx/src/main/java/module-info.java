/** Allocators as management beans (JMX). */
@org.jspecify.annotations.NullMarked
module dev.stowage.jmx {
  requires transitive dev.stowage.allocator;
  requires transitive java.management;
  requires dev.stowage.process;
  requires dev.stowage.trace;
  requires static org.jspecify;

  exports dev.stowage.jmx;
}
