package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import java.util.List;
import java.util.Map;

/**
 * The properties of records that matter if there are several banks.
 *
 * @param reads the number of reads of each record; empty if the file has no such numbers
 * @param ties the names of the banks of tied records, by the indices of the records
 */
public record BankFields(List<Long> reads, Map<Integer, String> ties) {

  /** The properties of a file without reads and banks. */
  public static final BankFields NONE = new BankFields(List.of(), Map.of());

  public BankFields {
    reads = List.copyOf(reads);
    ties = Map.copyOf(ties);
  }

  /** {@return the number of reads of a record, 1 if the file has no such numbers} */
  public long reads(int record) {
    return reads.isEmpty() ? 1 : reads.get(record);
  }

  /**
   * {@return the properties of the records of a model}
   *
   * @param records the labels of the records, which have uses
   */
  static BankFields ofReads(List<RecordLabel> records) {
    return new BankFields(
        records.stream()
            .map(record -> (long) record.uses().orElseThrow().consumers().size())
            .toList(),
        Map.of());
  }
}
