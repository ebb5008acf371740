package dev.stowage.onnx.service;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** An arena of ONNX Runtime's environment that all sessions share, with its strategy. */
final class EnvironmentArena {

  private static final int CREATE_AND_REGISTER_ALLOCATOR = 144;
  private static final int CREATE_ARENA_CFG = 164;
  private static final String STRATEGY = "arena_extend_strategy";

  private EnvironmentArena() {}

  /**
   * Registers an arena until the process ends.
   *
   * @param strategy {@code same} (kSameAsRequested) or {@code double} (kNextPowerOfTwo)
   */
  static void register(String strategy) {
    long value = strategy.equals("same") ? 1 : 0;
    OnnxRuntimeApi api = OnnxRuntimeApi.ofLoadedLibrary();
    try (Arena local = Arena.ofConfined()) {
      MemorySegment keys = local.allocate(ADDRESS);
      keys.set(ADDRESS, 0, local.allocateFrom(STRATEGY));
      MemorySegment values = local.allocateFrom(JAVA_LONG, value);
      long configuration = api.create(CREATE_ARENA_CFG, keys, values, 1L);
      api.call(
          CREATE_AND_REGISTER_ALLOCATOR,
          api.createEnv(),
          api.createMemoryInfo(OnnxRuntimeApi.ARENA_ALLOCATOR),
          configuration);
    }
  }
}
