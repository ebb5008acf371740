package dev.stowage.process;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The committed bytes of the metaspace, which are nearly all resident.
 *
 * @param bytes the committed bytes outside of the class space
 * @param classBytes the committed bytes of the class space
 */
record CommittedMetaspace(long bytes, long classBytes) {

  private static final Pattern ALL =
      Pattern.compile("(?m)^ *Metaspace +used \\d+K, committed (\\d{1,12})K.*$");
  private static final Pattern CLASSES =
      Pattern.compile("(?m)^ *class space +used \\d+K, committed (\\d{1,12})K.*$");

  /**
   * {@return the bytes in the output of {@code VM.metaspace}, or of {@code GC.heap_info} of older
   * virtual machines; 0 if the output lacks them}
   */
  static CommittedMetaspace of(String text) {
    long classes = bytes(CLASSES.matcher(text));
    return new CommittedMetaspace(Math.max(0, bytes(ALL.matcher(text)) - classes), classes);
  }

  private static long bytes(Matcher line) {
    return line.find() ? Long.parseLong(line.group(1)) * 1024 : 0;
  }
}
