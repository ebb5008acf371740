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
  /** The last task, in place of UPPER; gaps then end inclusively, too. */
  END("end"),
  SIZE("size"),
  ALIGNMENT("alignment"),
  HINT("hint"),
  GAPS("gaps"),
  /** Where a record is pinned. */
  OFFSET("offset"),
  NAME("name");

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
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

  /** {@return the name that a file written by us has} */
  String writtenName() {
    return names.getFirst();
  }
}
