/**
 * Devices of the CUDA driver API. The module needs only the driver.
 *
 * <p>It needs native access: {@code --enable-native-access=dev.stowage.cuda}.
 */
@org.jspecify.annotations.NullMarked
module dev.stowage.cuda {
  requires transitive dev.stowage.memory;
  requires static org.jspecify;

  exports dev.stowage.cuda;
}
