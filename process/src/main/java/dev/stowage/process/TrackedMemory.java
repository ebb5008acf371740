package dev.stowage.process;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The figures of Native Memory Tracking.
 *
 * @param requests the bytes that the virtual machine has requested from the C library, by purpose:
 *     those of at least a MiB, the largest first
 * @param tableBytes the bytes of the mappings of the garbage collector, resident or not; empty if
 *     tracking is off
 * @param bufferBytes the bytes of direct buffers and FFM arenas; empty if tracking is off
 * @param allRequests the bytes of all requests to the C library, by purpose; empty if tracking is
 *     off
 */
record TrackedMemory(
    List<OwnedMemory.Detail> requests,
    OptionalLong tableBytes,
    OptionalLong bufferBytes,
    Map<String, Long> allRequests) {

  /** The purpose of direct buffers and FFM arenas. */
  static final String BUFFER_PURPOSE = "direct buffers and FFM arenas";

  private static final long LEAST_BYTES = 1 << 20;
  private static final int MOST = 3;

  private static final Pattern CATEGORY = Pattern.compile("- +(.+?) \\(reserved=.*");
  private static final Pattern MALLOC = Pattern.compile(" +\\(malloc=(\\d{1,15})KB .*");
  private static final Pattern MMAP =
      Pattern.compile(" +\\(mmap: reserved=\\d+KB, committed=(\\d{1,15})KB.*");

  private static final String BUFFERS = "Other";

  private static final Map<String, String> TITLES =
      Map.of(BUFFERS, BUFFER_PURPOSE, "Internal", "other native memory of Java");

  /** {@return the figures in the output of {@code VM.native_memory}; none if tracking is off} */
  static TrackedMemory of(String text) {
    List<OwnedMemory.Detail> requests = new ArrayList<>();
    Map<String, Long> all = new LinkedHashMap<>();
    OptionalLong tables = OptionalLong.empty();
    OptionalLong buffers = OptionalLong.empty();
    String category = "";
    for (String line : text.lines().toList()) {
      Matcher next = CATEGORY.matcher(line);
      Matcher malloc = MALLOC.matcher(line);
      Matcher mmap = MMAP.matcher(line);
      if (next.matches()) {
        category = next.group(1);
      } else if (malloc.matches()) {
        long bytes = kib(malloc);
        if (category.equals(BUFFERS)) {
          buffers = OptionalLong.of(bytes);
        }
        if (!category.isEmpty()) {
          all.put(TITLES.getOrDefault(category, category + " of the VM"), bytes);
        }
      } else if (mmap.matches() && category.equals("GC")) {
        tables = OptionalLong.of(kib(mmap));
      }
    }
    all.forEach((purpose, bytes) -> {
      if (bytes >= LEAST_BYTES) {
        requests.add(new OwnedMemory.Detail(purpose, bytes));
      }
    });
    requests.sort(Comparator.comparingLong(OwnedMemory.Detail::bytes).reversed());
    return new TrackedMemory(requests.stream().limit(MOST).toList(), tables, buffers, all);
  }

  private static long kib(Matcher line) {
    return Long.parseLong(line.group(1)) * 1024;
  }
}
