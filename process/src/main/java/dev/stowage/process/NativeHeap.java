package dev.stowage.process;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The heap of the C library, as {@code malloc_info} tells it.
 *
 * @param arenas the number of arenas
 * @param arenaBytes the bytes of all arenas
 * @param freeBytes the free bytes in them
 * @param mappedBytes the bytes of requests that have mappings of their own
 */
record NativeHeap(long arenas, long arenaBytes, long freeBytes, long mappedBytes) {

  private static final Pattern HEAP = Pattern.compile("<heap nr=\"\\d+\">");
  private static final Pattern FREE =
      Pattern.compile("<total type=\"(?:fast|rest)\" count=\"\\d+\" size=\"(\\d{1,18})\"/>");
  private static final Pattern MAPPED =
      Pattern.compile("<total type=\"mmap\" count=\"\\d+\" size=\"(\\d{1,18})\"/>");
  private static final Pattern CURRENT =
      Pattern.compile("<system type=\"current\" size=\"(\\d{1,18})\"/>");

  /** {@return the heap; empty if the text is not that of {@code malloc_info}} */
  static Optional<NativeHeap> of(String text) {
    int end = text.lastIndexOf("</heap>");
    if (end < 0) {
      return Optional.empty();
    }
    // The totals of all arenas follow the last one.
    String totals = text.substring(end);
    return Optional.of(
        new NativeHeap(
            HEAP.matcher(text).results().count(),
            sum(CURRENT.matcher(totals)),
            sum(FREE.matcher(totals)),
            sum(MAPPED.matcher(totals))));
  }

  private static long sum(Matcher numbers) {
    return numbers.results().mapToLong(number -> Long.parseLong(number.group(1))).sum();
  }
}
