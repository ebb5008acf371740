/**
 * Memory of the host and of devices: regions of the operating system, pools with arenas of the JDK,
 * buffers with copies on devices, and tensors.
 *
 * <p>The module needs native access: {@code --enable-native-access=dev.stowage.memory}.
 */
@org.jspecify.annotations.NullMarked
module dev.stowage.memory {
  requires transitive dev.stowage.allocator;
  requires jdk.management;
  requires static org.jspecify;

  exports dev.stowage.memory.device;
  exports dev.stowage.memory.pool;
  exports dev.stowage.memory.synced;
  exports dev.stowage.memory.tensor;
}
