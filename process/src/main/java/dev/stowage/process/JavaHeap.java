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

  /** The lines of a heap or a generation; the lines of its spaces start with a blank. */
  private static final Pattern USED =
      Pattern.compile("(?m)^\\S.*?\\bused (\\d{1,12})([KMG])\\b.*$");

  /** {@return the heap; empty if the text does not have the bytes} */
  static Optional<JavaHeap> of(String text) {
    return USED.matcher(text).results().map(JavaHeap::bytes).reduce(Long::sum).map(JavaHeap::new);
  }

  private static Long bytes(MatchResult used) {
    int shift = 10 * (1 + "KMG".indexOf(used.group(2)));
    return Long.parseLong(used.group(1)) << shift;
  }
}
