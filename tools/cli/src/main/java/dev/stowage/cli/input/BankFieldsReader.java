package dev.stowage.cli.input;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/** Collects the reads and the banks of the records of a problem. */
final class BankFieldsReader {

  private final List<Long> reads = new ArrayList<>();
  private final Map<Integer, String> ties = new HashMap<>();
  private boolean hasReads;

  /**
   * Adds the next record.
   *
   * @param readCount the number of reads, if the file has it
   * @param bank the name of a bank; empty if there is none
   * @throws IllegalArgumentException if the number of reads is negative
   */
  void add(OptionalLong readCount, String bank) {
    if (readCount.orElse(0) < 0) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "reads is %d, expected 0 or more", readCount.getAsLong()));
    }
    if (!bank.isEmpty()) {
      ties.put(reads.size(), bank);
    }
    hasReads |= readCount.isPresent();
    reads.add(readCount.orElse(1));
  }

  /** {@return the properties of all records} */
  BankFields fields() {
    return new BankFields(hasReads ? reads : List.of(), ties);
  }
}
