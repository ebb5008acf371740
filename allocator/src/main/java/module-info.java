/**
 * Best fit with coalescing over the regions of a device.
 *
 * <p>It decides and never touches memory: sizes and addresses are longs.
 */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the module dev.stowage.memory is compiled later
module dev.stowage.allocator {
  requires jdk.jfr;
  requires static org.jspecify;

  exports dev.stowage.allocator;
  exports dev.stowage.allocator.internal to
      dev.stowage.cli,
      dev.stowage.memory,
      dev.stowage.onnxruntime,
      dev.stowage.testkit,
      dev.stowage.trace;
  exports dev.stowage.allocator.slab to
      dev.stowage.memory;
}
