package dev.stowage.process;

import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The Java heap, as the virtual machine tells it.
 *
 * @param usedBytes the bytes of objects, live or garbage
 */
record JavaHeap(long usedBytes) {

  /*
   * A line of a heap or a generation has one blank before it on older virtual machines, and the lines
   * of its spaces have more. Shenandoah has the bytes in use at the end of its line:
   *
   *   garbage-first heap   total reserved 524288K, committed 389120K, used 2927K [0x…
   *    garbage-first heap   total 262144K, used 3241K [0x…
   *    400M max, 400M soft max, 379M committed, 102M used
   */
  private static final Pattern USED =
      Pattern.compile(
          "(?m)^ ?(?! |region size|Metaspace|class space)[^\\n]*?\\bused (\\d{1,9})([KMG])\\b.*$"
              + "|^ ?\\d+[KMG] max,.* (\\d{1,9})([KMG]) used$");

  /** {@return the heap; empty if the text does not have the bytes} */
  static Optional<JavaHeap> of(String text) {
    return USED.matcher(text).results().map(JavaHeap::bytes).reduce(Long::sum).map(JavaHeap::new);
  }

  private static Long bytes(MatchResult used) {
    int first = used.group(1) == null ? 3 : 1;
    int shift = 10 * (1 + "KMG".indexOf(used.group(first + 1)));
    return Long.parseLong(used.group(first)) << shift;
  }
}
