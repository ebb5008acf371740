package dev.stowage.memory;

import java.util.stream.LongStream;

/** The seeds of random tests. */
public final class Seeds {

  private Seeds() {}

  /** {@return the seeds to test: the one asked for by -Dtests.seed=N, or many} */
  public static LongStream of(int howMany) {
    String asked = System.getProperty("tests.seed", "");
    return asked.isEmpty() ? LongStream.range(0, howMany) : LongStream.of(Long.parseLong(asked));
  }
}
