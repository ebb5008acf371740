/**
 * Buffers of Apache Arrow from a memory pool.
 *
 * <p>The module needs native access, {@code --enable-native-access=dev.stowage.memory}, and Arrow
 * needs {@code --add-opens=java.base/java.nio=org.apache.arrow.memory.core,ALL-UNNAMED}.
 */
@org.jspecify.annotations.NullMarked
module dev.stowage.arrow {
  requires transitive dev.stowage.memory;
  requires transitive org.apache.arrow.memory.core;
  requires static org.jspecify;

  exports dev.stowage.arrow;
}
