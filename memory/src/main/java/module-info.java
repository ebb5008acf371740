/**
 * Touches bytes: host memory from the operating system, pools of it in the JDK's own shape, buffers
 * with copies on devices, and tensors.
 *
 * <p>The module needs the right to native access: {@code
 * --enable-native-access=dev.stowage.memory}.
 */
@org.jspecify.annotations.NullMarked
module dev.stowage.memory {
  requires transitive dev.stowage.core;
  requires jdk.management;
  requires static org.jspecify;

  exports dev.stowage.memory.device;
  exports dev.stowage.memory.pool;
  exports dev.stowage.memory.synced;
  exports dev.stowage.memory.tensor;
}
