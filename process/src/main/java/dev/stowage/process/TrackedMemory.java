package dev.stowage.process;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The figures of Native Memory Tracking.
 *
 * @param requests the bytes that the virtual machine has requested from the C library, by purpose;
 *     none if tracking is off
 * @param tableBytes the bytes of the mappings of the garbage collector, resident or not; empty if
 *     tracking is off
 * @param heapBytes the addresses of the Java heap; 0 if tracking is off
 */
record TrackedMemory(Map<String, Long> requests, OptionalLong tableBytes, long heapBytes) {

  static final String BUFFER_PURPOSE = "direct buffers and FFM arenas";

  private static final Map<String, String> TITLES =
      Map.of("Other", BUFFER_PURPOSE, "Internal", "other native memory of Java");

  /** {@return the figures in the output of {@code VM.native_memory}; none if tracking is off} */
  static TrackedMemory of(String text) {
    Map<String, Long> requests = new LinkedHashMap<>();
    OptionalLong tables = OptionalLong.empty();
    NativeTracking tracking = NativeTracking.of(text);
    for (NativeTracking.Purpose purpose : tracking.purposes()) {
      String title = TITLES.getOrDefault(purpose.name(), purpose.name() + OwnedMemory.Detail.OF_VM);
      purpose.mallocBytes().ifPresent(bytes -> requests.put(title, bytes));
      if (purpose.name().equals("GC")) {
        tables = purpose.mmapBytes();
      }
    }
    return new TrackedMemory(requests, tables, tracking.heapBytes());
  }

  /** {@return the bytes of direct buffers and FFM arenas; empty if tracking is off} */
  OptionalLong bufferBytes() {
    return requests.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(requests.getOrDefault(BUFFER_PURPOSE, 0L));
  }

  /** {@return the bytes of all purposes; 0 if tracking is off} */
  long requestBytes() {
    return requests.values().stream().mapToLong(Long::longValue).sum();
  }
}
