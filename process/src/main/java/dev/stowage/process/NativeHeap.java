package dev.stowage.process;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The heap of the C library, as {@code malloc_info} reports it.
 *
 * @param arenas each arena
 * @param arenaBytes the bytes of all arenas
 * @param freeBytes the free bytes in them
 * @param mappedBytes the bytes of requests that have mappings of their own
 * @param freePageBytes the bytes of the whole pages in free chunks, resident or not; an estimate
 */
record NativeHeap(
    List<MallocArena> arenas,
    long arenaBytes,
    long freeBytes,
    long mappedBytes,
    long freePageBytes) {

  /*
   * The text has the sizes of free chunks, but not their addresses. A chunk of s bytes at any address
   * has (s - 4095) / 4096 whole pages on average. The chunk at the end of an arena is in no list of
   * sizes. For the first arena alone, malloc_trim returns this chunk.
   */

  private static final long PAGE_BYTES = 4096;

  private static final Pattern HEAP = Pattern.compile("(?s)<heap nr=\"(\\d{1,9})\">(.*?)</heap>");
  private static final Pattern FREE =
      Pattern.compile("<total type=\"(?:fast|rest)\" count=\"\\d+\" size=\"(\\d{1,18})\"/>");
  private static final Pattern MAPPED =
      Pattern.compile("<total type=\"mmap\" count=\"\\d+\" size=\"(\\d{1,18})\"/>");
  private static final Pattern CURRENT =
      Pattern.compile("<system type=\"current\" size=\"(\\d{1,18})\"/>");

  private static final Pattern CHUNKS =
      Pattern.compile(
          "<(?:size|unsorted) from=\"\\d+\" to=\"\\d+\" total=\"(\\d{1,18})\" count=\"(\\d{1,18})\"/>");

  /** {@return the heap; empty if the text does not come from {@code malloc_info}} */
  static Optional<NativeHeap> of(String text) {
    int end = text.lastIndexOf("</heap>");
    if (end < 0) {
      return Optional.empty();
    }
    // The totals of all arenas follow the last one.
    String totals = text.substring(end);
    return Optional.of(
        new NativeHeap(
            HEAP.matcher(text).results().map(NativeHeap::arena).toList(),
            sum(CURRENT.matcher(totals)),
            sum(FREE.matcher(totals)),
            sum(MAPPED.matcher(totals)),
            CHUNKS.matcher(text).results().mapToLong(NativeHeap::pageBytes).sum()
                + topBytes(text)));
  }

  private static MallocArena arena(MatchResult heap) {
    return new MallocArena(
        Integer.parseInt(heap.group(1)),
        sum(CURRENT.matcher(heap.group(2))),
        sum(FREE.matcher(heap.group(2))));
  }

  private static long pageBytes(MatchResult chunks) {
    return Math.max(0, bytes(chunks, 1) - bytes(chunks, 2) * PAGE_BYTES);
  }

  /** {@return the bytes of the chunk at the end of the first arena} */
  private static long topBytes(String text) {
    String first = text.substring(0, text.indexOf("</heap>"));
    long listed = CHUNKS.matcher(first).results().mapToLong(chunks -> bytes(chunks, 1)).sum();
    return Math.max(0, sum(FREE.matcher(first)) - listed - PAGE_BYTES);
  }

  private static long bytes(MatchResult numbers, int group) {
    return Long.parseLong(numbers.group(group));
  }

  long inUseBytes() {
    return arenaBytes - freeBytes;
  }

  /**
   * {@return the bytes that {@code malloc_trim} returns to the system; an estimate}
   *
   * @param residentBytes the resident bytes of the arenas
   */
  long trimmedBytes(long residentBytes) {
    long free = Math.max(0, residentBytes - inUseBytes());
    return Math.min(free, freePageBytes);
  }

  private static long sum(Matcher numbers) {
    return numbers.results().mapToLong(number -> Long.parseLong(number.group(1))).sum();
  }

  /** {@return the number of arenas in a sentence, such as {@code 16 arenas}} */
  String arenaCount() {
    return arenas.size() == 1 ? "1 arena" : arenas.size() + " arenas";
  }
}
