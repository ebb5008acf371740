package dev.stowage.cli.input;

import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A reader of problems in CSV, MiniMalloc's format.
 *
 * <p>The header names {@code id}, {@code lower}, {@code upper} and {@code size} in any order.
 * Lifetimes are half-open, unless the column is {@code end}. Optional columns are {@code
 * alignment}, {@code offset} (a pin, or the offset of a plan), {@code gaps}, {@code hint}, {@code
 * in_place_of}, {@code reads}, {@code bank} and {@code name}.
 */
final class ProblemCsvReader {

  private static final int MAX_NAMED_COLUMNS = 10;

  private static final Pattern NUMBER_OR_EMPTY = Pattern.compile("[-+]?[0-9]*");

  private static final Pattern GAP = Pattern.compile("([0-9]+)-([0-9]+)(?:@([0-9]+):([0-9]+))?");

  /**
   * The columns. The task after the last one is {@code upper}, the last one is {@code end}; with
   * {@code end}, the ends of gaps are inclusive, too.
   */
  private static final Set<String> COLUMNS =
      Set.of(
          "id",
          "lower",
          "upper",
          "end",
          "size",
          "alignment",
          "hint",
          "gaps",
          "in_place_of",
          "offset",
          "name",
          "reads",
          "bank");

  private static final Map<String, String> ALIASES =
      Map.of("buffer", "id", "buffer_id", "id", "begin", "lower", "start", "lower");

  private final CsvRows rows;
  private final ProblemTensors tensors;

  private ProblemCsvReader(String source, Reader reader, ProblemTensors tensors)
      throws IOException {
    this.tensors = tensors;
    rows = new CsvRows(source, reader, "with id, lower, upper and size");
  }

  /** Reads a problem or a plan into {@code tensors}. */
  static PlanInput read(String source, Reader reader, ProblemTensors tensors) throws IOException {
    return new ProblemCsvReader(source, reader, tensors).read();
  }

  private PlanInput read() throws IOException {
    Set<String> unknown = rows.find(COLUMNS, ALIASES);
    if (rows.has("upper") == rows.has("end")
        || !rows.has("id")
        || !rows.has("lower")
        || !rows.has("size")) {
      throw rows.malformed(
          Text.of(
              "has the header '%s', expected id, lower, upper (exclusive) or end (inclusive), and size, separated by commas",
              MalformedFileException.excerpt(String.join(",", rows.header()))));
    }
    while (rows.next()) {
      readRow();
    }
    String names =
        unknown.stream()
            .limit(MAX_NAMED_COLUMNS)
            .map(name -> "'" + MalformedFileException.excerpt(name) + "'")
            .collect(Collectors.joining(", "));
    return tensors.input(
        "csv",
        OptionalLong.empty(),
        names.isEmpty() ? List.of() : List.of("unknown columns are ignored: " + names),
        Optional::empty);
  }

  private void readRow() throws MalformedFileException {
    String id = rows.text("id");
    String label = "record '" + MalformedFileException.excerpt(id) + "'";
    long firstTask = rows.number("lower");
    ProblemRecord record =
        new ProblemRecord(
            Optional.of(id),
            optional("name"),
            size(),
            firstTask,
            lastTask(firstTask),
            rows.optionalNumber("alignment"),
            minusOneAsEmpty(rows.optionalNumber("hint")),
            gaps(),
            optional("in_place_of"),
            rows.optionalNumber("reads"),
            optional("bank"),
            minusOneAsEmpty(rows.optionalNumber("offset")));
    try {
      tensors.add(record, id, label, rows::place);
    } catch (IllegalArgumentException e) {
      throw rows.malformed(label + ": " + e.getMessage());
    }
  }

  private Optional<String> optional(String column) {
    return Optional.of(rows.text(column)).filter(text -> !text.isEmpty());
  }

  private ProblemRecord.Size size() throws MalformedFileException {
    String text = rows.text("size");
    return NUMBER_OR_EMPTY.matcher(text).matches()
        ? new ProblemRecord.Size(List.of(rows.number("size")), "")
        : new ProblemRecord.Size(List.of(), text);
  }

  private long lastTask(long firstTask) throws MalformedFileException {
    if (rows.has("end")) {
      return rows.number("end");
    }
    long upper = rows.number("upper");
    if (upper <= firstTask) {
      throw rows.malformed(
          Text.of("column upper is %d, expected more than lower, which is %d", upper, firstTask));
    }
    return upper - 1;
  }

  /** In MiniMalloc's files, -1 means no value. */
  private static OptionalLong minusOneAsEmpty(OptionalLong value) {
    return value.orElse(0) == -1 ? OptionalLong.empty() : value;
  }

  /** {@return the gaps of a row: {@code lo-hi} or {@code lo-hi@wlo:whi}, separated by spaces} */
  private Optional<List<ProblemRecord.Pause>> gaps() throws MalformedFileException {
    if (rows.text("gaps").isEmpty()) {
      return Optional.empty();
    }
    List<ProblemRecord.Pause> gaps = new ArrayList<>();
    for (String text : rows.text("gaps").split("\\s+", -1)) {
      Matcher gap = GAP.matcher(text);
      if (!gap.matches()) {
        throw rows.malformed(
            Text.of(
                "column gaps has '%s', expected LOWER-UPPER or LOWER-UPPER@START:END",
                MalformedFileException.excerpt(text)));
      }
      Optional<List<Long>> window =
          gap.group(3) == null
              ? Optional.empty()
              : Optional.of(List.of(number(gap, 3), number(gap, 4)));
      gaps.add(
          new ProblemRecord.Pause(
              number(gap, 1), number(gap, 2) - (rows.has("end") ? 0 : 1), window));
    }
    return Optional.of(gaps);
  }

  private long number(Matcher gap, int group) throws MalformedFileException {
    return rows.number(gap.group(group), "gaps");
  }
}
