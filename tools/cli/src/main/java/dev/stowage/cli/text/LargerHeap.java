package dev.stowage.cli.text;

import java.util.List;

/** The remedy for a command that runs out of memory. */
public final class LargerHeap {

  private static final long GIB = 1L << 30;

  private LargerHeap() {}

  /**
   * {@return a clause with the same command line, in an environment that doubles the heap}
   *
   * @param words the words of the command line after the program
   */
  public static String remedy(List<String> words) {
    return remedy(words, Runtime.getRuntime().maxMemory());
  }

  static String remedy(List<String> words, long heapBytes) {
    return "run it with a larger heap: JAVA_TOOL_OPTIONS=-Xmx"
        + Math.ceilDiv(2 * heapBytes, GIB)
        + "g "
        + ShellLine.of(words);
  }
}
