package dev.stowage.cli.input;

import dev.stowage.core.MalformedInputException;
import dev.stowage.core.plan.Gap;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Reads a problem in CSV: MiniMalloc's format.
 *
 * <p>A header names {@code id}, {@code lower}, {@code upper} and {@code size} in any order;
 * lifetimes are half-open, unless the column is named {@code end}. Optional columns are {@code
 * alignment}, {@code offset} (pinned), {@code gaps}, {@code hint} and {@code name}.
 */
final class ProblemCsvReader {

  private final String source;
  private final TextLines lines;
  private final Map<CsvColumn, Integer> positions = new EnumMap<>(CsvColumn.class);
  private int columnCount;

  private final List<String> notes = new ArrayList<>();
  private final List<RecordLabel> labels = new ArrayList<>();
  private final List<TensorUsageRecord> records = new ArrayList<>();

  private ProblemCsvReader(String source, Reader reader) {
    this.source = source;
    lines = new TextLines(source, reader);
  }

  static PlanInput read(String source, Reader reader) throws IOException {
    return new ProblemCsvReader(source, reader).read();
  }

  private PlanInput read() throws IOException {
    readHeader();
    for (String line = lines.next(); line != null; line = lines.next()) {
      if (!line.isBlank()) {
        readRow(line.split(",", -1));
      }
    }
    long lastTask = records.stream().mapToLong(TensorUsageRecord::lastTask).max().orElse(-1);
    InputFile file = new InputFile(source, "csv", lastTask + 1, OptionalLong.empty(), notes);
    try {
      return new PlanInput.Tensors(file, labels, PlanProblem.of(records));
    } catch (IllegalArgumentException e) {
      throw new MalformedInputException(source, String.valueOf(e.getMessage()));
    }
  }

  private void readHeader() throws IOException {
    String header = lines.next();
    if (header == null) {
      throw new MalformedInputException(
          source, "is empty, expected a header that names id, lower, upper and size");
    }
    String[] names = header.replace("\uFEFF", "").split(",", -1);
    columnCount = names.length;
    for (int position = 0; position < names.length; position++) {
      String name = names[position].strip();
      CsvColumn column = CsvColumn.named(name).orElse(null);
      if (column == null) {
        notes.add("column '%s' is ignored".formatted(excerpt(name)));
      } else if (positions.put(column, position) != null) {
        throw malformed("names the column '%s' twice".formatted(name));
      }
    }
    boolean hasEnd = positions.containsKey(CsvColumn.UPPER) != positions.containsKey(CsvColumn.END);
    if (!hasEnd
        || !positions.containsKey(CsvColumn.ID)
        || !positions.containsKey(CsvColumn.LOWER)
        || !positions.containsKey(CsvColumn.SIZE)) {
      throw malformed(
          "found '%s', expected a header that names id, lower, upper (or end) and size"
              .formatted(excerpt(header)));
    }
  }

  private void readRow(String[] fields) throws MalformedInputException {
    if (fields.length != columnCount) {
      throw malformed("expected %d fields, found %d".formatted(columnCount, fields.length));
    }
    String id = field(fields, CsvColumn.ID);
    String name = field(fields, CsvColumn.NAME);
    long firstTask = number(fields, CsvColumn.LOWER);
    long lastTask = lastTask(fields, firstTask);
    OptionalLong alignment = optionalNumber(fields, CsvColumn.ALIGNMENT);
    try {
      records.add(
          new TensorUsageRecord(
              number(fields, CsvColumn.SIZE),
              firstTask,
              lastTask,
              alignment.orElse(1),
              unlessMinusOne(optionalNumber(fields, CsvColumn.OFFSET)),
              unlessMinusOne(optionalNumber(fields, CsvColumn.HINT)),
              gaps(field(fields, CsvColumn.GAPS))));
    } catch (IllegalArgumentException e) {
      throw malformed("record '%s': %s".formatted(excerpt(id), e.getMessage()));
    }
    labels.add(new RecordLabel(id, name.isEmpty() ? id : name));
  }

  private long lastTask(String[] fields, long firstTask) throws MalformedInputException {
    if (positions.containsKey(CsvColumn.END)) {
      return number(fields, CsvColumn.END);
    }
    long upper = number(fields, CsvColumn.UPPER);
    if (upper <= firstTask) {
      throw malformed("upper %d is not after lower %d".formatted(upper, firstTask));
    }
    return upper - 1;
  }

  /** -1 is how such files say that there is none. */
  private static OptionalLong unlessMinusOne(OptionalLong value) {
    return value.isPresent() && value.getAsLong() == -1 ? OptionalLong.empty() : value;
  }

  /** Reads {@code lo-hi} or {@code lo-hi@wlo:whi}, blanks between. */
  private List<Gap> gaps(String field) throws MalformedInputException {
    List<Gap> gaps = new ArrayList<>();
    if (field.isEmpty()) {
      return gaps;
    }
    for (String text : field.split("\\s+", -1)) {
      String[] parts = text.split("[-@:]", -1);
      String shape = text.replaceAll("[0-9]+", "N");
      if (!shape.equals("N-N") && !shape.equals("N-N@N:N")) {
        throw malformed(
            "gap '%s', expected LOWER-UPPER or LOWER-UPPER@START:END".formatted(excerpt(text)));
      }
      long first = number(parts[0], "gaps");
      long last = number(parts[1], "gaps") - (positions.containsKey(CsvColumn.END) ? 0 : 1);
      gaps.add(
          parts.length == 2
              ? Gap.of(first, last)
              : new Gap(first, last, number(parts[2], "gaps"), number(parts[3], "gaps")));
    }
    return gaps;
  }

  private String field(String[] fields, CsvColumn column) {
    Integer position = positions.get(column);
    return position == null ? "" : fields[position].strip();
  }

  private OptionalLong optionalNumber(String[] fields, CsvColumn column)
      throws MalformedInputException {
    return field(fields, column).isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(number(fields, column));
  }

  private long number(String[] fields, CsvColumn column) throws MalformedInputException {
    return number(field(fields, column), column.writtenName());
  }

  private long number(String text, String column) throws MalformedInputException {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw malformed(
          "column %s is '%s', expected a whole number below 2^63".formatted(column, excerpt(text)));
    }
  }

  private MalformedInputException malformed(String problem) {
    return new MalformedInputException(source, lines.place(), problem);
  }

  /** {@return the start of a text that may be anything, fit for a message} */
  private static String excerpt(String text) {
    String printable = text.replaceAll("\\p{Cntrl}", "?");
    return printable.length() <= 60 ? printable : printable.substring(0, 60) + "…";
  }
}
