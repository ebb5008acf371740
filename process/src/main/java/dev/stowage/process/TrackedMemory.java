package dev.stowage.process;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The figures of Native Memory Tracking.
 *
 * @param requests the bytes that the virtual machine has requested from the C library, by purpose;
 *     none if tracking is off
 * @param tableBytes the bytes of the mappings of the garbage collector, resident or not; empty if
 *     tracking is off
 */
record TrackedMemory(Map<String, Long> requests, OptionalLong tableBytes) {

  /** The purpose of direct buffers and FFM arenas. */
  static final String BUFFER_PURPOSE = "direct buffers and FFM arenas";

  private static final Pattern CATEGORY = Pattern.compile("- +(.+?) \\(reserved=.*");
  private static final Pattern MALLOC = Pattern.compile(" +\\(malloc=(\\d{1,15})KB .*");
  private static final Pattern MMAP =
      Pattern.compile(" +\\(mmap: reserved=\\d+KB, committed=(\\d{1,15})KB.*");

  private static final Map<String, String> TITLES =
      Map.of("Other", BUFFER_PURPOSE, "Internal", "other native memory of Java");

  /** {@return the figures in the output of {@code VM.native_memory}; none if tracking is off} */
  static TrackedMemory of(String text) {
    Map<String, Long> requests = new LinkedHashMap<>();
    OptionalLong tables = OptionalLong.empty();
    String category = "";
    for (String line : text.lines().toList()) {
      Matcher next = CATEGORY.matcher(line);
      Matcher malloc = MALLOC.matcher(line);
      Matcher mmap = MMAP.matcher(line);
      if (next.matches()) {
        category = next.group(1);
      } else if (malloc.matches() && !category.isEmpty()) {
        requests.put(TITLES.getOrDefault(category, category + " of the VM"), kib(malloc));
      } else if (mmap.matches() && category.equals("GC")) {
        tables = OptionalLong.of(kib(mmap));
      }
    }
    return new TrackedMemory(requests, tables);
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

  private static long kib(Matcher line) {
    return Long.parseLong(line.group(1)) * 1024;
  }
}
