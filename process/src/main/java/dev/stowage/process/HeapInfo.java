package dev.stowage.process;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The figures in the output of {@code GC.heap_info} and {@code VM.metaspace}. */
final class HeapInfo {

  /*
   * A line of a heap or a generation has one blank before it on older virtual machines, and the
   * lines of its spaces have more. Shenandoah has the bytes in use at the end of its line:
   *
   *   garbage-first heap   total reserved 524288K, committed 389120K, used 2927K [0x…
   *    garbage-first heap   total 262144K, used 3241K [0x…
   *    400M max, 400M soft max, 379M committed, 102M used
   */
  private static final Pattern USED =
      Pattern.compile(
          "(?m)^ ?(?! |region size|Metaspace|class space)[^\\n]*?\\bused (\\d{1,9})([KMG])\\b.*$"
              + "|^ ?\\d+[KMG] max,.* (\\d{1,9})([KMG]) used$");

  private static final Pattern METASPACE =
      Pattern.compile("(?m)^ *Metaspace +used \\d+K, committed (\\d{1,12})K.*$");
  private static final Pattern CLASS_SPACE =
      Pattern.compile("(?m)^ *class space +used \\d+K, committed (\\d{1,12})K.*$");

  private HeapInfo() {}

  /** {@return the bytes of objects, live or garbage; empty if the text lacks them} */
  static OptionalLong objectBytes(String text) {
    Optional<Long> sum = USED.matcher(text).results().map(HeapInfo::bytes).reduce(Long::sum);
    return sum.isPresent() ? OptionalLong.of(sum.get()) : OptionalLong.empty();
  }

  private static Long bytes(MatchResult used) {
    int first = used.group(1) == null ? 3 : 1;
    int shift = 10 * (1 + "KMG".indexOf(used.group(first + 1)));
    return Long.parseLong(used.group(first)) << shift;
  }

  /** {@return the committed bytes of the metaspace, mostly resident; 0 if the text lacks them} */
  static long metaspaceBytes(String text) {
    return Math.max(0, committedBytes(METASPACE, text) - classSpaceBytes(text));
  }

  /** {@return the committed bytes of the class space; 0 if the text lacks them} */
  static long classSpaceBytes(String text) {
    return committedBytes(CLASS_SPACE, text);
  }

  private static long committedBytes(Pattern pattern, String text) {
    Matcher line = pattern.matcher(text);
    return line.find() ? Long.parseLong(line.group(1)) * 1024 : 0;
  }
}
