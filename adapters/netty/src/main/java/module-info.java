/**
 * Direct buffers of Netty from a memory pool.
 *
 * <p>The module needs native access: {@code --enable-native-access=dev.stowage.memory}.
 */
@org.jspecify.annotations.NullMarked
module dev.stowage.netty {
  requires transitive dev.stowage.memory;
  requires transitive io.netty.buffer;
  requires transitive io.netty.common; // for ReferenceCounted in signatures
  requires static org.jspecify;

  exports dev.stowage.netty;
}
