package dev.stowage.contract;

import java.util.stream.LongStream;

/** The seeds of random tests. */
final class Seeds {

  private Seeds() {}

  /** {@return the seeds to test: the one asked for by -Dtests.seed=N, or many} */
  static LongStream of(int howMany) {
    String asked = System.getProperty("tests.seed", "");
    return asked.isEmpty() ? LongStream.range(0, howMany) : LongStream.of(Long.parseLong(asked));
  }
}
