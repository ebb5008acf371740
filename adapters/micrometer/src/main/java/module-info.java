/** Metrics of allocators and pools for Micrometer. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Micrometer's jars
module dev.stowage.micrometer {
  requires transitive dev.stowage.allocator;
  requires transitive micrometer.core;
  requires dev.stowage.process;
  requires static org.jspecify;

  exports dev.stowage.micrometer;
}
