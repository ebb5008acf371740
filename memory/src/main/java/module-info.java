/**
 * Touches bytes: host memory from the operating system, and pools of it in the JDK's own shape.
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
}
