package dev.stowage.cli.input;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A problem as a file in JSON has it.
 *
 * @param dimensions the ranges of dimensions, or their sizes
 * @param usageGraph the indices of the records that depend on each record
 * @param reallocationGraph the indices of the records that may share memory with each record
 */
record ProblemFile(
    OptionalLong capacity,
    @JsonProperty(required = true) List<ProblemRecord> records,
    Optional<Map<String, ProblemRecord.Size>> dimensions,
    Optional<int[][]> usageGraph,
    Optional<int[][]> reallocationGraph) {

  /** The properties of a problem beside its records, if it has none. */
  static final ProblemFile NONE =
      new ProblemFile(
          OptionalLong.empty(), List.of(), Optional.empty(), Optional.empty(), Optional.empty());
}
