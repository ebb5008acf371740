/** Metrics of allocators and pools by OpenTelemetry's conventions for JVM buffers. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // OpenTelemetry's jars
module dev.stowage.opentelemetry {
  requires transitive dev.stowage.allocator;
  requires transitive io.opentelemetry.api;
  requires dev.stowage.process;
  requires static org.jspecify;

  exports dev.stowage.opentelemetry;
}
