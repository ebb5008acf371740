package dev.stowage.cli.input;

import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.shapes.SizeExpression;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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

  private static final Pattern NUMBER_OR_EMPTY = Pattern.compile("-?[0-9]*");

  /**
   * The columns by the names in files. The task after the last one is {@code upper}, the last one
   * is {@code end}; with {@code end}, the ends of gaps are inclusive, too.
   */
  private static final Map<String, String> COLUMNS = new HashMap<>();

  static {
    List.of(
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
            "bank")
        .forEach(column -> COLUMNS.put(column, column));
    List.of("buffer", "buffer_id").forEach(name -> COLUMNS.put(name, "id"));
    List.of("begin", "start").forEach(name -> COLUMNS.put(name, "lower"));
  }

  private final CsvRows rows;
  private final ProblemTensors tensors;

  private ProblemCsvReader(String source, Reader reader, ProblemTensors tensors)
      throws IOException {
    this.tensors = tensors;
    rows = new CsvRows(source, reader, "with id, lower, upper and size");
  }

  static PlanInput read(String source, Reader reader, GivenDimensions dimensions)
      throws IOException {
    ProblemTensors tensors = new ProblemTensors(source, false, dimensions);
    return new ProblemCsvReader(source, reader, tensors).read();
  }

  static PlacedInput readPlan(String source, Reader reader, GivenDimensions dimensions)
      throws IOException {
    ProblemTensors tensors = new ProblemTensors(source, true, dimensions);
    return tensors.plan(new ProblemCsvReader(source, reader, tensors).read());
  }

  private PlanInput read() throws IOException {
    Set<String> unknown = rows.find(COLUMNS);
    if (unknown.stream().anyMatch(name -> name.startsWith("offset["))) {
      throw rows.malformed(ProblemTensors.FORMULAS);
    }
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
            Optional.of(size()),
            OptionalLong.of(firstTask),
            OptionalLong.of(lastTask(firstTask)),
            Optional.of(id),
            optional("name"),
            rows.optionalNumber("alignment"),
            minusOneAsEmpty(rows.optionalNumber("offset")),
            minusOneAsEmpty(rows.optionalNumber("hint")),
            gaps(),
            optional("in_place_of"),
            rows.optionalNumber("reads"),
            optional("bank"));
    try {
      tensors.add(record, id, label, rows.place());
    } catch (IllegalArgumentException e) {
      throw rows.malformed(label + ": " + e.getMessage());
    }
  }

  private Optional<String> optional(String column) {
    return Optional.of(rows.text(column)).filter(text -> !text.isEmpty());
  }

  private ProblemRecord.Size size() throws MalformedFileException {
    String text = rows.text("size");
    if (NUMBER_OR_EMPTY.matcher(text).matches()) {
      return new ProblemRecord.Size(List.of(rows.number("size")), "");
    }
    List<String> dimensions;
    try {
      dimensions = List.copyOf(SizeExpression.parse(text).dimensions());
    } catch (IllegalArgumentException e) {
      if (tensors.sizes().hasDimensions()) {
        throw rows.malformed("column size: " + e.getMessage());
      }
      return new ProblemRecord.Size(List.of(rows.number("size")), ""); // reports the text
    }
    for (String name : dimensions) {
      if (!tensors.sizes().hasDimension(name)) {
        throw rows.malformed(
            Text.of(
                "column size is '%s', expected a whole number below 2^63, or a range of '%s' such as --dim %s=1..32",
                MalformedFileException.excerpt(text),
                MalformedFileException.excerpt(name),
                MalformedFileException.excerpt(name)));
      }
    }
    return new ProblemRecord.Size(List.of(), text);
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
      String[] parts = text.split("[-@:]", -1);
      String shape = text.replaceAll("[0-9]+", "N");
      if (!shape.equals("N-N") && !shape.equals("N-N@N:N")) {
        throw rows.malformed(
            Text.of(
                "column gaps has '%s', expected LOWER-UPPER or LOWER-UPPER@START:END",
                MalformedFileException.excerpt(text)));
      }
      long last = rows.number(parts[1], "gaps") - (rows.has("end") ? 0 : 1);
      Optional<List<Long>> window =
          parts.length == 2
              ? Optional.empty()
              : Optional.of(List.of(rows.number(parts[2], "gaps"), rows.number(parts[3], "gaps")));
      gaps.add(
          new ProblemRecord.Pause(
              OptionalLong.of(rows.number(parts[0], "gaps")), OptionalLong.of(last), window));
    }
    return Optional.of(gaps);
  }
}
