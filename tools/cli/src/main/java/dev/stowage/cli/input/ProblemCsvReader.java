package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.Gap;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.shapes.SizeExpression;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

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

  private final String source;
  private final CsvRows rows;

  private final ProblemTensors tensors;
  private final Map<CsvColumn, Integer> positions = new EnumMap<>(CsvColumn.class);
  private int columnCount;
  private final List<String> notes = new ArrayList<>();

  private ProblemCsvReader(String source, Reader reader, ProblemTensors tensors)
      throws IOException {
    this.source = source;
    this.tensors = tensors;
    rows = new CsvRows(source, reader);
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
    readHeader();
    for (Optional<List<String>> row = rows.next(); row.isPresent(); row = rows.next()) {
      List<String> fields = row.get();
      boolean isBlank = fields.size() == 1 && fields.getFirst().isEmpty();
      if (!isBlank) {
        readRow(fields);
      }
    }
    return tensors.input("csv", OptionalLong.empty(), notes, Optional.empty());
  }

  private void readHeader() throws IOException {
    List<String> names =
        rows.next()
            .orElseThrow(() ->
                new MalformedFileException(
                    source, "is empty, expected a header with id, lower, upper and size"));
    columnCount = names.size();
    Set<String> ignored = new TreeSet<>();
    for (int position = 0; position < names.size(); position++) {
      String name = names.get(position);
      CsvColumn column = CsvColumn.named(name).orElse(null);
      if (name.strip().startsWith("offset[")) {
        throw rows.malformed(ProblemTensors.FORMULAS);
      }
      if (column == null) {
        if (ignored.size() < MAX_NAMED_COLUMNS) {
          ignored.add("'" + MalformedFileException.excerpt(name) + "'");
        }
      } else if (positions.put(column, position) != null) {
        throw rows.malformed(
            Text.of("has the column '%s' twice, expected once", column.writtenName()));
      }
    }
    checkColumns(names);
    if (!ignored.isEmpty()) {
      notes.add("unknown columns are ignored: " + String.join(", ", ignored));
    }
  }

  private void checkColumns(List<String> names) throws MalformedFileException {
    boolean hasEnd = positions.containsKey(CsvColumn.UPPER) != positions.containsKey(CsvColumn.END);
    if (!hasEnd
        || !positions.containsKey(CsvColumn.ID)
        || !positions.containsKey(CsvColumn.LOWER)
        || !positions.containsKey(CsvColumn.SIZE)) {
      throw rows.malformed(
          Text.of(
              "has the header '%s', expected id, lower, upper (exclusive) or end (inclusive), and size, separated by commas",
              MalformedFileException.excerpt(String.join(",", names))));
    }
  }

  private void readRow(List<String> fields) throws MalformedFileException {
    if (fields.size() != columnCount) {
      throw rows.malformed(Text.of("expected %d fields, found %d", columnCount, fields.size()));
    }
    String id = field(fields, CsvColumn.ID);
    String name = field(fields, CsvColumn.NAME);
    long firstTask = number(fields, CsvColumn.LOWER);
    long lastTask = lastTask(fields, firstTask);
    OptionalLong alignment = optionalNumber(fields, CsvColumn.ALIGNMENT);
    OptionalLong offset = minusOneAsEmpty(optionalNumber(fields, CsvColumn.OFFSET));
    String label = "record '" + MalformedFileException.excerpt(id) + "'";
    try {
      tensors.add(
          TensorUsageRecord.of(size(fields), firstTask, lastTask)
              .withName(name)
              .withAlignment(alignment.orElse(1))
              .withGaps(gaps(field(fields, CsvColumn.GAPS))),
          new ProblemTensors.Extras(
              offset,
              minusOneAsEmpty(optionalNumber(fields, CsvColumn.HINT)),
              optionalNumber(fields, CsvColumn.READS),
              field(fields, CsvColumn.BANK)),
          problem -> rows.malformed(label + ": " + problem));
    } catch (IllegalArgumentException e) {
      throw rows.malformed(label + ": " + e.getMessage());
    }
    tensors.addLabel(
        new RecordLabel(id, name.isEmpty() ? id : name),
        Optional.of(field(fields, CsvColumn.IN_PLACE_OF)).filter(other -> !other.isEmpty()),
        rows.place(),
        label);
  }

  /** {@return the size, or {@link RangedSizes#LARGEST_BYTES} if it depends on dimensions} */
  private long size(List<String> fields) throws MalformedFileException {
    String text = field(fields, CsvColumn.SIZE);
    if (NUMBER_OR_EMPTY.matcher(text).matches()) {
      return number(text, CsvColumn.SIZE.writtenName());
    }
    SizeExpression size;
    try {
      size = SizeExpression.parse(text);
    } catch (IllegalArgumentException e) {
      if (tensors.sizes().hasDimensions()) {
        throw rows.malformed("column size: " + e.getMessage());
      }
      return number(text, CsvColumn.SIZE.writtenName()); // reports the text
    }
    for (String name : size.dimensions()) {
      if (!tensors.sizes().hasDimension(name)) {
        throw rows.malformed(
            Text.of(
                "column size is '%s', expected a whole number below 2^63, or a range of '%s' such as --dim %s=1..32",
                MalformedFileException.excerpt(text),
                MalformedFileException.excerpt(name),
                MalformedFileException.excerpt(name)));
      }
    }
    return tensors.sizes().add(tensors.labels().size(), text);
  }

  private long lastTask(List<String> fields, long firstTask) throws MalformedFileException {
    if (positions.containsKey(CsvColumn.END)) {
      long end = number(fields, CsvColumn.END);
      if (end == Long.MAX_VALUE) {
        throw rows.malformed(Text.of("column end is %d, expected less than 2^63 - 1", end));
      }
      return end;
    }
    long upper = number(fields, CsvColumn.UPPER);
    if (upper <= firstTask) {
      throw rows.malformed(
          Text.of("column upper is %d, expected more than lower, which is %d", upper, firstTask));
    }
    return upper - 1;
  }

  /** In MiniMalloc's files, -1 means no value. */
  private static OptionalLong minusOneAsEmpty(OptionalLong value) {
    return value.isPresent() && value.getAsLong() == -1 ? OptionalLong.empty() : value;
  }

  /** {@return the gaps of a field: {@code lo-hi} or {@code lo-hi@wlo:whi}, separated by spaces} */
  private List<Gap> gaps(String field) throws MalformedFileException {
    List<Gap> gaps = new ArrayList<>();
    if (field.isEmpty()) {
      return gaps;
    }
    for (String text : field.split("\\s+", -1)) {
      String[] parts = text.split("[-@:]", -1);
      String shape = text.replaceAll("[0-9]+", "N");
      if (!shape.equals("N-N") && !shape.equals("N-N@N:N")) {
        throw rows.malformed(
            Text.of(
                "column gaps has '%s', expected LOWER-UPPER or LOWER-UPPER@START:END",
                MalformedFileException.excerpt(text)));
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

  private String field(List<String> fields, CsvColumn column) {
    Integer position = positions.get(column);
    return position == null ? "" : fields.get(position);
  }

  private OptionalLong optionalNumber(List<String> fields, CsvColumn column)
      throws MalformedFileException {
    return field(fields, column).isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(number(fields, column));
  }

  private long number(List<String> fields, CsvColumn column) throws MalformedFileException {
    return number(field(fields, column), column.writtenName());
  }

  private long number(String text, String column) throws MalformedFileException {
    OptionalLong number = WholeNumber.parse(text);
    if (number.isEmpty()) {
      throw rows.malformed(
          Text.of(
              "column %s is '%s', expected a whole number below 2^63",
              column, MalformedFileException.excerpt(text)));
    }
    return number.getAsLong();
  }
}
