/**
 * Devices of OpenCL: their memory, their queues, and kernels on it.
 *
 * <p>The module needs the right to native access: {@code
 * --enable-native-access=dev.stowage.opencl,dev.stowage.memory}.
 */
@org.jspecify.annotations.NullMarked
module dev.stowage.opencl {
  requires transitive dev.stowage.memory;
  requires static org.jspecify;

  exports dev.stowage.opencl;
}
