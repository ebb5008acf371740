/**
 * Devices of OpenCL with their memory, queues and kernels.
 *
 * <p>The module needs native access: {@code
 * --enable-native-access=dev.stowage.opencl,dev.stowage.memory}.
 */
@org.jspecify.annotations.NullMarked
module dev.stowage.opencl {
  requires transitive dev.stowage.memory;
  requires static org.jspecify;

  exports dev.stowage.opencl;
}
