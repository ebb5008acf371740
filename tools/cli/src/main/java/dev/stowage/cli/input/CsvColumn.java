package dev.stowage.cli.input;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A column of a problem in CSV. */
enum CsvColumn {
  ID("id", "buffer", "buffer_id"),
  /** The first task. */
  LOWER("lower", "begin", "start"),
  /** The task after the last one. */
  UPPER("upper"),
  /** The last task, instead of UPPER; the ends of gaps are then inclusive, too. */
  END("end"),
  SIZE("size"),
  ALIGNMENT("alignment"),
  HINT("hint"),
  GAPS("gaps"),
  /** The id of the record whose bytes the record may take over. */
  IN_PLACE_OF("in_place_of"),
  /** The offset to which the record is pinned; in a plan, its offset. */
  OFFSET("offset"),
  NAME("name"),
  /** The number of tasks that read the record. */
  READS("reads"),
  /** The bank that the record is tied to. */
  BANK("bank");

  @SuppressWarnings("ImmutableEnumChecker") // List.of returns immutable lists
  private final List<String> names;

  CsvColumn(String... names) {
    this.names = List.of(names);
  }

  static Optional<CsvColumn> named(String name) {
    String lowerCase = name.strip().toLowerCase(Locale.ROOT);
    for (CsvColumn column : values()) {
      if (column.names.contains(lowerCase)) {
        return Optional.of(column);
      }
    }
    return Optional.empty();
  }

  /** {@return the name in files that Stowage writes} */
  String writtenName() {
    return names.getFirst();
  }
}
