/**
 * A device over the CUDA driver API; nothing but the driver is needed.
 *
 * <p>The module needs the right to native access: {@code --enable-native-access=dev.stowage.cuda}.
 */
@org.jspecify.annotations.NullMarked
module dev.stowage.cuda {
  requires transitive dev.stowage.memory;
  requires static org.jspecify;

  exports dev.stowage.cuda;
}
